import { randomUUID } from 'node:crypto'
import { addressKey } from '../../http/address-key.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'
import type { SessionCaller } from './caller.ts'
import type { DeviceRow } from './devices.repo.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { createSessionProof } from './session-proof.ts'
import type { UserRow } from './users.repo.ts'

interface DevicesDeps {
  repo: Pick<
    IdentityRepo,
    'deviceByToken' | 'addDevice' | 'seeDevice' | 'isUntouched' | 'loginAddresses' | 'sessionById' | 'confirmSession'
  >
  clock: Clock
}

export interface SeenDevice {
  readonly id: string
  /** For the browser to keep: by it the device is known again. */
  readonly token: string
  /** Nobody has logged in to this account from there before. */
  readonly isNew: boolean
  /** The first one of a new account: nothing to tell its owner about. */
  readonly isFirst: boolean
}

export type Devices = ReturnType<typeof createDevices>

const NEW_ACCOUNT_MS = 86_400_000

/** What newToken makes: a cookie that reads otherwise is none of ours, and is replaced. */
const DEVICE_TOKEN = /^dv_[\w-]{43}$/

/** Which browsers an account is used with, and what a session from another one has to prove first. */
export function createDevices({ repo, clock }: DevicesDeps) {
  /** For a visitor who has just typed the right password, or used a link. */
  async function meet(userId: string, { deviceToken }: Visitor, trust: 'known' | 'now' | 'never'): Promise<SeenDevice> {
    const now = clock.now()
    const token = deviceToken && DEVICE_TOKEN.test(deviceToken) ? deviceToken : newToken('dv').reveal()
    const tokenHash = hashToken(token)
    const known = await repo.deviceByToken(userId, tokenHash)
    if (known) {
      await repo.seeDevice(known.id, now, trust !== 'never')
      return { id: known.id, token, isNew: false, isFirst: false }
    }
    await repo.addDevice({
      id: randomUUID(),
      user_id: userId,
      token_hash: tokenHash,
      trusted_at: trust === 'now' ? now : null,
      created_at: now,
      last_seen_at: now,
    })
    const row = await repo.deviceByToken(userId, tokenHash)
    if (!row) throw new Error('a device was not kept')
    return { id: row.id, token, isNew: true, isFirst: false }
  }

  /** The browser, if somebody has logged in to this account with it. */
  const knownDevice = async (userId: string, { deviceToken }: Visitor): Promise<DeviceRow | null> =>
    deviceToken ? repo.deviceByToken(userId, hashToken(deviceToken)) : null

  /**
   * By which name the visitor is known to this account: the browser, or else the address, from which somebody has logged in to it.
   * Null: a stranger, whatever other accounts were opened from there.
   */
  async function knownBy(userId: string, visitor: Visitor): Promise<string | null> {
    const device = await knownDevice(userId, visitor)
    if (device) return device.id
    const name = addressKey(visitor.address)
    const addresses = await repo.loginAddresses(userId)
    return addresses.some((each) => addressKey(each) === name) ? name : null
  }

  return {
    ...createSessionProof({ repo, clock }),
    knownBy,
    knownDevice,
    /** At a login. A browser that was here before is its owner's; so is the first one of a new account. */
    async atLogin(
      { id: userId, created_at }: Pick<UserRow, 'id' | 'created_at'>,
      visitor: Visitor,
    ): Promise<SeenDevice> {
      // The rows of an old account may have been cleared away.
      const isFirst = clock.now() - created_at < NEW_ACCOUNT_MS && (await repo.isUntouched(userId))
      return { ...(await meet(userId, visitor, isFirst ? 'now' : 'known')), isFirst }
    },
    /** A link was used here: at the login that follows its owner is no stranger, however many guess at the account meanwhile. */
    afterReset: (userId: string, visitor: Visitor): Promise<SeenDevice> => meet(userId, visitor, 'never'),
    /** The password was typed again. `trust`: and this browser is not to be asked any more. */
    async confirm({ userId, sessionId }: SessionCaller, visitor: Visitor, trust: boolean): Promise<SeenDevice> {
      const device = await meet(userId, visitor, trust ? 'now' : 'never')
      await repo.confirmSession(sessionId, {
        device_id: device.id,
        address: visitor.address,
        confirmed_at: clock.now(),
      })
      return device
    },
  }
}
