import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { SessionCaller } from './caller.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { knownTo, type Passwords } from './passwords.ts'
import type { UserRow } from './users.repo.ts'

interface PasswordProofDeps {
  repo: Pick<IdentityRepo, 'userById'>
  passwords: Passwords
  activity: Pick<ActivityService, 'record'>
}

/** An open screen in a café is not enough for what cannot be taken back: its user types the password again. */
export function createPasswordProof({ repo, passwords, activity }: PasswordProofDeps) {
  async function userOf({ userId }: SessionCaller): Promise<UserRow> {
    const user = await repo.userById(userId)
    if (!user) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
    return user
  }

  async function assertPassword(user: UserRow, password: string, visitor: Visitor): Promise<void> {
    if (await passwords.matches(user.password_hash, password, knownTo(user.id))) return
    await activity.record({ userId: user.id, kind: 'password-wrong', visitor, failed: true })
    throw new DomainError('wrong_credentials', AUTH_TEXTS.currentPasswordWrong)
  }

  return { userOf, assertPassword }
}
