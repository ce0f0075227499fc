import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Secret } from '@siarin/media/secret'
import SqliteDatabase from 'better-sqlite3'
import { BootError } from '../../errors.ts'
import { giveDataToOwner, prepareDataDir } from '../data-dir.ts'
import { ownerToServe } from '../ownership.ts'
import { lockFolder } from '../process/folder-lock.ts'
import { placeFile, syncToDisk, writeDurably } from '../storage/durable.ts'
import { BackupError } from './backup-error.ts'
import { fillPostgres } from './copy-database.ts'
import { DATABASE_FILES, type Manifest, missingFiles, readBackup, SECRET_FILE, VIDEO_FOLDER } from './manifest.ts'
import { pauseStatements } from './pause-broadcasts.ts'

export interface RestoreOrder {
  readonly from: string
  readonly dataDir: string
  /** Null: SQLite in `dataDir`. */
  readonly databaseUrl: Secret | null
  /** APP_SECRET where it is set. */
  readonly appSecret: Secret | null
  /** Whether this program can run, or migrate, a database of that schema. */
  readonly knowsSchema: (schema: string) => boolean
  /** Whether the database that DATABASE_URL names has tables. */
  readonly hasTables: () => Promise<boolean>
  /** The mark that a whole restore leaves in that database; null: nothing. */
  readonly restoreSeal: () => Promise<string | null>
  /** The code that is written into the rows of broadcasts that were wanted. */
  readonly pausedFor: string
}

export interface Restored {
  readonly manifest: Manifest
  /** Where a backup only lists its videos: those that do not lie in `dataDir` yet. */
  readonly missing: readonly string[]
}

/** There from the first change to the last: a folder that has it is half a restore, and no program starts on it. */
const MARK = 'restoring'

export async function assertRestored(dataDir: string): Promise<void> {
  const from = await readFile(join(dataDir, MARK), 'utf8').catch(() => null)
  if (from === null) return
  throw new BootError([
    `DATA_DIR ${dataDir} is half restored. Run this again: npm run siarin -- restore ${from.trim()}`,
  ])
}

/** Into an empty folder and database, which no program uses. What was on air has ended there, so that nothing is sent twice. */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { dataDir, databaseUrl } = order
  const from = resolve(order.from)
  const manifest = await readBackup(from)
  assertFits(manifest, order)
  const secret = new Secret((await readFile(join(from, SECRET_FILE), 'utf8')).trim())
  if (order.appSecret && !order.appSecret.equals(secret)) {
    throw new BackupError(
      "APP_SECRET is set and is not the backup's. Leave it empty, or set it to that of the original",
    )
  }
  await prepareDataDir(dataDir)
  const lock = await lockFolder(dataDir)
  try {
    const isHalf = (await readdir(dataDir)).includes(MARK)
    if (!isHalf) await assertEmpty(dataDir, manifest)
    // Broken off between its last row and the end of its mark.
    const isFilled = isHalf && databaseUrl !== null && (await order.restoreSeal()) === sealOf(manifest)
    if (databaseUrl && !isFilled && (await order.hasTables())) {
      throw new BackupError('the database of DATABASE_URL is not empty. Create another one, and name that')
    }
    await writeDurably(join(dataDir, MARK), `${from}\n`)
    if (!order.appSecret) await writeDurably(join(dataDir, SECRET_FILE), secret.reveal())
    if (manifest.videos === 'included') await placeVideos(from, dataDir, manifest)
    if (!isFilled) await fillDatabase(from, manifest, order)
    await giveDataToOwner(dataDir)
    await rm(join(dataDir, MARK))
    await syncToDisk(dataDir)
  } finally {
    await lock.release()
  }
  return {
    manifest,
    missing: manifest.videos === 'listed' ? await missingFiles(join(dataDir, VIDEO_FOLDER), manifest.files) : [],
  }
}

/** Written in the transaction of the rows: a database that has it holds all of this backup. */
const sealOf = ({ takenAt, database }: Manifest): string => `restored ${takenAt} ${database.sha256}`

function assertFits(manifest: Manifest, { databaseUrl, knowsSchema }: RestoreOrder): void {
  if (!knowsSchema(manifest.schema)) {
    throw new BackupError(`the backup is of version ${manifest.program}, which is newer. Use that version`)
  }
  if (manifest.database.kind === 'sqlite' && databaseUrl) {
    throw new BackupError('the backup is of SQLite: restore it without DATABASE_URL')
  }
  if (manifest.database.kind === 'postgres' && !databaseUrl) {
    throw new BackupError('the backup is of PostgreSQL: set DATABASE_URL to an empty database')
  }
}

/** Nothing is ever written over. Videos that a backup only lists may have been brought before. */
async function assertEmpty(dataDir: string, { videos }: Manifest): Promise<void> {
  const inside = await readdir(dataDir)
  const media = await readdir(join(dataDir, VIDEO_FOLDER))
  const isOurs = (name: string) => /^worker-.*\.lock$/.test(name) || name === 'lost+found' || name === VIDEO_FOLDER
  const found = inside.find((name) => !isOurs(name)) ?? (videos === 'included' ? media[0] : undefined)
  if (found === undefined) return
  throw new BackupError(`DATA_DIR ${dataDir} is not empty (${found}). Name a new folder, or move that one away first`)
}

async function placeVideos(from: string, dataDir: string, { files }: Manifest): Promise<void> {
  const owner = await ownerToServe(dataDir)
  for (const { path } of files) {
    const [source, to] = [join(from, VIDEO_FOLDER, path), join(dataDir, VIDEO_FOLDER, path)]
    // An earlier try may have come thus far.
    await rm(to, { force: true })
    // One inode has one owner: a link would keep the backup's, or the backup would get another.
    await placeFile(source, to, { copied: owner !== null && (await stat(source)).uid !== owner.uid })
  }
}

async function fillDatabase(from: string, manifest: Manifest, { dataDir, databaseUrl, pausedFor }: RestoreOrder) {
  const source = join(from, DATABASE_FILES[manifest.database.kind])
  const { takenAt, schema } = manifest
  const statements = pauseStatements({ takenAt: Date.parse(takenAt), schema, cause: pausedFor })
  const draft = join(dataDir, `${DATABASE_FILES.sqlite}.${MARK}`)
  try {
    if (databaseUrl) {
      // pg_restore's script leaves no search path behind.
      const seal = `comment on table kysely_migration is '${sealOf(manifest)}';\n`
      await writeFile(draft, `reset search_path;\n${statements}${seal}`, { mode: 0o600 })
      await fillPostgres(databaseUrl, source, draft)
    } else {
      await copyFile(source, draft)
      pauseIn(draft, statements)
      await syncToDisk(draft)
      await rename(draft, join(dataDir, DATABASE_FILES.sqlite))
      await syncToDisk(dataDir)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

function pauseIn(file: string, statements: string): void {
  const db = new SqliteDatabase(file)
  try {
    db.pragma('journal_mode = DELETE')
    db.exec(`begin immediate;\n${statements}commit;`)
  } finally {
    db.close()
  }
}
