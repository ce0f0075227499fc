import type { Log } from '../../../platform/log.ts'
import { untilStep } from '../../../platform/repeat.ts'
import type { Claim, StreamFigures } from '../store/streams.repo.ts'

export type SampleWriter = ReturnType<typeof createSampleWriter>

interface SampleWriterDeps {
  log: Log
  /** Answers whose figures were written: not those of a stream that another worker has now. */
  write: (figures: readonly StreamFigures[]) => Promise<ReadonlySet<string>>
}

/** Writing the figures of all streams takes no more than so many rows a second, however many they are. */
const ROWS_PER_SECOND = 500
const SHORTEST_PAUSE_MS = 2_000

/** Writes the newest figures of all broadcasts together now and then: by themselves they would be the most frequent write of all. */
export function createSampleWriter({ log, write }: SampleWriterDeps) {
  const waiting = new Map<string, StreamFigures & { onFenced: () => void }>()
  let timer: NodeJS.Timeout | undefined

  async function writeAll(): Promise<void> {
    const rows = [...waiting.values()]
    waiting.clear()
    try {
      const written = rows.length > 0 ? await write(rows) : new Set()
      for (const { claim, onFenced } of rows) if (!written.has(claim.id)) onFenced()
    } catch (error) {
      // Newer ones come in a moment.
      log.warn({ err: (error as Error).message }, 'the figures of the streams could not be written')
    }
    schedule(rows.length)
  }

  function schedule(rows: number): void {
    timer = setTimeout(() => void writeAll(), untilStep(Math.max(SHORTEST_PAUSE_MS, (rows / ROWS_PER_SECOND) * 1000)))
  }

  return {
    start: () => schedule(0),
    put(figures: StreamFigures, onFenced: () => void): void {
      waiting.set(figures.claim.id, { ...figures, onFenced })
    },
    /** Its state is written by itself now, and what waits here is older. */
    drop({ id }: Claim): void {
      waiting.delete(id)
    },
    stop: () => clearTimeout(timer),
  }
}
