import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { type Progress, parseProgress } from '@siarin/media/parse/progress'

const TAIL_BYTES = 4_096
/** A block has about 250 bytes. */
const PROGRESS_TAIL_BYTES = 1_024
const PROGRESS_MAX_BYTES = 64 * 1024
const BLOCK_BYTES = 512

/** One for all: a look is over before the next begins. */
const tail = Buffer.alloc(PROGRESS_TAIL_BYTES)

export interface LastWords {
  readonly progress: Progress
  /** How long ago that was. */
  readonly agoMs: number
  /** When that was, by the time of its file: it tells one word from the next. */
  readonly saidAt: number
  /** So much of where it is was never said: it works, and so it is believed to send. */
  readonly guessedMs?: number
}

const SPEAKS_EVERY_MS = 1_000
/** One that has been silent for longer than this was stuck, and has sent nothing since. Below, its end may have been seen late. */
const STUCK_AFTER_MS = 5_000

/** How far an ffmpeg came that has just ended. */
export function lastOutTimeMs({ progress, agoMs }: Pick<LastWords, 'progress' | 'agoMs'>): number | null {
  const { outTimeMs, ended } = progress
  if (outTimeMs === null || !(outTimeMs > 0)) return null
  return ended || agoMs > STUCK_AFTER_MS ? outTimeMs : outTimeMs + Math.round(Math.min(agoMs, SPEAKS_EVERY_MS))
}

/**
 * What ffmpeg last said of itself. It lies in memory, not on a disk, and is looked at every second for every broadcast: a
 * plain call is over in microseconds, a trip through the thread pool costs twenty times as much.
 *
 * ffmpeg appends a block every second for weeks. It keeps its place in the file when we cut it, which leaves a hole that
 * takes no room; so it is the blocks that count, not the size.
 */
export function openProgress(file: string) {
  let descriptor: number | null = null
  let isClosed = false

  /** Null: nothing has been said yet, or there is no more to read. */
  function read(): LastWords | null {
    try {
      if (isClosed) return null
      descriptor ??= openSync(file, 'r+')
      const { size, blocks, mtimeMs } = fstatSync(descriptor)
      const length = Math.min(size, PROGRESS_TAIL_BYTES)
      const bytes = readSync(descriptor, tail, 0, length, size - length)
      if (blocks * BLOCK_BYTES > PROGRESS_MAX_BYTES) ftruncateSync(descriptor)
      const progress = parseProgress(tail.toString('latin1', 0, bytes))
      return progress && { progress, agoMs: Math.max(0, Date.now() - mtimeMs), saidAt: mtimeMs }
    } catch {
      return null
    }
  }

  return {
    read,
    close(): void {
      isClosed = true
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}

const ERRORS_MAX_BYTES = 256 * 1024
/** What comes in a second, or between two looks where those come sooner. Measured are 0.3 MB where 60 pictures of 68 slices each were broken. */
const FLOOD_BYTES = 2 * 1024 ** 2

/**
 * An online source can make ffmpeg complain of every packet for weeks, or write 26 MB of complaints a second, and they lie in memory: of much
 * only the end is kept. ffmpeg appends, and goes on at the new end. Each look says whether more has come since the last one than an honest
 * source brings about.
 *
 * While no program runs, nobody looks, and a flood may fill /dev/shm, which takes nobody off air. The first look of the next program cuts the
 * file and does not judge it, since it may have gathered for days; the second one does.
 */
export function watchErrors(file: string): () => boolean {
  /** How long the last look left it; null: there was none. */
  let leftBytes: number | null = null
  let lookedMs = 0

  return () => {
    // A program that was held up comes late, and much may have gathered.
    const seconds = Math.max(1, (performance.now() - lookedMs) / 1000)
    lookedMs = performance.now()
    let isFlood = false
    try {
      const { size } = statSync(file)
      isFlood = size - (leftBytes ?? size) > FLOOD_BYTES * seconds
      leftBytes = size
      if (size > ERRORS_MAX_BYTES) leftBytes = cutErrors(file, size)
    } catch {
      // Gone, since ffmpeg has ended: there is nothing to cut. Or there is no room even for its end.
    }
    return isFlood
  }
}

/** Returns how many bytes are left. */
function cutErrors(file: string, size: number): number {
  const end = Buffer.alloc(TAIL_BYTES)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, end, 0, TAIL_BYTES, size - TAIL_BYTES)
  closeSync(descriptor)
  truncateSync(file)
  const kept = end.subarray(end.indexOf('\n') + 1 || TAIL_BYTES)
  appendFileSync(file, kept)
  return kept.length
}

/** Whole lines only: of half a key nobody would know that it is one. */
export async function tailOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => null)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, TAIL_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    return size > length ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}
