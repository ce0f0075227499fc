import { setTimeout as sleep } from 'node:timers/promises'
import { likenessArgs } from '@siarin/media/argv/probe'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { type StoredFile, withPinned } from '../../platform/storage/storage.ts'
import type { Likeness } from './judge-fits.ts'

/** A file whose content never changes. */
export interface KeyedFile {
  readonly key: string
  readonly file: () => Promise<Pick<StoredFile, 'pin'>>
}

const PROBE = { timeoutMs: 15_000, maxBytes: 100_000, priority: 'low' } as const
/** Somebody waits for the answer: what is not known by then is told the next time. */
const ANSWER_MS = 1_500
const MOST_KNOWN = 20_000
const MOST_WAITING = 1_000

/** What two files must have in common to follow each other; '': nobody can tell. */
export async function likenessOf(ffprobePath: string, path: string): Promise<string> {
  const options = { ...PROBE, memoryBytes: readerMemoryBytes() }
  const { code, stdout } = await runBounded(ffprobePath, likenessArgs(path), options)
  return code === 0 ? stdout.trim() : ''
}

/** The parameters of files, by which they can follow each other or not. One file is looked at, at a time, and each once. */
export function createLikenesses(ffprobePath: string) {
  const known = new Map<string, string>()
  const waiting = new Map<string, KeyedFile>()
  let working: Promise<void> | null = null

  const inspect = async ({ file }: KeyedFile): Promise<string> =>
    withPinned(await file(), (path) => likenessOf(ffprobePath, path))

  async function work(): Promise<void> {
    for (const [key, file] of waiting) {
      waiting.delete(key)
      const likeness = await inspect(file).catch(() => '')
      if (likeness === '') continue
      known.set(key, likeness)
      const [oldest] = known.keys()
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    }
    working = null
  }

  return {
    /** In the order of the files; null: there is none, or not known yet. */
    async of(files: readonly (KeyedFile | null)[], patienceMs = ANSWER_MS): Promise<Likeness[]> {
      for (const file of files) {
        if (file && !known.has(file.key) && waiting.size < MOST_WAITING) waiting.set(file.key, file)
      }
      if (waiting.size > 0) working ??= work()
      if (working) await Promise.race([working, sleep(patienceMs, undefined, { ref: false })])
      return files.map((file) => (file && known.get(file.key)) ?? null)
    },
  }
}

export type Likenesses = ReturnType<typeof createLikenesses>
