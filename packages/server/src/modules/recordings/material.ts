import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { FileGoneError } from './file-facts.ts'
import { createGrowing, type InOwnersTurn } from './growing.ts'
import { type LineReader, lineStart, type Stretch } from './line-reader.ts'
import type { LinesRepo } from './lines.repo.ts'
import { foldParts, type Part } from './parts.ts'
import type { RecordingFile, RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { EMPTY_SUMMARY, type Summary, withFiles, withStretches } from './summary.ts'

interface MaterialDeps {
  readonly reader: LineReader
  readonly repo: Pick<RecordingsRepo, 'filesAfter'>
  readonly lines: Pick<LinesRepo, 'partsOf' | 'keepParts'>
  readonly storage: Pick<Storage, 'head'>
  readonly steps: SmallSteps
  readonly inTurn: InOwnersTurn
}

const FILES_AT_ONCE = 250
const STRETCHES_AT_ONCE = 200
const MOST_GROWING = 500

export type Material = ReturnType<typeof createMaterial>

/** A recording as it is now: what was sent of which files, or the files that were written. */
export function createMaterial({ reader, repo, lines, storage, steps, inTurn }: MaterialDeps) {
  async function add(row: RecordingRow, before: Summary, stretches: readonly Stretch[], signal: AbortSignal) {
    const step = steps.of(row.user_id)
    const sizeOf = sizesOf(storage)
    let summary = before
    for (let from = 0; from < stretches.length; from += STRETCHES_AT_ONCE) {
      await step(signal)
      summary = await withStretches(summary, stretches.slice(from, from + STRETCHES_AT_ONCE), sizeOf)
    }
    return summary
  }
  const shared = createSharedWork<Part[]>()
  const growing = createGrowing<Summary>({ reader, inTurn, add, empty: EMPTY_SUMMARY, mostWeight: MOST_GROWING })

  /** The files of an online source, page by page. */
  async function* filesOf({ id, user_id }: RecordingRow, signal?: AbortSignal): AsyncGenerator<RecordingFile[]> {
    const step = steps.of(user_id)
    for (let after = -1; ; ) {
      await step(signal)
      const files = await repo.filesAfter(id, after, FILES_AT_ONCE)
      const last = files.at(-1)
      if (last) yield files
      if (!last || files.length < FILES_AT_ONCE) return
      after = last.number
    }
  }

  async function filesSummary(row: RecordingRow, signal?: AbortSignal): Promise<Summary> {
    let summary = EMPTY_SUMMARY
    for await (const files of filesOf(row, signal)) summary = withFiles(summary, files)
    return summary
  }

  /** `toAt`: where it ends; null: with all that was sent. */
  async function summaryOf(row: RecordingRow, toAt: number | null, signal?: AbortSignal): Promise<Summary> {
    if (row.online === 1) return filesSummary(row, signal)
    let summary = EMPTY_SUMMARY
    const sizeOf = sizesOf(storage)
    for await (const stretches of reader.read({ row, place: lineStart(row), toAt, signal })) {
      summary = await withStretches(summary, stretches, sizeOf)
    }
    return summary
  }

  /** As far as one is that is being made. */
  const soFar = (row: RecordingRow, signal?: AbortSignal): Promise<Summary> =>
    row.online === 1 ? filesSummary(row, signal) : growing.of(row, signal)

  /** Earlier versions kept none when they ended a recording. */
  async function workOutParts(row: RecordingRow, signal: AbortSignal): Promise<Part[]> {
    const parts = foldParts((await summaryOf(row, row.to_at, signal)).parts)
    await lines.keepParts(row.id, parts)
    return parts
  }

  return {
    filesOf,
    summaryOf,
    soFar,
    async partsOf(row: RecordingRow, signal?: AbortSignal): Promise<Part[]> {
      if (row.to_at === null) return foldParts((await soFar(row, signal)).parts)
      const known = await lines.partsOf(row.id)
      if (known) return known
      return shared(row.id, (gone) => inTurn(row.user_id, (wanted) => workOutParts(row, wanted), gone), signal)
    },
    /** What was sent first; null: nothing was. */
    async firstOf(row: RecordingRow): Promise<Stretch | null> {
      for await (const [first] of reader.read({ row, place: lineStart(row), toAt: row.to_at })) return first ?? null
      return null
    },
    forget: growing.forget,
  }
}

/** Each file is asked for once. What is not there has no size. */
function sizesOf(storage: Pick<Storage, 'head'>): (key: string) => number | Promise<number> {
  const sizes = new Map<string, number>()
  return (key) =>
    sizes.get(key) ??
    storage
      .head(key)
      .catch(() => null)
      .then((facts) => {
        sizes.set(key, facts?.bytes ?? 0)
        return facts?.bytes ?? 0
      })
}

export const gone = (cause?: unknown): DomainError => new DomainError('not_found', RECORDING_TEXTS.gone, { cause })

export function asGone(error: unknown): never {
  throw error instanceof FileGoneError ? gone(error) : error
}
