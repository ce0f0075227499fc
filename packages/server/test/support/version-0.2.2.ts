import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActivityEntry } from '@siarin/contracts/activity'
import type { ActiveStream, EndedStream, StreamIncident } from '@siarin/contracts/streams'
import { Secret } from '@siarin/media/secret'
import { type ClipOptions, makeClip } from '@siarin/testkit/clips'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/platform/db/database.ts'
import { createSealer } from '../../src/platform/secrets/seal.ts'

/**
 * What version 0.2.2 left when it was killed with broadcasts on air. All of this is as it was then, whatever the version of today
 * does: only what a machine decides (folders, addresses, pids) is put in.
 */
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'upgrade-0.2.2')

export const APP_SECRET = readFileSync(join(FIXTURE, 'app-secret'), 'utf8').trim()
const sealer = createSealer(new Secret(APP_SECRET))

interface LeftProcess {
  readonly streamId: string
  /** With {run}, {data} and {target} for what a machine decides. */
  readonly args: readonly string[]
  /** What ffmpeg reads for a loop; null: it reads the video itself. */
  readonly list: string | null
  /** The slots of a loop, and what they led to. */
  readonly links: Readonly<Record<string, string>>
}

/** What the API of 0.2.2 answered just before. */
export interface Told {
  readonly processes: readonly LeftProcess[]
  readonly active: readonly ActiveStream[]
  readonly history: readonly EndedStream[]
  readonly activity: readonly ActivityEntry[]
  /** By stream, newest first. */
  readonly events: Readonly<Record<string, readonly StreamIncident[]>>
}

type DumpKind = 'sqlite' | 'postgres'

export const toldBy = async (kind: DumpKind): Promise<Told> =>
  JSON.parse(await readFile(join(FIXTURE, `${kind}.json`), 'utf8'))

const dumpOf = (kind: DumpKind): Promise<string> => readFile(join(FIXTURE, `${kind}.sql`), 'utf8')

export async function fillSqlite(file: string): Promise<void> {
  const db = new SqliteDatabase(file)
  db.exec(await dumpOf('sqlite'))
  db.close()
}

export async function fillPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(await dumpOf('postgres'))
  await client.end()
}

/** Each with a picture of its own, and as long as it was. */
const CLIPS: Readonly<Record<string, ClipOptions>> = {
  'klip.mkv': { seconds: 6 },
  'kedua.mkv': { seconds: 6, picture: 'testsrc' },
  'panjang.mp4': { seconds: 90 },
}

/** Puts the videos where their rows say that they are. */
export async function placeVideos(db: Db, dataDir: string): Promise<void> {
  const { rows } = await sql<{ filename: string; master_key: string; original_key: string }>`
    select filename, master_key, original_key from videos`.execute(db)
  for (const { filename, master_key, original_key } of rows) {
    const master = join(dataDir, 'media', master_key)
    await makeClip(master, CLIPS[filename])
    if (original_key !== master_key) await writeFile(join(dataDir, 'media', original_key), filename)
  }
}

/** Another address for a stream: the one of then is of another machine. */
export async function sendTo(db: Db, streamId: string, target: string): Promise<void> {
  const [sealed, mark] = [sealer.seal(new Secret(target)), sealer.mark(new Secret(target))]
  await sql`
    update streams set target_sealed = ${sealed}, target_mark = ${mark} where id = ${streamId}`.execute(db)
}

/** Another address for the source of a stream. */
export async function readFrom(db: Db, streamId: string, source: string): Promise<void> {
  await sql`update streams set source_sealed = ${sealer.seal(new Secret(source))} where id = ${streamId}`.execute(db)
}

export async function apiKeyOf(db: Db): Promise<string> {
  const { rows } = await sql<{ api_key_sealed: string }>`select api_key_sealed from users`.execute(db)
  return sealer.open(rows[0]?.api_key_sealed ?? '').reveal()
}

/** Starts an ffmpeg as 0.2.2 did, with the very arguments, and writes into its row which it is. Answers its pid. */
export async function startAsThen(db: Db, left: LeftProcess, at: { dataDir: string; target: string }): Promise<number> {
  const run = await runDirOf(at.dataDir)
  const directory = join(run, left.streamId)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const placed = (text: string): string =>
    text.replaceAll('{run}', run).replaceAll('{data}', at.dataDir).replaceAll('{target}', at.target)
  for (const [slot, path] of Object.entries(left.links)) await symlink(placed(path), join(directory, slot))
  if (left.list !== null) await writeFile(join(directory, 'list'), left.list)
  const errors = await open(join(directory, 'errors'), 'a', 0o600)
  const ffmpeg = process.env['FFMPEG_PATH'] || 'ffmpeg'
  const child = spawn(ffmpeg, left.args.map(placed), {
    cwd: at.dataDir,
    detached: true,
    stdio: ['ignore', 'ignore', errors.fd],
  })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  await errors.close()
  child.unref()
  const { pid = 0 } = child
  await sql`
    update streams set pid = ${pid}, pid_birth = ${birthOf(pid)} where id = ${left.streamId}`.execute(db)
  return pid
}

/** Where 0.2.2 kept what its broadcasts are at. */
async function runDirOf(dataDir: string): Promise<string> {
  const inMemory = `/dev/shm/siarin-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const made = await mkdir(inMemory, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  )
  return made ? inMemory : join(dataDir, 'run')
}

/** How 0.2.2 told a process from a later one with the same pid. */
function birthOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${started}`
}
