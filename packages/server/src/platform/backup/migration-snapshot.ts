import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import type { Log } from '../log.ts'
import { syncToDisk } from '../storage/durable.ts'
import { copySqliteWithin, dumpPostgres } from './copy-database.ts'

interface SnapshotDeps {
  readonly databaseUrl: Secret | null
  readonly dataDir: string
  /** The version of the program that is about to migrate. */
  readonly program: string
  readonly log: Log
  /** False: another machine has migrated it meanwhile. */
  readonly isUnchanged: () => Promise<boolean>
  readonly longestMs?: number
}

const KEPT = 3
/** Left free beside the snapshot: the migration itself needs room. */
const SPARE_BYTES = 64 * 1024 ** 2
/** The start waits for it, and with the start every broadcast. */
const LONGEST_MS = 300_000
/** A second machine of the same upgrade starts within this, and its copy is of no use beside the first. */
const SAME_UPGRADE_MS = 3_600_000
const NAME = /^before-.+\.(db|dump)$/

/**
 * The database as it was before a migration, for the way back to the version before. Without it the migration goes on all the same:
 * a program that does not start would take every broadcast off air.
 */
export async function snapshotBeforeMigration(deps: SnapshotDeps): Promise<void> {
  const { databaseUrl, dataDir, program, log, isUnchanged, longestMs = LONGEST_MS } = deps
  const folder = join(dataDir, 'backups')
  const file = join(folder, `before-${program}.${databaseUrl ? 'dump' : 'db'}`)
  // Machines may share the folder, and containers have the same process ids.
  const draft = `${file}.${hostname()}.${process.pid}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (await isOfThisUpgrade(file)) return
    if (databaseUrl) await dumpPostgres(databaseUrl, draft, { timeoutMs: longestMs })
    else {
      const source = join(dataDir, 'siarin.db')
      await assertRoom(folder, source)
      await copySqliteWithin(longestMs, source, draft)
    }
    if (!(await isUnchanged()) || (await isOfThisUpgrade(file))) {
      await removeDraft(draft)
      return
    }
    await rename(draft, file)
    await syncToDisk(folder)
    log.info({ file }, 'database copied before its migration')
    await keepNewest(folder)
  } catch (error) {
    await removeDraft(draft)
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'the database is migrated without a copy of how it was: make a backup before the next upgrade')
  }
}

/** With what SQLite leaves beside a copy that was broken off. */
async function removeDraft(draft: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${draft}${suffix}`, { force: true })
}

async function isOfThisUpgrade(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && found.mtimeMs > Date.now() - SAME_UPGRADE_MS
}

async function assertRoom(folder: string, database: string): Promise<void> {
  const sizes = await Promise.all([database, `${database}-wal`].map((file) => stat(file).catch(() => null)))
  const needed = sizes.reduce((sum, found) => sum + (found?.size ?? 0), SPARE_BYTES)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed) throw new Error(`not enough room on the disk: ${needed} bytes are needed`)
}

async function keepNewest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name))
  const found = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  found.sort((one, other) => other.at - one.at)
  for (const { name } of found.slice(KEPT)) await rm(join(folder, name), { force: true })
}
