import { createHash } from 'node:crypto'

/** A part of a recording, in its own seconds; null: to its end. */
export interface AskedPart {
  readonly from: number
  readonly to: number | null
}

/** One file of it, as it would be made. */
export interface Joined {
  readonly extension: 'mp4' | 'ts'
  /** It marks the content: made twice it is the same. */
  readonly etag: string
  bytes(signal: AbortSignal): AsyncGenerator<Buffer>
}

/** What files are like, each asked once. */
export type LikenessesOf = (
  owner: string,
  keys: Iterable<string>,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, string>>

/** A slow line needs long for a whole day. */
export const DOWNLOAD_LIMITS = { timeoutMs: 48 * 3_600_000, priority: 'low' } as const

export const areAlike = (likenesses: ReadonlyMap<string, string>): boolean => new Set(likenesses.values()).size <= 1

export const etagOf = (mark: string): string => `"${createHash('sha256').update(mark).digest('hex').slice(0, 32)}"`
