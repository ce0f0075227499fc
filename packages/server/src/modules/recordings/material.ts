import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { type FileFacts, FileGoneError } from './file-facts.ts'
import type { RecordingFile, RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { fileSegments, type Segment, segmentsOf } from './segments.ts'
import type { Sent } from './sent.ts'
import { msOf, type Part, partsOf, type Stretch, slicesOf, timeline } from './slices.ts'

interface MaterialDeps {
  readonly db: Db
  readonly sent: Sent
  readonly repo: Pick<RecordingsRepo, 'filesOf'>
  readonly storage: Pick<Storage, 'head'>
  readonly facts: FileFacts
}

export interface Summary {
  readonly ms: number
  readonly bytes: number
  readonly interruptions: number
  readonly videoIds: readonly string[]
  /** When its last moment was sent. */
  readonly lastAt: number
}

export type Material = ReturnType<typeof createMaterial>

/** A recording as it is now: what was sent of which files, or the files that were written. */
export function createMaterial({ db, sent, repo, storage, facts }: MaterialDeps) {
  async function stretchesOf(row: RecordingRow, toAt = row.to_at): Promise<Stretch[]> {
    return timeline(await sent(db).piecesOf(row.broadcast_id, row.from_at, toAt), row.from_at, toAt)
  }

  /** As far as is known: a file that was sent half counts half. */
  async function bytesOf(stretches: readonly Stretch[]): Promise<number> {
    const sizes = new Map<string, number>()
    let bytes = 0
    for (const { piece, ms } of stretches) {
      const keys = piece.tailKey === null ? [piece.key] : [piece.key, piece.tailKey]
      for (const key of keys) {
        const size = sizes.get(key) ?? (await storage.head(key).catch(() => null))?.bytes ?? 0
        sizes.set(key, size)
        bytes += (size * ms) / 1000 / piece.list.seconds
      }
    }
    return Math.round(bytes)
  }

  async function partsOfRow(row: RecordingRow): Promise<Part[]> {
    return row.online === 1 ? fileParts(await repo.filesOf(row.id)) : partsOf(await stretchesOf(row))
  }

  return {
    stretchesOf,
    partsOf: partsOfRow,

    /** `toAt`: where it ends; null: with all that was sent. */
    async summaryOf(row: RecordingRow, toAt: number | null): Promise<Summary> {
      if (row.online === 1) {
        const files = await repo.filesOf(row.id)
        const parts = fileParts(files)
        return {
          ...{ ms: msOfParts(parts), interruptions: Math.max(0, parts.length - 1), videoIds: [] },
          bytes: files.reduce((sum, file) => sum + file.bytes, 0),
          lastAt: Math.max(row.from_at, ...parts.slice(-1).map(({ at, ms }) => at + ms)),
        }
      }
      const stretches = await stretchesOf(row, toAt)
      return {
        ms: msOf(stretches),
        bytes: await bytesOf(stretches),
        interruptions: Math.max(0, partsOf(stretches).length - 1),
        videoIds: [...new Set(stretches.map(({ piece }) => piece.videoId))],
        lastAt: Math.max(row.from_at, ...stretches.slice(-1).map(({ at, ms }) => at + ms)),
      }
    },

    /** What a player is sent, in order. */
    async segmentsOf(row: RecordingRow): Promise<Iterable<Segment>> {
      if (row.online === 1) return fileSegments(await repo.filesOf(row.id))
      const stretches = await stretchesOf(row)
      const frames = await facts.framesOf(slicesOf(stretches)).catch(asGone)
      return segmentsOf(slicesOf(stretches), frames)
    },
  }
}

export const gone = (cause?: unknown): DomainError => new DomainError('not_found', RECORDING_TEXTS.gone, { cause })

export function asGone(error: unknown): never {
  throw error instanceof FileGoneError ? gone(error) : error
}

const msOfParts = (parts: readonly Part[]): number => parts.reduce((sum, { ms }) => sum + ms, 0)

/** Files of one session follow each other without a break. */
function fileParts(files: readonly RecordingFile[]): Part[] {
  const parts: Part[] = []
  let session: string | null = null
  let fromMs = 0
  for (const { session: own, at, ms } of files) {
    const last = parts.at(-1)
    if (last && own === session) parts[parts.length - 1] = { ...last, ms: last.ms + ms }
    else parts.push({ at, fromMs, ms, interruption: last ? 'unknown' : null })
    session = own
    fromMs += ms
  }
  return parts
}
