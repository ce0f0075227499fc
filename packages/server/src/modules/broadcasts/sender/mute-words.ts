import { readFileSync } from 'node:fs'
import type { LastWords } from './progress-file.ts'

/** It speaks every second; on a busy machine a few seconds late. */
const SILENT_AFTER_MS = 5_000
/** It reads a few kilobytes at a time, which of a thin video last some seconds. */
const STILL_AFTER_MS = 10_000

/** Moves for as long as a process works; null: nobody knows. */
export type LifeSign = () => string | null

/**
 * A file is read as fast as it is sent. What comes over the network is counted nowhere, but handling it takes processor time. So does asking
 * for more of a source that stands still: who sends one has to look at the source as well.
 */
export const lifeSignOf =
  (pid: number, source: 'video' | 'online'): LifeSign =>
  () => {
    try {
      if (source === 'video') return /^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1] ?? null
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return `${fields[11]} ${fields[12]}`
    } catch {
      return null
    }
  }

/**
 * Where an ffmpeg found no room for its progress once, it never speaks again, and sends on as before. So one that is silent and still works has
 * come as much further as time has passed: it sends in real time.
 */
export function followWords(
  read: () => LastWords | null,
  sign: LifeSign,
  now: () => number = () => performance.now(),
): () => LastWords | null {
  let heard: { readonly saidAt: number; readonly at: number } | null = null
  let seen: string | null = null
  let movedAt = Number.NEGATIVE_INFINITY

  return () => {
    const words = read()
    if (!words) return null
    // The time of day of a file is compared with itself only: somebody may set the clock.
    if (heard?.saidAt !== words.saidAt) heard = { saidAt: words.saidAt, at: now() }
    const silentMs = now() - heard.at
    const { progress } = words
    if (silentMs < SILENT_AFTER_MS || progress.ended || progress.outTimeMs === null) {
      seen = null
      movedAt = Number.NEGATIVE_INFINITY
      return words
    }
    const mark = sign()
    if (seen !== null && mark !== null && mark !== seen) movedAt = now()
    seen = mark
    if (now() - movedAt > STILL_AFTER_MS) return words
    return {
      ...words,
      progress: { ...progress, outTimeMs: progress.outTimeMs + silentMs },
      agoMs: 0,
      guessedMs: silentMs,
    }
  }
}
