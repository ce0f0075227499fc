const MAGIC = Buffer.from('89504e470d0a1a0a', 'hex')
/** What makes the picture. The others tell about it, and some unpack to any size. */
const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
const MOST_CHUNKS = 20_000

export interface PngFacts {
  readonly width: number
  readonly height: number
}

export const isPng = (file: Buffer): boolean => file.subarray(0, MAGIC.length).equals(MAGIC)

/** What its header says of its size, before anybody unpacks it; null: it is no PNG. */
export function pngSize(file: Buffer): PngFacts | null {
  if (!isPng(file) || file.length < 33 || file.readUInt32BE(8) !== 13 || nameAt(file, 8) !== 'IHDR') return null
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  return width > 0 && height > 0 ? { width, height } : null
}

/** The same picture and nothing besides; null: it is not one whole PNG. */
export function barePng(file: Buffer): Buffer | null {
  if (pngSize(file) === null) return null
  const kept: Buffer[] = [MAGIC]
  let at = MAGIC.length
  for (let count = 0; count < MOST_CHUNKS && at + 12 <= file.length; count++) {
    const end = at + 12 + file.readUInt32BE(at)
    const name = nameAt(file, at)
    if (end > file.length) return null
    // A second header would say another size.
    if (name === 'IHDR' && kept.length > 1) return null
    if (NEEDED.has(name)) kept.push(file.subarray(at, end))
    if (name === 'IEND') return Buffer.concat(kept)
    at = end
  }
  return null
}

const nameAt = (file: Buffer, at: number): string => file.toString('latin1', at + 4, at + 8)
