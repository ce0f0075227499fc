import { type FileHandle, open } from 'node:fs/promises'
import { nextStep } from '../../platform/small-steps.ts'

/** An MP4 has a handful of boxes beside each other. */
const MOST_BOXES = 256
const HEAD_BYTES = 16
/** Searched in one step: a text that nearly is one of the names everywhere takes two milliseconds. */
const CHUNK_BYTES = 128 * 1024
/** The header of a day at 60 pictures a second is a fifth of it. */
const MOST_HEADER_BYTES = 512 * 1024 ** 2
/** The name of a table, its version, and two numbers. */
const TABLE_BYTES = 16
/** Each track has two, and a file may have 64 tracks. */
const MOST_TABLES = 256
/** So many packets of one size and edits are those of an ordinary file. A silent track of sound may have more beside a long picture. */
const MOST_OF_ONE_SIZE = 10_000
const BYTES_PER_PACKET_OF_ONE_SIZE = 100
const MOST_EDITS = 16
/** A film has some thirty. ffmpeg compares each with all before it whenever it opens the file: forty thousand take it five seconds. */
const MOST_TAGS = 2_000

/**
 * Whether a few bytes of an MP4 may stand for any number of packets, whatever its header counts: a fragment, packets of one size, many edits,
 * a header that is compressed. So may one that has thousands of tags. Nothing is interpreted: a name that stands there by chance makes a copy of a file, and no more.
 */
export async function standsForMore(path: string, bytes: number): Promise<boolean> {
  const file = await open(path)
  try {
    const mostOfOneSize = Math.max(MOST_OF_ONE_SIZE, bytes / BYTES_PER_PACKET_OF_ONE_SIZE)
    let at = 0
    let header = 0
    for (let looked = 0; looked < MOST_BOXES; looked++) {
      // What is shorter than this has no packets.
      if (at + HEAD_BYTES > bytes) return false
      const { isMedia, end } = await boxAt(file, at, bytes)
      if (end <= at) return true
      if (!isMedia) {
        header += Math.min(end, bytes) - at
        if (header > MOST_HEADER_BYTES || (await hasRuns(file, at, Math.min(end, bytes), mostOfOneSize))) return true
      }
      at = end
    }
    return true
  } finally {
    await file.close()
  }
}

async function boxAt(file: FileHandle, at: number, bytes: number): Promise<{ isMedia: boolean; end: number }> {
  const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at)
  const short = buffer.readUInt32BE(0)
  const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short
  return { isMedia: buffer.toString('latin1', 4, 8) === 'mdat', end: short === 0 ? bytes : at + size }
}

async function hasRuns(file: FileHandle, from: number, to: number, mostOfOneSize: number): Promise<boolean> {
  let tables = 0
  let ofOneSize = 0
  let tags = 0
  for (let at = from; at < to; at += CHUNK_BYTES) {
    // A table that begins in this part may end in the next one.
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES + TABLE_BYTES, to - at))
    await file.read(buffer, 0, buffer.length, at)
    await nextStep()
    if (buffer.includes('trun') || buffer.includes('cmov')) return true
    for (const edits of tablesIn(buffer, 'elst')) {
      if (++tables > MOST_TABLES || numberAt(buffer, edits + 8) > MOST_EDITS) return true
    }
    for (const sizes of tablesIn(buffer, 'stsz')) {
      if (++tables > MOST_TABLES) return true
      if (numberAt(buffer, sizes + 8) > 0) ofOneSize += numberAt(buffer, sizes + 12)
    }
    for (const _ of tablesIn(buffer, 'data')) tags++
    if (ofOneSize > mostOfOneSize || tags > MOST_TAGS) return true
  }
  return false
}

function* tablesIn(buffer: Buffer, name: string): Generator<number> {
  for (let at = buffer.indexOf(name); at !== -1 && at < CHUNK_BYTES; at = buffer.indexOf(name, at + name.length))
    yield at
}

const numberAt = (buffer: Buffer, at: number): number => (at + 4 <= buffer.length ? buffer.readUInt32BE(at) : 0)
