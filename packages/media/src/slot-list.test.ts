import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loopPosition, slotList } from './slot-list.ts'

describe('the list of a broadcast', () => {
  it('from the start is two slots, read round and round', () => {
    expect(slotList({ fromSeconds: 0, clipSeconds: 10, maxSeconds: 1_000, hasLists: false })).toEqual({
      text: 'ffconcat version 1.0\nfile 0.mp4\nfile 1.mp4\n',
      wraps: true,
    })
  })

  it('from within begins there once, goes on in turns, and does not wrap round', () => {
    expect(slotList({ fromSeconds: 4, clipSeconds: 10, maxSeconds: 30, hasLists: false })).toEqual({
      text: 'ffconcat version 1.0\nfile 0.mp4\ninpoint 4.000000\nfile 1.mp4\nfile 0.mp4\nfile 1.mp4\n',
      wraps: false,
    })
  })

  it('of a video whose length is not known begins at its start, whatever was asked for', () => {
    for (const clipSeconds of [0, -1, Number.NaN]) {
      expect(slotList({ fromSeconds: 4, clipSeconds, maxSeconds: 30, hasLists: false })).toEqual({
        text: 'ffconcat version 1.0\nfile 0.mp4\nfile 1.mp4\n',
        wraps: true,
      })
    }
  })

  it('with lists behind the slots says that they may name whole paths, and wraps round seldom', () => {
    const { text, wraps } = slotList({ fromSeconds: 0, clipSeconds: 600, maxSeconds: 1_000, hasLists: true })
    expect(wraps).toBe(true)
    expect(text).toMatch(/^ffconcat version 1.0\n(file [01].mp4\noption safe 0\noption auto_convert 0\n){36}$/)
    const entries = (clipSeconds: number) =>
      slotList({ fromSeconds: 0, clipSeconds, maxSeconds: 1_000, hasLists: true }).text.match(/^file /gm)?.length
    expect([1, 7_000, 90_000].map(entries)).toEqual([2_000, 4, 2])
  })

  it('of a playlist never wraps round, and is long enough for items of that length on average', () => {
    const of = (meanSeconds: number, fromSeconds = 0) =>
      slotList({ fromSeconds, clipSeconds: 10, maxSeconds: 1_000, hasLists: true, meanSeconds })
    expect(of(100).wraps).toBe(false)
    const entries = (text: string) => text.match(/^file /gm)?.length
    expect([of(100), of(0.001), of(1e9)].map(({ text }) => entries(text))).toEqual([15, 1_500, 2])
    expect(of(100).text).not.toContain('inpoint')
    expect(of(100, 4).text).toContain('file 0.mp4\noption safe 0\noption auto_convert 0\ninpoint 4.000000\nfile 1.mp4')
  })

  it('with lists begins within like one without', () => {
    const { text, wraps } = slotList({ fromSeconds: 4, clipSeconds: 10, maxSeconds: 10, hasLists: true })
    expect(wraps).toBe(false)
    expect(text).toContain('file 0.mp4\noption safe 0\noption auto_convert 0\ninpoint 4.000000\nfile 1.mp4\noption')
  })

  it('has room for all the time that is asked for, as far as memory allows', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 5_000, noNaN: true }),
        fc.double({ min: 0.5, max: 10_000, noNaN: true }),
        fc.integer({ min: 60, max: 2_000_000 }),
        (fromSeconds, clipSeconds, maxSeconds) => {
          const { text } = slotList({ fromSeconds, clipSeconds, maxSeconds, hasLists: false })
          const entries = text.match(/^file /gm)?.length ?? 0
          expect(entries).toBeGreaterThanOrEqual(2)
          expect(entries).toBeLessThanOrEqual(20_000)
          if (entries < 20_000) expect(entries * clipSeconds - fromSeconds).toBeGreaterThanOrEqual(maxSeconds - 0.001)
        },
      ),
    )
  })
})

describe('the position of a loop', () => {
  it('is what is left after whole passes, from where it began', () => {
    expect(loopPosition({ fromMs: 0, outTimeMs: 2_500, clipMs: 10_000 })).toBe(2_500)
    expect(loopPosition({ fromMs: 4_000, outTimeMs: 7_000, clipMs: 10_000 })).toBe(1_000)
    expect(loopPosition({ fromMs: -12_000, outTimeMs: 12_500, clipMs: 10_000 })).toBe(500)
    expect(loopPosition({ fromMs: -12_000, outTimeMs: 11_000, clipMs: 10_000 })).toBe(0)
  })

  it('is the start, and not the end, where a pass is just over', () => {
    expect(loopPosition({ fromMs: 3_000, outTimeMs: 7_000, clipMs: 10_000 })).toBe(0)
  })

  it('is the start when the length is not known', () => {
    expect(loopPosition({ fromMs: 5, outTimeMs: 7, clipMs: 0 })).toBe(0)
  })
})
