import { type FileHandle, open } from 'node:fs/promises'

/** With which box an MP4 may begin. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'])
/** Those that lead to the tables of a track. */
const HOLDERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const SIZE_TABLES = new Set(['stsz', 'stz2'])
/** Behind these there are packets that no table counts: fragments, and a header that is compressed. */
const UNCOUNTED = new Set(['moof', 'mvex', 'cmov'])
/** 64 tracks have some two thousand. */
const MOST_BOXES = 10_000
const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16
/** A table of sizes has its count behind its head, its version and one size for all. */
const COUNT_AT = 16
const BYTES_LOOKED_AT = COUNT_AT + 4

/**
 * How many packets an MP4 lists in all of its tracks: ffmpeg writes each of them out in memory as it opens the file. Infinity: nobody can tell.
 * Null: it is no MP4. Other containers list nothing, or in about as many bytes as it takes in memory.
 */
export async function listedPackets(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const first = await boxAt(file, 0, size)
    return FIRST_BOXES.has(first.type) ? await countIn(file, 0, size, { boxes: MOST_BOXES }) : null
  } finally {
    await file.close()
  }
}

interface Box {
  readonly type: string
  readonly headBytes: number
  readonly end: number
  /** What a table of sizes has there. */
  readonly count: number
}

async function boxAt(file: FileHandle, at: number, end: number): Promise<Box> {
  const { buffer } = await file.read(Buffer.alloc(BYTES_LOOKED_AT), 0, BYTES_LOOKED_AT, at)
  const short = buffer.readUInt32BE(0)
  const size = short === 1 ? Number(buffer.readBigUInt64BE(HEAD_BYTES)) : short
  return {
    type: buffer.toString('latin1', 4, HEAD_BYTES),
    headBytes: short === 1 ? LONG_HEAD_BYTES : HEAD_BYTES,
    end: short === 0 ? end : at + size,
    count: buffer.readUInt32BE(COUNT_AT),
  }
}

async function countIn(file: FileHandle, from: number, to: number, left: { boxes: number }): Promise<number> {
  let packets = 0
  for (let at = from; at + HEAD_BYTES <= to; ) {
    const { type, headBytes, end, count } = await boxAt(file, at, to)
    if (end < at + headBytes || left.boxes-- === 0 || UNCOUNTED.has(type)) return Number.POSITIVE_INFINITY
    if (SIZE_TABLES.has(type)) packets += count
    if (HOLDERS.has(type)) packets += await countIn(file, at + headBytes, Math.min(end, to), left)
    at = end
  }
  return packets
}
