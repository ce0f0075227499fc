import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDiskShares, createGrowth } from './disk-shares.ts'

const MB = 1024 ** 2
const SPARE = 12_000 * MB
const MINUTE_MS = 60_000

/** A disk with 12 GB beside its reserve, and a clock that the test moves. */
function disk() {
  const at = { ms: 0, written: 0 }
  const shares = createDiskShares(
    async () => SPARE - at.written,
    () => new Error('full'),
    () => at.ms,
  )
  const begin = (id: string, announced: number) => shares.begin(id, { announced, arrived: 0 })
  return { at, shares, begin }
}

/** Three accounts with eight connections announce all that is left. */
async function announceAll(begin: ReturnType<typeof disk>['begin']): Promise<void> {
  for (let left = SPARE, number = 0; left > 2 * MB; number++) {
    const bytes = Math.min(left, 4_900 * MB)
    await begin(`announced-${number}`, bytes)
    left -= bytes
  }
}

describe('[SAFE-03] uploads that have announced the whole disk, and send next to nothing', () => {
  it('do not keep small ones from beginning', async () => {
    const { shares, begin } = disk()
    await announceAll(begin)
    await begin('small', 100 * MB)
    await shares.assertRoom(MB)
    expect(await shares.admit('small', MB, 100 * MB)).toBeGreaterThan(MB)
  })

  it('are believed for a minute, and then as far as they come', async () => {
    const { at, shares, begin } = disk()
    await announceAll(begin)
    await expect(begin('large', 4_000 * MB)).rejects.toThrow('full')
    at.ms = MINUTE_MS - 1
    await expect(begin('large', 4_000 * MB)).rejects.toThrow('full')
    at.ms = MINUTE_MS
    await begin('large', 4_000 * MB)
    shares.end('large')
    // 10 MB a minute is 600 MB in an hour.
    await shares.admit('announced-0', 10 * MB, 4_900 * MB)
    shares.wrote('announced-0', 10 * MB)
    at.written = 10 * MB
    await begin('larger', SPARE - 700 * MB)
    shares.end('larger')
    await expect(begin('largest', SPARE - 500 * MB)).rejects.toThrow('full')
  })

  it('are believed as a whole while they come well', async () => {
    const { at, shares, begin } = disk()
    await begin('well', 10_000 * MB)
    at.ms = 5 * MINUTE_MS
    await shares.admit('well', 1_000 * MB, 10_000 * MB)
    shares.wrote('well', 1_000 * MB)
    at.written = 1_000 * MB
    await expect(begin('another', 2_500 * MB)).rejects.toThrow('full')
    await begin('fitting', 1_500 * MB)
  })
})

describe('[SAFE-03] what is made here, and cannot be held back', () => {
  it('is not refused for what uploads have only announced, but for what they may write', async () => {
    const { shares, begin } = disk()
    await announceAll(begin)
    await shares.beginToMake('made', SPARE - 100 * MB)
    shares.end('made')
    await shares.assertRoomToMake(SPARE)
    await shares.admit('announced-0', MB, 4_900 * MB)
    await expect(shares.assertRoomToMake(SPARE - MB)).rejects.toThrow('full')
    await expect(shares.beginToMake('made', SPARE - MB)).rejects.toThrow('full')
  })

  it('counts for uploads as another upload does', async () => {
    const { shares, begin } = disk()
    await shares.beginToMake('made', 10_000 * MB)
    await expect(begin('another', 2_500 * MB)).rejects.toThrow('full')
    await begin('fitting', 1_500 * MB)
  })

  it('takes no more than there is, however many are made at once: one gives way, the others come to their end', async () => {
    const { at, shares, begin } = disk()
    const [whole, pace] = [5_000 * MB, 100 * MB]
    const files = await Promise.all(
      ['a', 'b', 'c'].map(async (id) => {
        await begin(id, 0)
        return { id, bytes: 0, grow: createGrowth(shares, id), isRefused: false }
      }),
    )
    const under = () => files.filter(({ bytes, isRefused }) => bytes < whole && !isRefused)
    while (under().length > 0) {
      for (const file of under()) {
        file.bytes += pace
        at.written += pace
        expect(at.written).toBeLessThanOrEqual(SPARE)
        await file.grow(file.bytes).catch(() => {
          // It is killed, and what it has made goes.
          file.isRefused = true
          shares.end(file.id)
          at.written -= file.bytes
        })
        if (file.bytes === whole) shares.end(file.id)
      }
    }
    expect(files.filter(({ isRefused }) => isRefused)).toHaveLength(1)
  })
})

describe('[SAFE-03] what is written', () => {
  it('never is more than the disk has beside its reserve, whoever was let in', async () => {
    const step = fc.record({
      kind: fc.constantFrom('begin', 'write', 'write', 'write', 'wait', 'end'),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      megabytes: fc.integer({ min: 1, max: 5_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { at, shares, begin } = disk()
        const uploads = new Map<string, { size: number; written: number; admitted: number }>()
        for (const { kind, id, megabytes } of steps) {
          const size = megabytes * MB
          const own = uploads.get(id)
          if (kind === 'wait') at.ms += megabytes * 100
          else if (kind === 'begin' && !own) {
            const begun = await begin(id, size).then(
              () => true,
              () => false,
            )
            if (begun) uploads.set(id, { size, written: 0, admitted: 0 })
          } else if (kind === 'end' && own) {
            shares.end(id)
            uploads.delete(id)
          } else if (kind === 'write' && own && own.written < own.size) {
            const upTo = Math.min(own.size, own.written + Math.ceil(size / 50))
            if (upTo > own.admitted) own.admitted = await shares.admit(id, upTo, own.size).catch(() => own.admitted)
            if (upTo > own.admitted) continue
            at.written += upTo - own.written
            own.written = upTo
            shares.wrote(id, upTo)
          }
          expect(at.written).toBeLessThanOrEqual(SPARE)
        }
      }),
    )
  })
})
