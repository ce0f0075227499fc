import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { addressKey } from '../../http/address-key.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashToken } from '../../platform/secrets/tokens.ts'
import type { SessionCaller } from './caller.ts'
import { isConfirmed } from './confirmation-rules.ts'
import type { DeviceRow } from './devices.repo.ts'
import type { IdentityRepo } from './identity.repo.ts'

interface SessionProofDeps {
  repo: Pick<IdentityRepo, 'deviceByToken' | 'sessionById'>
  clock: Clock
}

/** Whether a session has proved that its owner uses it: by the password, or by a browser that the account trusts. */
export function createSessionProof({ repo, clock }: SessionProofDeps) {
  /** The session's own browser, if it is that which calls. */
  async function ownDevice(
    userId: string,
    deviceId: string | null,
    { deviceToken }: Visitor,
  ): Promise<DeviceRow | null> {
    if (!deviceToken || deviceId === null) return null
    const device = await repo.deviceByToken(userId, hashToken(deviceToken))
    return device?.id === deviceId ? device : null
  }

  async function isProved({ userId, sessionId }: SessionCaller, visitor: Visitor): Promise<boolean> {
    const session = await repo.sessionById(sessionId)
    if (!session) return false
    const device = await ownDevice(userId, session.device_id, visitor)
    const standing = {
      confirmedAt: session.confirmed_at,
      fromTrustedDevice: device !== null && device.trusted_at !== null,
      // A token that was copied does not gain by what its owner types elsewhere.
      fromWhereTyped: device !== null || addressKey(visitor.address) === addressKey(session.address),
    }
    return isConfirmed(standing, clock.now())
  }

  return {
    isProved,
    async assertProved(caller: SessionCaller, visitor: Visitor): Promise<void> {
      if (!(await isProved(caller, visitor))) throw new DomainError('password_needed', AUTH_TEXTS.passwordNeeded)
    },
  }
}
