import { mkdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import { processBirth } from '../process/detached.ts'
import { syncToDisk, writeDurably } from '../storage/durable.ts'
import { BackupError } from './backup-error.ts'
import { copySqlite, dumpPostgres } from './copy-database.ts'
import { keysOfCopy } from './file-keys.ts'
import { DATABASE_FILES, describeFile, MANIFEST, type Manifest, SECRET_FILE, VIDEO_FOLDER } from './manifest.ts'
import { createVideoCollector } from './video-files.ts'

export interface BackupOrder {
  /** The folder that becomes the backup; it must not be there yet. */
  readonly to: string
  readonly dataDir: string
  /** Null: SQLite in `dataDir`. */
  readonly databaseUrl: Secret | null
  /** With which the database is sealed at the moment of the call. */
  readonly secret: () => Promise<Secret>
  /** The files that the database names at the moment of the call. */
  readonly namedFiles: () => Promise<ReadonlySet<string>>
  readonly withVideos: boolean
  /** The bucket of a store that keeps the videos: they stay there. Left out: they lie in `dataDir`. */
  readonly bucket?: string | undefined
  readonly program: string
  readonly schema: string
}

export interface TakenBackup {
  readonly manifest: Manifest
  /** Files that the database names and that the server itself does not have. */
  readonly missing: readonly string[]
}

/** Names who writes it, so that what a crash left is told from what is being written. */
const OWNER = '.owner'

/** While the program runs. The folder has its name once everything is in it: what a crash leaves is called `….incomplete`. */
export async function takeBackup(order: BackupOrder): Promise<TakenBackup> {
  const to = resolve(order.to)
  if (await exists(to)) throw new BackupError(`${to} is there already: name a folder that is not`)
  if (!relative(join(order.dataDir, VIDEO_FOLDER), to).startsWith('..')) {
    throw new BackupError(`${to} lies among the videos: name a folder elsewhere`)
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const draft = `${to}.incomplete`
  await claim(draft)
  try {
    const taken = await fill(draft, order)
    await rm(join(draft, OWNER))
    await rename(draft, to)
    await syncToDisk(dirname(to))
    return taken
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function fill(draft: string, order: BackupOrder): Promise<TakenBackup> {
  const { dataDir, databaseUrl, bucket } = order
  const withVideos = order.withVideos && bucket === undefined
  const kind = databaseUrl ? 'postgres' : 'sqlite'
  const database = join(draft, DATABASE_FILES[kind])
  const videos = createVideoCollector(dataDir, withVideos ? join(draft, VIDEO_FOLDER) : null)
  const secret = await order.secret()
  const collectAll = async (): Promise<void> => {
    // What still lies in the folder was copied to the store before, and is not what the server plays.
    if (bucket === undefined) await videos.collectAll()
  }
  // Once before and once after: what is deleted meanwhile was linked by then, and what is added meanwhile is there by then.
  await collectAll()
  const takenAt = new Date().toISOString()
  if (databaseUrl) await dumpPostgres(databaseUrl, database)
  else await copySqlite(join(dataDir, DATABASE_FILES.sqlite), database)
  await collectAll()
  const missing = bucket === undefined ? await collectMissing(await keysOfCopy(kind, database), videos, order) : []
  if (!secret.equals(await order.secret())) throw new BackupError('the secret was changed meanwhile: call it again')
  await writeDurably(join(draft, SECRET_FILE), secret.reveal())
  const manifest: Manifest = {
    format: 1,
    program: order.program,
    schema: order.schema,
    database: { kind, ...(await describeFile(database)) },
    takenAt,
    videos: withVideos ? 'included' : 'listed',
    ...(bucket !== undefined && { bucket }),
    files: [...videos.files].map(([path, bytes]) => ({ path, bytes })),
  }
  await writeDurably(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
  return { manifest, missing }
}

/** Whatever the copied database names has to be there, but for what was deleted since it was copied. */
async function collectMissing(
  keys: ReadonlySet<string>,
  { files, collect }: ReturnType<typeof createVideoCollector>,
  { dataDir, withVideos, namedFiles }: BackupOrder,
): Promise<string[]> {
  const absent: string[] = []
  for (const key of keys) if (!files.has(key) && !(await collect(key))) absent.push(key)
  if (absent.length === 0) return []
  const named = await namedFiles()
  const missing = absent.filter((key) => named.has(key))
  if (withVideos && files.size === 0 && missing.length > 0) {
    const folder = join(dataDir, VIDEO_FOLDER)
    throw new BackupError(
      `${folder} has none of the ${missing.length} video files of the database. Set DATA_DIR to the server's folder, or call it --without-videos`,
    )
  }
  return missing
}

async function claim(draft: string): Promise<void> {
  const [pid = '', birth] = (await readlink(join(draft, OWNER)).catch(() => '')).split(' ')
  if (birth && birth === processBirth(Number(pid))) {
    throw new BackupError(`${draft} is being written by another backup (process ${pid})`)
  }
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await symlink(`${process.pid} ${processBirth(process.pid)}`, join(draft, OWNER))
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
