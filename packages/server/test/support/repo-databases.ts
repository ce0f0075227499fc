import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { createIdentityRepo } from '../../src/modules/identity/identity.repo.ts'
import { type Db, openPostgres, openSqlite } from '../../src/platform/db/database.ts'
import { emptyPostgres, migratedPostgres, putMigratedSqlite } from './shared-servers.ts'

const log = pino({ level: 'silent' })

export interface RepoDatabase {
  readonly db: Db
  /** Where it lies; empty for a server. */
  readonly file: string
  /** The address of a server; empty for a file. */
  readonly url: string
  close(): Promise<void>
}

function repoDatabase(db: Db, { file = '', url = '' }, remove: () => Promise<void>): RepoDatabase {
  return {
    db,
    file,
    url,
    async close() {
      await db.destroy()
      await remove()
    },
  }
}

async function newSqlite({ migrated }: { migrated: boolean }): Promise<RepoDatabase> {
  const folder = await tempDir('repos')
  const file = join(folder.path, 'siarin.db')
  if (migrated) await putMigratedSqlite(file)
  return repoDatabase(openSqlite(file), { file }, () => folder.remove())
}

const onPostgres = ({ url, drop }: PostgresDatabase): RepoDatabase =>
  repoDatabase(openPostgres(new Secret(url), log), { url }, drop)

/** One suite for both databases: what a repository promises, it promises on either. `open`: with every table in its present form. */
export const REPO_DATABASES = [
  {
    name: 'SQLite',
    openEmpty: () => newSqlite({ migrated: false }),
    open: () => newSqlite({ migrated: true }),
  },
  {
    name: 'PostgreSQL',
    openEmpty: async () => onPostgres(await emptyPostgres()),
    open: async () => onPostgres(await migratedPostgres()),
  },
]

/** As it was when it was opened, for tests that write about users and what happened to them: another database took longer than each of them. */
export async function clearUsers(db: Db): Promise<void> {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('outbox').execute()
  await db.deleteFrom('outbox_readers').execute()
}

export async function addUser(db: Db, change: object = {}): Promise<string> {
  const id = randomUUID()
  await createIdentityRepo(db).insertUser({
    id,
    username: `Nama ${id}`,
    username_key: `nama ${id}`,
    email: `${id}@gmail.com`,
    password_hash: 'hash',
    api_key_hash: `hash of ${id}`,
    api_key_sealed: 'sealed',
    created_at: 1_800_000_000_123,
    ...change,
  })
  return id
}
