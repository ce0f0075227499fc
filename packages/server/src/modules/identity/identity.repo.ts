import type { Db } from '../../platform/db/database.ts'
import { devices } from './devices.repo.ts'
import { ownAccount } from './own-account.repo.ts'
import { sessions } from './sessions.repo.ts'
import { users } from './users.repo.ts'

export type IdentityRepo = ReturnType<typeof createIdentityRepo>

export const createIdentityRepo = (db: Db) => ({ ...ownAccount(db), ...devices(db), ...users(db), ...sessions(db) })
