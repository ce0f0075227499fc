/** A part of a file; both ends belong to it. */
export interface FilePart {
  /** From 1. */
  readonly number: number
  readonly start: number
  readonly end: number
}

const MIB = 1024 ** 2
/** Stores take 10,000 parts. */
const MOST_PARTS = 9_000
/** Two of these are worth a multipart upload, which takes two calls more. */
const PART_BYTES = 16 * MIB

const partBytesOf = (bytes: number): number => Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS / MIB) * MIB)

/** How a file of this length is sent and fetched: by its length alone, so that a program that fetches it knows the parts that were sent. */
export function partsOf(bytes: number): FilePart[] {
  const step = partBytesOf(bytes)
  const count = Math.max(1, Math.ceil(bytes / step))
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    start: index * step,
    end: Math.min(bytes, (index + 1) * step) - 1,
  }))
}
