import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { LivesRepo } from './lives.repo.ts'
import type { RollUp } from './roll-up.ts'
import { SLOT_MS, type StreamFigure, sampleOf, slotOf } from './sample-rules.ts'
import type { SamplesRepo } from './samples.repo.ts'

export interface SamplerDeps {
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly samples: Pick<SamplesRepo, 'write'>
  readonly lives: Pick<LivesRepo, 'numbersOf'>
  readonly rollUp: RollUp
  /** How the streams of this worker fare now. */
  readonly takeFigures: () => readonly StreamFigure[]
  /** False: the disk is full, and what is left is for broadcasts. */
  readonly hasDiskRoom: () => boolean
  readonly timings: { readonly rollUpMs: number; readonly clearMs: number }
}

/** Away from the edge, so that a timer that comes a little early does not meet the same five seconds twice. */
const INTO_SLOT_MS = 500
const COMPLAIN_AGAIN_MS = 60_000

/**
 * Writes the figures of all streams together every five seconds. A database that is slow or locked loses samples and delays nobody: one
 * write at a time, and what was taken meanwhile is dropped.
 */
export function createSampler(deps: SamplerDeps) {
  const { clock, trust, log, samples, lives, rollUp, takeFigures, hasDiskRoom, timings } = deps
  let numbers = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | null = null
  let complainedAt = Number.NEGATIVE_INFINITY
  /** There may be samples that are not rolled up yet, also from an earlier run. */
  let hasNew = true
  let clearedAt = Number.NEGATIVE_INFINITY
  let isStopping = false
  const isOver = (): boolean => isStopping
  let end = async () => {}

  /** A stream that is not known yet is known at its next sample. */
  async function numbersFor(figures: readonly StreamFigure[]): Promise<Map<string, number>> {
    const known = new Map<string, number>()
    const missing: string[] = []
    for (const { streamId } of figures) {
      const number = numbers.get(streamId)
      if (number === undefined) missing.push(streamId)
      else known.set(streamId, number)
    }
    if (missing.length > 0)
      for (const [id, number] of await lives.numbersOf(missing, clock.now())) known.set(id, number)
    return known
  }

  async function write(figures: readonly StreamFigure[], at: number): Promise<void> {
    numbers = await numbersFor(figures)
    const rows = figures.flatMap((figure) => {
      const streamNo = numbers.get(figure.streamId)
      return streamNo === undefined ? [] : [{ ...sampleOf(figure, at), streamNo }]
    })
    if (rows.length === 0) return
    await samples.write(rows)
    hasNew = true
  }

  function complain(error: unknown): void {
    if (performance.now() - complainedAt < COMPLAIN_AGAIN_MS) return
    complainedAt = performance.now()
    log.warn({ err: (error as Error).message }, 'samples of the streams were dropped')
  }

  function tick(): void {
    schedule()
    const figures = takeFigures()
    if (writing || figures.length === 0 || !hasDiskRoom()) return
    writing = write(figures, slotOf(clock.now()))
      .catch(complain)
      .finally(() => {
        writing = null
      })
  }

  function schedule(): void {
    const now = clock.now()
    const next = (slotOf(now - INTO_SLOT_MS) + 1) * SLOT_MS + INTO_SLOT_MS
    timer = setTimeout(tick, Math.min(SLOT_MS, Math.max(1, next - now)))
    timer.unref()
  }

  function keepNew(error: unknown): never {
    hasNew = true
    throw error
  }

  async function round(): Promise<void> {
    if (!hasDiskRoom()) return
    if (hasNew) {
      hasNew = false
      hasNew = (await rollUp.rollUp(isOver).catch(keepNew)) || hasNew
    }
    if (isStopping || performance.now() - clearedAt < timings.clearMs || !(await trust()).isSure) return
    await rollUp.clear(isOver)
    clearedAt = performance.now()
  }

  return {
    start(): void {
      schedule()
      const complaint = 'samples could not be rolled up'
      end = repeat({ firstAfterMs: timings.rollUpMs, everyMs: timings.rollUpMs, log, complaint, work: round })
    },
    /** Waits for the statement that runs, not for the rest of its round. */
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await writing
      await end()
    },
  }
}
