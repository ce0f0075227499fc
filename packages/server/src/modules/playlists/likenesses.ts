import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { likenessArgs } from '@siarin/media/argv/probe'
import { createFairTurns } from '../../platform/fair-turns.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { type StoredFile, withPinned } from '../../platform/storage/storage.ts'
import { createYieldingTurns } from '../../platform/yielding-turns.ts'
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
/**
 * Owners take turns with one file each. A few files come here from a store at once, so that a large one holds nobody up; the rest of a long
 * list is looked at when it is asked for again.
 */
const LINE = { atOnce: 4, mostWaiting: 10_000, mostWaitingEach: 500 }
/** Those that are here are read one at a time, and beside it one that turned out to take long. */
const READS = {
  ...{ atOnce: 1, mostWaiting: Infinity, mostWaitingEach: Infinity },
  givesWay: { afterMs: 500, atMostAfterMs: PROBE.timeoutMs, lookEveryMs: 100 },
}

/** A mark of what two files must have in common to follow each other, since all of it is long where a file has many tracks; '': nobody can tell. */
export async function likenessOf(ffprobePath: string, path: string, signal?: AbortSignal): Promise<string> {
  const options = { ...PROBE, memoryBytes: readerMemoryBytes(), ...(signal && { signal }) }
  const { code, stdout } = await runBounded(ffprobePath, likenessArgs(path), options)
  const parameters = code === 0 ? stdout.trim() : ''
  return parameters && hash('sha256', parameters)
}

/** The parameters of files, by which they can follow each other or not. */
export function createLikenesses(ffprobePath: string) {
  const known = new Map<string, string>()
  const underWay = new Map<string, Promise<void>>()
  const inLine = createFairTurns(LINE)
  const inTurn = createYieldingTurns(READS)

  async function inspect(owner: string, { key, file }: KeyedFile): Promise<void> {
    const likeness = await withPinned(await file(), (path) =>
      inTurn(owner, (signal) => likenessOf(ffprobePath, path, signal)),
    )
    if (likeness === '') return
    known.set(key, likeness)
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  }

  function find(owner: string, file: KeyedFile): Promise<void> {
    const found = underWay.get(file.key)
    if (found) return found
    // What fails, or finds the line full, is looked at when it is asked for again.
    const begun = inLine(owner, () => inspect(owner, file))
      .catch(() => {})
      .finally(() => underWay.delete(file.key))
    underWay.set(file.key, begun)
    return begun
  }

  return {
    /** In the order of the files, which have one owner; null: there is none, or not known yet. */
    async of(owner: string, files: readonly (KeyedFile | null)[], patienceMs: number = ANSWER_MS): Promise<Likeness[]> {
      const missing = files.filter((file) => file !== null).filter(({ key }) => !known.has(key))
      if (missing.length > 0) {
        const late = sleep(patienceMs, undefined, { ref: false })
        await Promise.race([Promise.all(missing.map((file) => find(owner, file))), late])
      }
      return files.map((file) => (file && known.get(file.key)) ?? null)
    },
  }
}

export type Likenesses = ReturnType<typeof createLikenesses>
