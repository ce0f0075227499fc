import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mp4Seconds } from './mp4-seconds.ts'

const box = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
/** Its size stands behind its name, as that of a box past 4 GiB does. */
const longBox = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1, 0)
  head.write(type, 4, 'latin1')
  head.writeBigUInt64BE(BigInt(16 + body.length), 8)
  return Buffer.concat([head, body])
}
function mvhd(timescale: number, duration: number): Buffer {
  const body = Buffer.alloc(100)
  body.writeUInt32BE(timescale, 12)
  body.writeUInt32BE(duration, 16)
  return box('mvhd', body)
}
function longMvhd(timescale: number, duration: bigint): Buffer {
  const body = Buffer.alloc(112)
  body.writeUInt8(1, 0)
  body.writeUInt32BE(timescale, 20)
  body.writeBigUInt64BE(duration, 24)
  return box('mvhd', body)
}
const ftyp = box('ftyp', Buffer.from('isom'))
const mdat = Buffer.alloc(3000)

describe('the length that an MP4 tells', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mp4-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function read(...parts: Buffer[]): Promise<number | null> {
    const path = join(folder, 'file.mp4')
    await writeFile(path, Buffer.concat(parts))
    return mp4Seconds(path)
  }

  it.each([
    ['before its content', [ftyp, box('moov', mvhd(600, 3600 * 600)), box('mdat', mdat)]],
    ['behind it', [ftyp, box('free', Buffer.alloc(0)), box('mdat', mdat), box('moov', mvhd(1000, 3_600_000))]],
    ['behind more than four gigabytes', [ftyp, longBox('mdat', mdat), box('moov', mvhd(1000, 3_600_000))]],
    ['in its long form', [ftyp, box('moov', longMvhd(90_000, 324_000_000n))]],
    [
      'behind something else in the header',
      [ftyp, box('moov', Buffer.concat([box('iods', Buffer.alloc(9)), mvhd(1, 3600)]))],
    ],
  ])('is found %s', async (_where, parts) => expect(await read(...parts)).toBe(3600))

  it.each([
    ['another format', [Buffer.from('\x1aE\xdf\xa3 and so on, for a while')]],
    ['nothing', []],
    ['a header that is cut off', [ftyp, box('moov', mvhd(600, 600)).subarray(0, 30)]],
    ['no header', [ftyp, box('mdat', mdat)]],
    ['a length that nobody knows', [ftyp, box('moov', mvhd(600, 0xffffffff))]],
    ['no time scale', [ftyp, box('moov', mvhd(0, 600))]],
    ['a box that ends before it begins', [ftyp, Buffer.from([0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 2])]],
    [
      'a box that ends past all numbers',
      [ftyp, Buffer.from([0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0x10, 0, 0, 0, 0, 0, 0, 0])],
    ],
    ['more boxes than anybody needs', [ftyp, ...Array.from({ length: 100 }, () => box('free', mdat)), mvhd(1, 1)]],
  ])('is not told by %s', async (_what, parts) => expect(await read(...parts)).toBeNull())

  it('is a number or nothing, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const found = await read(ftyp, box('moov', Buffer.from(bytes)))
        expect(found === null || found >= 0).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
