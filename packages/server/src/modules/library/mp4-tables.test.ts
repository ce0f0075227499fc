import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { programSteps } from '../../platform/small-steps.ts'
import { standsForMore } from './mp4-tables.ts'

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('mp4-tables')
})
afterAll(() => folder.remove())

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([numbers(8 + body.length), Buffer.from(type), body])
}
const many = (table: string): Buffer[] => Array.from({ length: 256 }, () => box(table, numbers(0, 0, 0)))
const media = box('mdat', Buffer.from('trun cmov stsz'), Buffer.alloc(100))
const ordinary = [box('elst', numbers(0, 2)), box('stsz', numbers(0, 0, 50_000)), box('stsz', numbers(0, 4, 1))]
const inHeader = (...tables: Buffer[]): Buffer => box('moov', box('trak', ...ordinary, ...tables))

async function judged(...boxes: Buffer[]): Promise<boolean> {
  const [path, bytes] = [join(folder.path, 'file.mp4'), Buffer.concat(boxes)]
  await writeFile(path, bytes)
  return standsForMore(path, bytes.length)
}

describe('[SAFE-04] an MP4 whose header stands for as many packets as it has bytes for', () => {
  it('is an ordinary one, wherever its header lies, and whatever its media look like', async () => {
    expect(await judged(box('ftyp', numbers(1)), media, inHeader())).toBe(false)
    expect(await judged(inHeader(), media, box('free'))).toBe(false)
    const long = Buffer.concat([numbers(1), Buffer.from('mdat'), numbers(0, 116), Buffer.alloc(100)])
    expect(await judged(inHeader(), long)).toBe(false)
    const toTheEnd = Buffer.concat([numbers(0), Buffer.from('mdat'), Buffer.from('trun'), Buffer.alloc(100)])
    expect(await judged(inHeader(), toTheEnd)).toBe(false)
  })

  it('may have a long track of silence, whose packets are all alike', async () => {
    const silence = box('stsz', numbers(0, 6, 19_000))
    const long = box('mdat', Buffer.alloc(2_000_000))
    expect([await judged(inHeader(silence), long), await judged(inHeader(silence), media)]).toEqual([false, true])
  })

  it('[SAFE-07] is searched in small steps, so that others are served in between, however long its header is', async () => {
    const steps = vi.spyOn(programSteps, 'of')
    expect(await judged(inHeader(Buffer.alloc(4 * 1024 ** 2)), media)).toBe(false)
    expect(steps.mock.calls.length).toBeGreaterThanOrEqual(32)
    steps.mockRestore()
  })

  it('may have a large cover and a thousand tags, but no ten thousand', async () => {
    const tags = (count: number) => Array.from({ length: count }, () => box('----', box('data', numbers(1, 0, 7))))
    const cover = box('covr', box('data', numbers(13, 0), Buffer.alloc(4 * 1024 ** 2, 'cover')))
    const withTags = (count: number) => judged(inHeader(box('udta', cover, ...tags(count))), media)
    expect([await withTags(1_000), await withTags(10_000)]).toEqual([false, true])
  })

  it.each<[string, Buffer[]]>([
    ['a fragment in what is no box', [Buffer.from('....no box, and a trun....')]],
    ['millions of packets of one size', [inHeader(box('stsz', numbers(0, 1, 14_000_000))), media]],
    ['so many of several tracks', [inHeader(box('stsz', numbers(0, 1, 9_000)), box('stsz', numbers(0, 1, 1_001)))]],
    ['many edits', [inHeader(box('elst', numbers(0, 17))), media]],
    ['a fragment', [inHeader(), media, box('moof', box('traf', box('trun', numbers(0, 14_000_000))))]],
    ['a fragment within its header', [inHeader(box('trun', numbers(0, 14_000_000))), media]],
    ['a compressed header', [box('moov', box('cmov', Buffer.alloc(20))), media]],
    [
      'a table behind a million bytes',
      [inHeader(Buffer.alloc(1024 ** 2 - 60), box('stsz', numbers(0, 1, 14_000_000)))],
    ],
    ['empty lists of edits without number', [inHeader(...many('elst')), media]],
    ['empty tables of sizes without number', [inHeader(...many('stsz')), media]],
    ['a box of no length', [numbers(2), Buffer.from('free'), media]],
    ['boxes without number', Array.from({ length: 300 }, () => box('free', Buffer.alloc(8)))],
  ])('is not one with %s', async (_what, boxes) => {
    const isOdd = await judged(...boxes)
    expect(isOdd).toBe(true)
  })
})
