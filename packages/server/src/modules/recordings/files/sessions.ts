import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PIECE_LIST } from '@siarin/media/argv/record'
import type { Clock } from '../../../platform/clock.ts'
import { msSinceBirth, processBirth } from '../../../platform/process/detached.ts'
import { formerWorkerId } from '../../../platform/worker-id.ts'
import { type PieceFile, parsePieceList } from './piece-list.ts'

/** One ffmpeg's folder of pieces. */
export interface RecordedSession {
  readonly streamId: string
  readonly folder: string
  /** By the clock of the wall. */
  readonly startedAt: number
  /** Nobody wants any more of it. */
  readonly isOff: boolean
}

export interface SessionContents {
  readonly isRunning: boolean
  /** For how long it has been written to, at most. */
  readonly seconds: number
  /** It has far more pieces than that allows. They are not looked at. */
  readonly isFlooded: boolean
  readonly files: readonly PieceFile[]
  readonly listed: ReturnType<typeof parsePieceList>
}

export const RECORDED_FOLDER = 'recording'
const PROCESS = 'process'
const SESSION = /^(\d{10,16})(\.off)?$/
const PIECE = /^\d{6,9}\.ts$/
/** A disk that hangs must not keep a broadcast off air. */
const OPENED_WITHIN_MS = 2_000
/** Without a word of its process: ffmpeg writes every 256 KiB, and at the end of a piece. */
const TOUCHED_MS = 60_000
/** A source may flap faster than the torn pieces of its stream are taken, and others need the disk too. */
const MOST_SESSIONS = 500
/** For sessions of another machine that shares the folder, or had another name. */
const ABANDONED_MS = 300_000
const LEAST_TAIL_BYTES = 64 * 1024
const LINE_BYTES = 64
/** As many times the pieces that its time has room for, and some more for sessions that have just begun. */
const FLOODED = { times: 3, more: 100 }
/** At a time: others need the disk too. */
const MOST_DROPPED = 1_000
/** The folder, the list and the newest pieces say when one was written to. */
const MOST_TOUCHED = 100

const entriesOf = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })

/**
 * Where the ffmpegs of this machine write what they send: `recording/<worker>/<stream>/<when it began>/`. A folder outlives the program
 * and the ffmpeg; it goes once all of its pieces are stored.
 */
export function createRecordedSessions({ dataDir, clock, worker }: { dataDir: string; clock: Clock; worker: string }) {
  // What an ffmpeg of the version before still writes to is this machine's own, and stays where it is.
  const ownNames = new Set([worker, formerWorkerId().replace(/[^\w.-]|^\W/g, '_')])
  const pathOf = (...parts: string[]): string => join(dataDir, RECORDED_FOLDER, ...parts)

  async function sessionsOf(host: string): Promise<RecordedSession[]> {
    const found: RecordedSession[] = []
    for (const streamId of await entriesOf(pathOf(host))) {
      for (const name of (await entriesOf(pathOf(host, streamId))).toSorted()) {
        const [, startedAt, off] = SESSION.exec(name) ?? []
        if (startedAt === undefined) continue
        const folder = pathOf(host, streamId, name)
        found.push({ streamId, folder, startedAt: Number(startedAt), isOff: off !== undefined })
      }
    }
    return found
  }

  /** Only one machine can: a folder is renamed once. */
  async function takeOver(): Promise<void> {
    for (const host of await entriesOf(pathOf())) {
      if (ownNames.has(host)) continue
      for (const { streamId, folder } of await sessionsOf(host)) {
        if (Date.now() - (await lastTouched(folder)) < ABANDONED_MS) continue
        await mkdir(pathOf(worker, streamId), { recursive: true, mode: 0o700 })
        await rename(folder, pathOf(worker, streamId, folder.slice(dirname(folder).length + 1))).catch(() => {})
        await rmdir(dirname(folder)).catch(() => {})
      }
      await rmdir(pathOf(host)).catch(() => {})
    }
  }

  /** False: too many wait to be taken. */
  async function make(folder: string): Promise<boolean> {
    if ((await entriesOf(dirname(folder))).length >= MOST_SESSIONS) return false
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return true
  }

  return {
    /** For the next ffmpeg of a stream. Null: the disk does not answer, or too many wait to be taken. */
    async open(streamId: string, pieceSeconds: number) {
      const relative = [RECORDED_FOLDER, worker, streamId, String(clock.now())].join('/')
      const folder = join(dataDir, relative)
      const isMade = make(folder)
      const late = sleep(OPENED_WITHIN_MS, false, { ref: false })
      if (!(await Promise.race([isMade, late]))) {
        isMade.catch(() => {})
        return null
      }
      return {
        folder: relative,
        pieceSeconds,
        noteProcess({ pid, birth }: { pid: number; birth: string }): void {
          // Without it the session counts as running for as long as it is written to.
          writeFile(join(folder, PROCESS), `${pid} ${birth}`).catch(() => {})
        },
      }
    },

    async list(): Promise<RecordedSession[]> {
      await takeOver()
      return (await Promise.all([...ownNames].map(sessionsOf))).flat()
    },

    read: (session: RecordedSession, pieceSeconds: number) => readSession(session, pieceSeconds, clock),
    switchOff,

    /** The piece that is open grows until its next key frame, which may never come. Those before it go. */
    async empty({ folder }: RecordedSession): Promise<void> {
      const names = piecesOf(await entriesOf(folder)).toSorted(
        (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
      )
      const newest = names.pop()
      if (newest !== undefined) await truncate(join(folder, newest))
      await dropSome(folder, names)
    },

    /** A part of it where it has thousands of pieces; the others go with the next looks, unread. */
    async remove(session: RecordedSession): Promise<void> {
      const { folder, isOff } = session
      if (!(await dropSome(folder, piecesOf(await entriesOf(folder))))) return isOff ? undefined : switchOff(session)
      await rm(folder, { recursive: true, force: true })
      await rmdir(dirname(folder)).catch(() => {})
    },
  }
}

async function readSession(
  { folder, startedAt }: RecordedSession,
  pieceSeconds: number,
  clock: Clock,
): Promise<SessionContents> {
  const names = piecesOf(await entriesOf(folder))
  const note = await noteOf(folder)
  // Before its files are looked at: what one that is gone has left does not change any more.
  const isRunning = await isWrittenTo(folder, note)
  // By the clock that says most, as somebody may have set the one of the wall.
  const listedAt = (await stat(join(folder, PIECE_LIST)).catch(() => null))?.mtimeMs ?? 0
  const seconds = Math.max(clock.now() - startedAt, listedAt - startedAt, msSinceBirth(note.birth) ?? 0) / 1000
  const isFlooded = names.length > (seconds / pieceSeconds) * FLOODED.times + FLOODED.more
  const found = { isRunning, seconds, isFlooded }
  if (isFlooded) return { ...found, files: [], listed: new Map() }
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await sizeOf(join(folder, name)) })))
  const tailBytes = Math.max(LEAST_TAIL_BYTES, files.length * LINE_BYTES)
  return { ...found, files, listed: parsePieceList(await tailOf(join(folder, PIECE_LIST), tailBytes)) }
}

const piecesOf = (names: readonly string[]): string[] => names.filter((name) => PIECE.test(name))

/** One by one: thousands at once would hold up all else that waits for a disk. False: there are more. */
async function dropSome(folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names.slice(0, MOST_DROPPED)) await rm(join(folder, name), { force: true })
  return names.length <= MOST_DROPPED
}

/** Its ffmpeg finds no folder for the next piece, and goes on without a recorder. */
const switchOff = ({ folder }: RecordedSession): Promise<void> => rename(folder, `${folder}.off`)

/** 0 where the piece has been stored since its name was read. */
const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return found?.isFile() ? found.size : 0
}

async function noteOf(folder: string): Promise<{ pid: string; birth: string }> {
  const note = await readFile(join(folder, PROCESS), 'utf8').catch(() => '')
  const [pid = '', birth = ''] = note.split(' ')
  return { pid, birth }
}

async function isWrittenTo(folder: string, { pid, birth }: { pid: string; birth: string }): Promise<boolean> {
  if (birth !== '') return processBirth(Number(pid)) === birth
  return Date.now() - (await lastTouched(folder)) < TOUCHED_MS
}

async function lastTouched(folder: string): Promise<number> {
  const newest = (await entriesOf(folder)).toSorted().slice(-MOST_TOUCHED)
  const paths = [folder, ...newest.map((name) => join(folder, name))]
  const times = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => null))?.mtimeMs ?? 0))
  return Math.max(...times)
}

async function tailOf(path: string, bytes: number): Promise<string> {
  const file = await open(path).catch(() => null)
  if (!file) return ''
  try {
    const { size } = await file.stat()
    const length = Math.min(size, bytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
