import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesOf, MOST_SLICES, type Played, runsIn, type Slice, sliceCount, slicesIn, upToSlices } from './slices.ts'

const played = (more: Partial<Played['clip']> & { fromMs?: number; ms?: number } = {}): Played => {
  const { fromMs = 0, ms = 10_000, ...clip } = more
  const list = { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null }
  return { clip: { key: 'k', tailKey: null, list, looping: true, ...clip }, fromMs, ms }
}

/** Pass by pass, as it is defined: what a run says in one go. */
function* plainSlices({ clip, fromMs, ms }: Played): Generator<Slice> {
  const { list, looping } = clip
  const begin = fromMs / 1000
  const firstPass = looping ? Math.floor(begin / list.seconds + 1e-9) : 0
  const end = looping ? begin + ms / 1000 : Math.min(begin + ms / 1000, list.seconds)
  let isFirst = true
  for (let pass = firstPass; pass * list.seconds < end - 0.001; pass++) {
    const passFrom = pass * list.seconds
    for (const file of filesOf(clip)) {
      const from = Math.max(file.fileFrom, begin - passFrom)
      const to = Math.min(file.fileTo, end - passFrom)
      if (to - from < 0.001) continue
      const isToEnd = file.fileTo - to < 0.001
      const continues = !isFirst && from === file.fileFrom && file.fileFrom > 0
      yield { ...file, from, to: isToEnd ? file.fileTo : to, isToEnd, continues }
      isFirst = false
    }
  }
}

/** No slice lasts exactly as long as the shortest that counts then: rounding would decide about it, here and there in its own way. */
const THIRD = 1 / 3

const anyPlayed = fc
  .record({
    passMs: fc.integer({ min: 400, max: 6_000 }),
    tail: fc.integer({ min: 0, max: 90 }),
    from: fc.nat(40_000),
    ms: fc.integer({ min: 1, max: 60_000 }),
    looping: fc.boolean(),
  })
  .map(({ passMs, tail, from, ms, looping }) => {
    const seconds = passMs / 1000
    const bodySeconds = tail > 0 ? (seconds * tail) / 100 : null
    const list = { seconds, startSeconds: 0.5, outpoint: seconds + 0.2, bodySeconds }
    const fromMs = (looping ? from : from % passMs) + THIRD
    return played({ list, tailKey: bodySeconds === null ? null : 't', looping, fromMs, ms: ms + THIRD })
  })

describe('[REC-02] what was sent of a clip', () => {
  it('is played by the same slices whether or not its passes are told one by one', () => {
    fc.assert(
      fc.property(anyPlayed, (each) => {
        const slices = [...slicesIn(each)]
        expect(slices).toEqual([...plainSlices(each)])
        expect(sliceCount(each)).toBe(slices.length)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is played by slices that lie within their files and last as long', () => {
    fc.assert(
      fc.property(anyPlayed, (each) => {
        const slices = [...slicesIn(each)]
        for (const { from, to, fileFrom, fileTo } of slices) {
          expect(from).toBeGreaterThanOrEqual(fileFrom)
          expect(to).toBeLessThanOrEqual(fileTo)
          expect(to).toBeGreaterThan(from)
        }
        const { clip, fromMs, ms } = each
        const lasts = clip.looping ? ms : Math.min(ms, clip.list.seconds * 1000 - fromMs)
        const sum = slices.reduce((total, { from, to }) => total + to - from, 0)
        // A slice shorter than a millisecond is left out.
        expect(Math.abs(sum - lasts / 1000)).toBeLessThan(0.002 * (slices.length + 2))
      }),
    )
  })

  it('begins again at the end of each pass, from where it began', () => {
    const slices = [...slicesIn(played({ fromMs: 3_000, ms: 6_000 }))]
    expect(slices.map(({ from, to, isToEnd }) => [from, to, isToEnd])).toEqual([
      [3, 4, true],
      [0, 4, true],
      [0, 1, false],
    ])
  })

  it('plays its tail behind its body, in one clock', () => {
    const list = { seconds: 4, startSeconds: 0.5, outpoint: 3.4, bodySeconds: 3 }
    const slices = [...slicesIn(played({ list, tailKey: 't', ms: 8_000 }))]
    expect(slices.map(({ key, from, to, fileFrom, continues }) => [key, from, to, fileFrom, continues])).toEqual([
      ['k', 0, 3, 0, false],
      ['t', 3, 4, 3, true],
      ['k', 0, 3, 0, false],
      ['t', 3, 4, 3, true],
    ])
  })

  it('is told by a few runs, however often it plays', () => {
    const runs = runsIn(played({ fromMs: 1_000, ms: 12 * 3_600_000 }))
    expect(runs.length).toBeLessThanOrEqual(5)
    expect(runs.reduce((sum, { times }) => sum + times, 0)).toBe(10_801)
  })

  it('of a moment, for twelve hours, is not more than can be handled', () => {
    const list = { seconds: 0.04, startSeconds: 0, outpoint: null, bodySeconds: null }
    expect(sliceCount(upToSlices(played({ list, ms: 12 * 3_600_000 }), MOST_SLICES))).toBe(MOST_SLICES)
    fc.assert(
      fc.property(anyPlayed, fc.integer({ min: 1, max: 50 }), (each, most) => {
        const cut = upToSlices(each, most)
        expect(sliceCount(cut)).toBeLessThanOrEqual(most)
        expect([...slicesIn(each)].slice(0, sliceCount(cut))).toEqual([...slicesIn(cut)])
      }),
    )
  })
})
