import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { type AccountBook, accountBook } from './account-book.ts'
import { createAccountsRepo } from './accounts.repo.ts'
import { accountsRoutes } from './accounts.routes.ts'
import { type CheckAccount, createAccountsService } from './accounts.service.ts'

export interface AccountsDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  check: CheckAccount
  /** Whether a broadcast relays the room of this account. */
  isInUse: (accountId: string) => Promise<boolean>
}

/** What others may know of a user's accounts: those who speak with the platforms. */
export const createAccountBook = ({ db, sealer }: Pick<AccountsDeps, 'db' | 'sealer'>): AccountBook =>
  accountBook({ repo: createAccountsRepo(db), sealer })

export function createAccounts({ db, ...deps }: AccountsDeps) {
  const service = createAccountsService({ ...deps, repo: createAccountsRepo(db) })
  return { service, routes: (hooks: CallerHooks) => accountsRoutes({ service, hooks }) }
}
