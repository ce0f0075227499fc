import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { barePng, isPng, pngSize } from './png-chunks.ts'

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
const MAGIC = Buffer.from('89504e470d0a1a0a', 'hex')
function header(width: number, height: number): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(width)
  content.writeUInt32BE(height, 4)
  content.set([8, 6, 0, 0, 0], 8)
  return chunk('IHDR', content)
}
const END = chunk('IEND', Buffer.alloc(0))
const pixels = chunk('IDAT', deflateSync(Buffer.alloc(5)))

describe('[BRAND-01] a PNG that somebody sends', () => {
  it('is known by its beginning, and its size by its header', () => {
    expect(pngSize(Buffer.concat([MAGIC, header(3, 5), pixels, END]))).toEqual({ width: 3, height: 5 })
    expect(isPng(Buffer.from('<svg/>'))).toBe(false)
    expect(pngSize(Buffer.concat([MAGIC, pixels, header(3, 5), END]))).toBeNull()
    expect(pngSize(Buffer.concat([MAGIC, header(0, 5), END]))).toBeNull()
    expect(pngSize(MAGIC)).toBeNull()
  })

  it('keeps its picture and loses what would unpack to any size', () => {
    const bomb = chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(1_000_000))]))
    const others = [
      bomb,
      chunk('iCCP', Buffer.alloc(9)),
      chunk('acTL', Buffer.alloc(8)),
      chunk('tEXt', Buffer.from('a\0b')),
    ]
    expect(barePng(Buffer.concat([MAGIC, header(1, 1), ...others, pixels, END, Buffer.from('behind it')]))).toEqual(
      Buffer.concat([MAGIC, header(1, 1), pixels, END]),
    )
  })

  it('is refused where it is not whole, or says two sizes', () => {
    expect(barePng(Buffer.concat([MAGIC, header(1, 1), pixels]))).toBeNull()
    expect(barePng(Buffer.concat([MAGIC, header(1, 1), pixels]).subarray(0, -3))).toBeNull()
    expect(barePng(Buffer.concat([MAGIC, header(1, 1), header(9, 9), pixels, END]))).toBeNull()
    expect(barePng(Buffer.from('x'))).toBeNull()
  })
})
