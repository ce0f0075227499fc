import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { LONG_LOG_PAGES } from '../src/platform/db/checkpoints.ts'
import { openSqlite, PROGRAM_MANNERS } from '../src/platform/db/database.ts'

const PAGE_BYTES = 4_096
const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

async function openLog() {
  const folder = await tempDir('checkpoints')
  onTestFinished(() => folder.remove())
  const file = join(folder.path, 'siarin.db')
  const db = openSqlite(file, PROGRAM_MANNERS)
  await sql`create table t (a integer primary key, b text)`.execute(db)
  const other = new SqliteDatabase(file)
  return {
    ...{ db, file },
    /** At least so many pages, each in a commit of its own. */
    async write(pages: number): Promise<void> {
      for (let page = 0; page < pages; page += 2) {
        await sql`insert into t (b) values (${'x'.repeat(PAGE_BYTES)})`.execute(db)
      }
    },
    look: () => (other.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[])[0],
    async close() {
      other.close()
      await db.destroy()
    },
  }
}

it('[SAFE-07] the log of SQLite is taken into the file by a thread, long before a commit would', async () => {
  const log = await openLog()
  await waitFor('the log to be in the file', async () => {
    const look = log.look()
    if (!look || look.log < LONG_LOG_PAGES * 0.7) await log.write(20)
    return look && look.log < LONG_LOG_PAGES && look.checkpointed > LONG_LOG_PAGES / 2
  })
  await log.close()
  expect(await sizeOf(`${log.file}-wal`)).toBe(0)
})

it('[SAFE-07] a log to which somebody always adds begins anew all the same', async () => {
  const log = await openLog()
  for (let written = 0; written < 4 * LONG_LOG_PAGES; written += 100) {
    await log.write(100)
    await sleep(2)
  }
  expect(await sizeOf(`${log.file}-wal`)).toBeLessThan(2 * LONG_LOG_PAGES * PAGE_BYTES)
  await log.close()
})
