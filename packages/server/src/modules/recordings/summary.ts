import type { Stretch } from './line-reader.ts'
import { foldParts, MOST_PARTS, type Part, withStretch } from './parts.ts'
import type { RecordingFile } from './recordings.repo.ts'

/** What a recording is, as far as it has been gone through. */
export interface Summary {
  readonly ms: number
  readonly bytes: number
  readonly interruptions: number
  readonly videoIds: ReadonlySet<string>
  /** When its last moment was sent; null: nothing was. */
  readonly lastAt: number | null
  readonly parts: readonly Part[]
  /** That of the last file of an online source. */
  readonly session: string | null
}

export const EMPTY_SUMMARY: Summary = {
  ...{ ms: 0, bytes: 0, interruptions: 0, videoIds: new Set(), lastAt: null, parts: [], session: null },
}

interface Added {
  readonly at: number
  readonly ms: number
  readonly interruption: string | null
}

/** Parts are folded now and then, so that going through a day of interruptions needs no more room than a screen. */
function added(
  summary: Summary,
  stretches: readonly Added[],
): Pick<Summary, 'ms' | 'interruptions' | 'lastAt' | 'parts'> {
  let { ms, interruptions, lastAt } = summary
  let parts = [...summary.parts]
  for (const stretch of stretches) {
    withStretch(parts, stretch)
    ms += stretch.ms
    if (stretch.interruption !== null) interruptions++
    lastAt = stretch.at + stretch.ms
    if (parts.length > 2 * MOST_PARTS) parts = foldParts(parts)
  }
  return { ms, interruptions, lastAt, parts }
}

/** `sizeOf`: of a file; what was sent of it half counts half. */
export async function withStretches(
  summary: Summary,
  stretches: readonly Stretch[],
  sizeOf: (key: string) => number | Promise<number>,
): Promise<Summary> {
  const videoIds = new Set(summary.videoIds)
  let { bytes } = summary
  for (const { piece, ms } of stretches) {
    videoIds.add(piece.videoId)
    for (const key of piece.tailKey === null ? [piece.key] : [piece.key, piece.tailKey]) {
      bytes += ((await sizeOf(key)) * ms) / 1000 / (piece.list?.seconds ?? Number.POSITIVE_INFINITY)
    }
  }
  return { ...summary, ...added(summary, stretches), bytes, videoIds }
}

/** Files of one session follow each other without a break. */
export function withFiles(summary: Summary, files: readonly RecordingFile[]): Summary {
  let { session, bytes } = summary
  const stretches = files.map((file, index) => {
    const isFirst = summary.session === null && index === 0
    const interruption = isFirst || file.session === session ? null : 'unknown'
    session = file.session
    bytes += Number(file.bytes)
    return { at: Number(file.at), ms: file.ms, interruption }
  })
  return { ...summary, ...added(summary, stretches), bytes, session }
}
