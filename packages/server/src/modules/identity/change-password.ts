import { randomUUID } from 'node:crypto'
import type { ChangePasswordBody } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { freshApiKey } from './api-keys.ts'
import type { SessionCaller } from './caller.ts'
import { assertHardToGuess } from './common-passwords.ts'
import type { IdentityRepo } from './identity.repo.ts'
import type { createPasswordProof } from './password-proof.ts'
import { knownTo, type Passwords } from './passwords.ts'
import type { Recovery } from './recovery.service.ts'
import type { SecondFactor } from './second-factor.service.ts'

interface ChangePasswordDeps {
  repo: Pick<IdentityRepo, 'sessionById' | 'changePassword'>
  passwords: Passwords
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  secondFactor: Pick<SecondFactor, 'assertCode'>
  recovery: Pick<Recovery, 'tellPasswordChanged'>
  sealer: Sealer
  proof: ReturnType<typeof createPasswordProof>
}

/** The API key goes with the password: who knew the one may have taken the other. */
export function createChangePassword(deps: ChangePasswordDeps) {
  const { repo, passwords, clock, activity, secondFactor, recovery, sealer, proof } = deps

  /** The same browser goes on under another token: a copy of the one before is worth nothing. */
  async function sessionAfter({ userId, sessionId }: SessionCaller, { address, device }: Visitor) {
    const token = newToken('st').reveal()
    const now = clock.now()
    const session = {
      id: randomUUID(),
      user_id: userId,
      token_hash: hashToken(token),
      created_at: now,
      last_seen_at: now,
      ended_at: null,
      address,
      device,
      device_id: (await repo.sessionById(sessionId))?.device_id ?? null,
      confirmed_at: now,
    }
    return { session, token }
  }

  return async function changePassword(
    caller: SessionCaller,
    { currentPassword, newPassword, code }: ChangePasswordBody,
    visitor: Visitor,
  ): Promise<{ apiKey: string; token: string }> {
    const { userId } = caller
    const user = await proof.userOf(caller)
    await proof.assertPassword(user, currentPassword, visitor)
    await assertHardToGuess(newPassword, user)
    await secondFactor.assertCode(userId, code, visitor)
    const newKey = freshApiKey(sealer)
    const newHash = await passwords.hash(newPassword, knownTo(userId))
    const change = { userId, oldHash: user.password_hash, newHash, newKey }
    const { session, token } = await sessionAfter(caller, visitor)
    if (!(await repo.changePassword(change, session, clock.now()))) {
      throw new DomainError('wrong_credentials', AUTH_TEXTS.currentPasswordWrong)
    }
    await activity.record({ userId, kind: 'password-changed', visitor })
    await recovery.tellPasswordChanged(user)
    return { apiKey: sealer.open(newKey.api_key_sealed).reveal(), token }
  }
}
