const NOTHING = Buffer.alloc(0)
const LINE_END = Buffer.from('\r\n')
const CARRIAGE_RETURN = 13

/** What a piece of the body brought of a part. `rest` is what follows the part's end, and null while the part goes on. */
interface PartBytes {
  readonly content: Buffer
  readonly rest: Buffer | null
}

export type PartReader = (piece: Buffer) => PartBytes

/** No content of a part may have this in it (RFC 2046, 5.1.1). */
export const delimiterOf = (boundary: string): Buffer => Buffer.from(`\r\n--${boundary}`, 'latin1')

/**
 * Finds the end of one part of a form in bytes that come in pieces. It hands on what it is given without copying; only what may be the
 * beginning of the end waits for the next piece. The line end before the part belongs to no content, but it may begin the delimiter: of a
 * part without content, and of the first part.
 */
export function createPartReader(delimiter: Buffer): PartReader {
  let held = LINE_END
  let foreign = LINE_END.length

  function own(bytes: Buffer): Buffer {
    const skipped = Math.min(foreign, bytes.length)
    foreign -= skipped
    return skipped > 0 ? bytes.subarray(skipped) : bytes
  }

  return (piece) => {
    const bytes = held.length > 0 ? Buffer.concat([held, piece]) : piece
    const end = bytes.indexOf(delimiter)
    if (end !== -1) return { content: own(bytes.subarray(0, end)), rest: bytes.subarray(end + delimiter.length) }
    const kept = beginningAtEnd(bytes, delimiter)
    if (kept === 0) {
      held = NOTHING
      return { content: own(bytes), rest: null }
    }
    // Copied: a few bytes must not keep a whole piece in memory.
    held = Buffer.from(bytes.subarray(bytes.length - kept))
    return { content: own(bytes.subarray(0, bytes.length - kept)), rest: null }
  }
}

/** How many of the last bytes are a beginning of the delimiter. It has a single carriage return, its first byte. */
function beginningAtEnd(bytes: Buffer, delimiter: Buffer): number {
  const from = Math.max(0, bytes.length - delimiter.length + 1)
  for (let at = bytes.indexOf(CARRIAGE_RETURN, from); at !== -1; at = bytes.indexOf(CARRIAGE_RETURN, at + 1)) {
    const length = bytes.length - at
    if (bytes.compare(delimiter, 0, length, at) === 0) return length
  }
  return 0
}
