import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createCheckpoints, LONG_LOG_PAGES } from '../src/platform/db/checkpoints.ts'
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

it('[SAFE-07] however slow a disk is: the thread does one pass at a time, and leaves a long log to the commits', async () => {
  const folder = await tempDir('checkpoints')
  onTestFinished(() => folder.remove())
  const file = join(folder.path, 'siarin.db')
  const writer = new SqliteDatabase(file)
  writer.exec('pragma journal_mode = WAL; create table t (a integer primary key, b text)')
  const slow = { passes: 0, isTaking: false }
  const checkpoints = createCheckpoints(writer, file, () => ({
    take: () => {
      slow.passes += 1
      slow.isTaking = true
    },
    isTaking: () => slow.isTaking,
    stop: async () => {},
  }))
  const reader = new SqliteDatabase(file)
  reader.exec('begin; select * from t')
  const insert = writer.prepare('insert into t (b) values (?)')
  const lookAt = async (pages: number): Promise<number> => {
    while (Number((await stat(`${file}-wal`)).size) < pages * PAGE_BYTES) insert.run('x'.repeat(PAGE_BYTES))
    // Only now: a look that was due meanwhile would find the log on its way there.
    slow.isTaking = false
    for (let look = 0; look < 5; look += 1) {
      insert.run('x')
      checkpoints.noteWrite()
      await sleep(120)
    }
    return slow.passes
  }
  expect(await lookAt(LONG_LOG_PAGES * 0.8)).toBe(1)
  expect(await lookAt(LONG_LOG_PAGES * 0.85)).toBe(2)
  expect(await lookAt(LONG_LOG_PAGES * 3)).toBe(2)

  reader.close()
  insert.run('x')
  insert.run('the log starts over')
  expect(await sizeOf(`${file}-wal`)).toBeLessThan(2 * LONG_LOG_PAGES * PAGE_BYTES)
  await checkpoints.stop()
  writer.close()
})
