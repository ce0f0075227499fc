import { mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import { processBirth } from '../process/detached.ts'
import { placeFile, syncToDisk, writeDurably } from '../storage/durable.ts'
import { BackupError } from './backup-error.ts'
import { copySqlite, dumpPostgres } from './copy-database.ts'
import { DATABASE_FILES, describeFile, MANIFEST, type Manifest, SECRET_FILE, VIDEO_FOLDER } from './manifest.ts'

export interface BackupOrder {
  /** The folder that becomes the backup; it must not be there yet. */
  readonly to: string
  readonly dataDir: string
  /** Null: SQLite in `dataDir`. */
  readonly databaseUrl: Secret | null
  /** With which the database is sealed. */
  readonly secret: Secret
  readonly withVideos: boolean
  readonly program: string
  readonly schema: string
}

/** Names who writes it, so that what a crash left is told from what is being written. */
const OWNER = '.owner'

/** While the program runs. The folder has its name once everything is in it: what a crash leaves is called `….incomplete`. */
export async function takeBackup(order: BackupOrder): Promise<Manifest> {
  const to = resolve(order.to)
  if (await exists(to)) throw new BackupError(`${to} is there already: name a folder that is not`)
  if (!relative(join(order.dataDir, VIDEO_FOLDER), to).startsWith('..')) {
    throw new BackupError(`${to} lies among the videos: name a folder elsewhere`)
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const draft = `${to}.incomplete`
  await claim(draft)
  try {
    const manifest = await fill(draft, order)
    await rm(join(draft, OWNER))
    await rename(draft, to)
    await syncToDisk(dirname(to))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function fill(draft: string, order: BackupOrder): Promise<Manifest> {
  const { dataDir, databaseUrl, withVideos } = order
  const kind = databaseUrl ? 'postgres' : 'sqlite'
  const database = join(draft, DATABASE_FILES[kind])
  const files = new Map<string, number>()
  const collect = () => collectVideos(join(dataDir, VIDEO_FOLDER), withVideos ? join(draft, VIDEO_FOLDER) : null, files)
  // Once before and once after: what is deleted meanwhile was linked by then, and what is added meanwhile is there by then.
  await collect()
  const takenAt = new Date().toISOString()
  if (databaseUrl) await dumpPostgres(databaseUrl, database)
  else await copySqlite(join(dataDir, DATABASE_FILES.sqlite), database)
  await collect()
  await writeDurably(join(draft, SECRET_FILE), order.secret.reveal())
  const manifest: Manifest = {
    format: 1,
    program: order.program,
    schema: order.schema,
    database: { kind, ...(await describeFile(database)) },
    takenAt,
    videos: withVideos ? 'included' : 'listed',
    files: [...files].map(([path, bytes]) => ({ path, bytes })),
  }
  await writeDurably(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

/** Adds what `files` has not yet; `into`: where the files go too, or null. */
async function collectVideos(media: string, into: string | null, files: Map<string, number>): Promise<void> {
  const entries = await readdir(media, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(media, from)
    if (!entry.isFile() || files.has(path) || path.endsWith('.part')) continue
    try {
      if (into) await placeFile(from, join(into, path))
      files.set(path, (await stat(into ? join(into, path) : from)).size)
    } catch (error) {
      // Deleted meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
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
