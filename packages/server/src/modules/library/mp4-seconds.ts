import { type FileHandle, open } from 'node:fs/promises'

/** An MP4 has a handful of boxes; a fragmented one thousands, and its header tells no length anyway. */
const MOST_BOXES = 64
const HEAD_BYTES = 16
/** Version, flags, two dates, time scale and duration, in their long form. */
const MVHD_BYTES = 32

interface Box {
  readonly type: string
  readonly body: number
  readonly end: number
}

async function bytesAt(file: FileHandle, at: number, count: number): Promise<Buffer | null> {
  // A box may say that it ends anywhere.
  if (!Number.isSafeInteger(at)) return null
  const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, at)
  return bytesRead === count ? buffer : null
}

async function boxAt(file: FileHandle, at: number): Promise<Box | null> {
  const head = await bytesAt(file, at, HEAD_BYTES)
  if (!head) return null
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  const [size, headBytes] = short === 1 ? [Number(head.readBigUInt64BE(8)), HEAD_BYTES] : [short, 8]
  return size < headBytes ? null : { type, body: at + headBytes, end: at + size }
}

async function findBox(file: FileHandle, wanted: string, from: number): Promise<Box | null> {
  let at = from
  for (let looked = 0; looked < MOST_BOXES; looked++) {
    const box = await boxAt(file, at)
    if (box === null || box.type === wanted) return box
    at = box.end
  }
  return null
}

function lengthOf(mvhd: Buffer): number | null {
  const isLong = mvhd.readUInt8(0) === 1
  const timescale = mvhd.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16)
  const isUnknown = duration >= (isLong ? Number.MAX_SAFE_INTEGER : 0xffffffff)
  return timescale === 0 || isUnknown ? null : duration / timescale
}

/**
 * How long the header of an MP4 says that it lasts. It is read here, and not by ffprobe, so that ffprobe can be told in the same breath
 * which packets are wanted. Null: it is none, or does not tell.
 */
export async function mp4Seconds(path: string): Promise<number | null> {
  const file = await open(path)
  try {
    const first = await boxAt(file, 0)
    if (first?.type !== 'ftyp') return null
    const movie = await findBox(file, 'moov', first.end)
    const header = movie && (await findBox(file, 'mvhd', movie.body))
    const mvhd = header && (await bytesAt(file, header.body, MVHD_BYTES))
    return mvhd ? lengthOf(mvhd) : null
  } finally {
    await file.close()
  }
}
