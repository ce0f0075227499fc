import type { Clock } from '../../platform/clock.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import type { Cutter } from './cutter.ts'
import { createGrowing, type InOwnersTurn } from './growing.ts'
import { bodiesOf, EMPTY_LINE, type Line, type LineDraft, storedLineOf, withCuts } from './line.ts'
import { type LineReader, lineStart, type Stretch } from './line-reader.ts'
import type { LinesRepo } from './lines.repo.ts'
import type { RecordingRow } from './recordings.repo.ts'
import { MOST_SLICES, type Played, sliceCount, upToSlices } from './slices.ts'

interface LinesDeps {
  readonly reader: LineReader
  readonly cutter: Cutter
  readonly repo: LinesRepo
  readonly steps: SmallSteps
  readonly inTurn: InOwnersTurn
  readonly clock: Clock
}

/** After that long nobody adds to what was sent. */
const SURELY_OVER_MS = 600_000
/** Characters of those that are being made. */
const MOST_GROWING = 32 * 1024 ** 2
const AT_ONCE = 200

export type Lines = ReturnType<typeof createLines>

/** Recordings as they are played. That of one that has ended is worked out once, and kept. */
export function createLines({ reader, cutter, repo, steps, inTurn, clock }: LinesDeps) {
  const shared = createSharedWork<Line>()

  async function withPlayed(
    row: RecordingRow,
    draft: LineDraft,
    played: readonly Played[],
    signal: AbortSignal,
  ): Promise<LineDraft> {
    const step = steps.of(row.user_id)
    const cuts = await cutter.cut(played, { owner: row.user_id, step, signal })
    let made = draft
    for (let from = 0; from < cuts.length; from += AT_ONCE) {
      await step(signal)
      made = withCuts(made, cuts.slice(from, from + AT_ONCE))
    }
    return made
  }

  const growing = createGrowing<LineDraft>({
    ...{ reader, inTurn, empty: EMPTY_LINE, mostWeight: MOST_GROWING, until: reader.toldUntil },
    weightOf: ({ bodies }) => 10_000 + bodies.reduce((sum, { length }) => sum + length, 0),
    async add(row, draft, stretches, signal) {
      const step = steps.of(row.user_id)
      const played: Played[] = []
      let { slices } = draft
      for (let from = 0; from < stretches.length && slices < MOST_SLICES; from += AT_ONCE) {
        await step(signal)
        slices += addPlayed(played, stretches.slice(from, from + AT_ONCE), slices)
      }
      return withPlayed(row, draft, played, signal)
    },
  })

  /** All of it before any file is asked: each file is then asked once. */
  async function workOut(row: RecordingRow, signal: AbortSignal): Promise<Line> {
    const played: Played[] = []
    let slices = 0
    let isOver = true
    const stretches = reader.read({ row, place: lineStart(row), toAt: row.to_at, signal })
    for (;;) {
      const { done, value } = await stretches.next()
      if (done) isOver = value.isOver
      if (done || slices >= MOST_SLICES) break
      slices += addPlayed(played, value, slices)
    }
    const draft = await withPlayed(row, EMPTY_LINE, played, signal)
    const line = lineOf(draft)
    if (isOver || clock.now() - (row.to_at ?? 0) > SURELY_OVER_MS) await keep(row, draft, signal)
    return line
  }

  async function keep({ id, user_id }: RecordingRow, draft: LineDraft, signal: AbortSignal): Promise<void> {
    const step = steps.of(user_id)
    for (const [number, body] of bodiesOf(draft).entries()) {
      await step(signal)
      await repo.keepChunk(id, number, body)
    }
    await repo.keepLine(id, storedLineOf(draft))
  }

  return {
    async of(row: RecordingRow, signal?: AbortSignal): Promise<Line> {
      if (row.to_at === null) return lineOf(await growing.of(row, signal))
      const known = await repo.lineOf(row.id)
      if (known) return known
      return shared(row.id, (gone) => inTurn(row.user_id, (wanted) => workOut(row, wanted), gone), signal)
    },
    forget: growing.forget,
  }
}

function lineOf(draft: LineDraft): Line {
  const bodies = bodiesOf(draft)
  return { ...storedLineOf(draft), bodyOf: async (number) => bodies[number] ?? '' }
}

/** As far as a recording is played; `slices`: what it has already. Returns how many come to that. */
function addPlayed(played: Played[], stretches: readonly Stretch[], slices: number): number {
  let added = 0
  for (const { piece, skippedMs, ms } of stretches) {
    const { key, tailKey, list, looping, fromMs } = piece
    if (!list) continue
    const left = MOST_SLICES - slices - added
    if (left <= 0) break
    const each = upToSlices({ clip: { key, tailKey, list, looping }, fromMs: fromMs + skippedMs, ms }, left)
    added += sliceCount(each)
    played.push(each)
  }
  return added
}
