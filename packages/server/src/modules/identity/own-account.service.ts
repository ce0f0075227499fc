import type { ChangeUsernameBody, ConfirmBody, DeleteAccountBody } from '@siarin/contracts/auth'
import { normalizeUsername } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { SessionCaller } from './caller.ts'
import { createChangePassword } from './change-password.ts'
import type { Devices, SeenDevice } from './devices.service.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { createPasswordProof } from './password-proof.ts'
import type { Passwords } from './passwords.ts'
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
  const { repo, activity, devices, secondFactor } = deps
  const proof = createPasswordProof(deps)
  const { userOf, assertPassword } = proof

  return {
    changePassword: createChangePassword({ ...deps, proof }),

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
