import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { startPostgres } from '@siarin/testkit/postgres'
import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { createIdentityRepo } from '../../src/modules/identity/identity.repo.ts'
import { type Db, openPostgres, openSqlite } from '../../src/platform/db/database.ts'

const log = pino({ level: 'silent' })

/** One suite for both databases: what a repository promises, it promises on either. */
export const REPO_DATABASES = [
  {
    name: 'SQLite',
    open: async () => {
      const folder = await tempDir('repos')
      const file = join(folder.path, 'siarin.db')
      return { db: openSqlite(file), file, close: () => folder.remove() }
    },
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const server = await startPostgres()
      return { db: openPostgres(new Secret(server.url), log), file: '', close: () => server.stop() }
    },
  },
]

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
