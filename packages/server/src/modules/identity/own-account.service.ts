import { randomUUID } from 'node:crypto'
import type { ChangePasswordBody, ChangeUsernameBody, ConfirmBody, DeleteAccountBody } from '@siarin/contracts/auth'
import { normalizeUsername } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import { freshApiKey } from './api-keys.ts'
import type { SessionCaller } from './caller.ts'
import { assertHardToGuess } from './common-passwords.ts'
import type { Devices, SeenDevice } from './devices.service.ts'
import type { IdentityRepo, UserRow } from './identity.repo.ts'
import { knownTo, type Passwords } from './passwords.ts'
import type { Recovery } from './recovery.service.ts'
import type { SecondFactor } from './second-factor.service.ts'

interface OwnAccountDeps {
  repo: IdentityRepo
  passwords: Passwords
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  devices: Pick<Devices, 'confirm'>
  secondFactor: Pick<SecondFactor, 'assertCode'>
  recovery: Pick<Recovery, 'tellPasswordChanged'>
  sealer: Sealer
}

export type OwnAccountService = ReturnType<typeof createOwnAccountService>

/** What users change about their own account. */
export function createOwnAccountService(deps: OwnAccountDeps) {
  const { repo, passwords, clock, activity, devices, secondFactor, recovery, sealer } = deps
  async function userOf({ userId }: SessionCaller): Promise<UserRow> {
    const user = await repo.userById(userId)
    if (!user) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
    return user
  }

  /** An open screen in a café is not enough for what cannot be taken back. */
  async function assertPassword(user: UserRow, password: string, visitor: Visitor): Promise<void> {
    if (await passwords.matches(user.password_hash, password, knownTo(user.id))) return
    await activity.record({ userId: user.id, kind: 'password-wrong', visitor, failed: true })
    throw new DomainError('wrong_credentials', AUTH_TEXTS.currentPasswordWrong)
  }

  /** The same browser goes on under another token: whoever has copied the one before cannot. */
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

  return {
    /** The API key goes with the password: whoever knew the one may have taken the other. */
    async changePassword(
      caller: SessionCaller,
      { currentPassword, newPassword, code }: ChangePasswordBody,
      visitor: Visitor,
    ): Promise<{ apiKey: string; token: string }> {
      const { userId } = caller
      const user = await userOf(caller)
      await assertPassword(user, currentPassword, visitor)
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
    },

    /** For what a session has to prove first; see confirmation-rules. */
    async confirm(caller: SessionCaller, { password, trust }: ConfirmBody, visitor: Visitor): Promise<SeenDevice> {
      await assertPassword(await userOf(caller), password, visitor)
      return devices.confirm(caller, visitor, trust)
    },

    /** For a change that another part of identity makes. */
    async assertOwnPassword(caller: SessionCaller, password: string, visitor: Visitor): Promise<void> {
      await assertPassword(await userOf(caller), password, visitor)
    },

    async changeUsername(
      caller: SessionCaller,
      { username }: ChangeUsernameBody,
      visitor: Visitor,
    ): Promise<{ username: string }> {
      const user = await userOf(caller)
      try {
        await repo.changeUsername(user.id, username, normalizeUsername(username))
      } catch (error) {
        if (!uniqueViolation(error)) throw error
        throw new DomainError('username_taken', AUTH_TEXTS.usernameTaken)
      }
      const detail = `${user.username} → ${username}`
      await activity.record({ userId: user.id, kind: 'username-changed', visitor, detail })
      return { username }
    },

    /** Refuses who has not proved enough to have the account deleted. */
    async assertMayDelete(
      caller: SessionCaller,
      { currentPassword, confirm, code }: DeleteAccountBody,
      visitor: Visitor,
    ): Promise<void> {
      const user = await userOf(caller)
      if (confirm.trim() !== user.username) throw new DomainError('invalid_input', AUTH_TEXTS.confirmWithUsername)
      await assertPassword(user, currentPassword, visitor)
      await secondFactor.assertCode(user.id, code, visitor)
      // Otherwise a suspension could be shaken off by registering anew.
      if (user.suspended_at !== null) throw new DomainError('access_stopped', AUTH_TEXTS.suspended)
    },
  }
}
