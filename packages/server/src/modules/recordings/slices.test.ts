import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SentPiece } from './sent.ts'
import { cutOut, MOST_SLICES, msOf, partsOf, type Stretch, slicesOf, timeline } from './slices.ts'

const piece = (more: Partial<SentPiece> = {}): SentPiece => ({
  ...{ streamId: 'a', number: 0, at: 0, session: 's1', reason: null, videoId: 'v', filename: 'v.mp4', key: 'k' },
  ...{ tailKey: null, looping: true, fromMs: 0, ms: 10_000 },
  list: { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null },
  ...more,
})

const lengthOf = (slices: Iterable<{ from: number; to: number }>): number =>
  [...slices].reduce((sum, { from, to }) => sum + to - from, 0)

/** Milliseconds that the union of these covers, counted one by one. */
function unionMs(pieces: readonly SentPiece[], fromAt: number, toAt: number): number {
  const isSent = new Uint8Array(toAt - fromAt)
  for (const { at, ms } of pieces)
    isSent.fill(1, Math.max(0, at - fromAt), Math.max(0, Math.min(toAt, at + ms) - fromAt))
  return isSent.reduce((sum, each) => sum + each, 0)
}

/** Whole milliseconds, and pieces of a stream that do not overlap. */
const anyStream = (streamId: string): fc.Arbitrary<SentPiece[]> =>
  fc
    .array(
      fc.record({
        gap: fc.nat(3_000),
        ms: fc.integer({ min: 1, max: 20_000 }),
        isNewSession: fc.boolean(),
        passMs: fc.integer({ min: 400, max: 6_000 }),
        tail: fc.integer({ min: 0, max: 90 }),
        from: fc.nat(99),
        looping: fc.boolean(),
      }),
      { maxLength: 12 },
    )
    .map((steps) => {
      let at = 1_000
      let session = 0
      return steps.map(({ gap, ms, isNewSession, passMs, tail, from, looping }, number) => {
        if (isNewSession) {
          at += gap
          session++
        }
        const seconds = passMs / 1000
        const fromMs = Math.floor((passMs * from) / 100)
        const bodySeconds = tail > 0 ? (seconds * tail) / 100 : null
        const own = piece({
          ...{ streamId, number, at, session: `${streamId}${session}`, key: `${streamId}${number}`, looping, fromMs },
          tailKey: bodySeconds === null ? null : `${streamId}${number}-tail`,
          list: { seconds, startSeconds: 0, outpoint: null, bodySeconds },
          ms: looping ? ms : Math.min(ms, passMs - fromMs),
        })
        at += own.ms
        return own
      })
    })
const anyBroadcast = fc.tuple(anyStream('a'), anyStream('b'), anyStream('c')).map((streams) => streams.flat())

describe('[REC-02] what was sent, as one time line', () => {
  it('lasts as long as something was sent, never overlaps, and is in order', () => {
    fc.assert(
      fc.property(anyBroadcast, fc.nat(50_000), fc.integer({ min: 1, max: 200_000 }), (pieces, fromAt, length) => {
        const toAt = fromAt + length
        const line = timeline(pieces, fromAt, toAt)
        expect(msOf(line)).toBe(unionMs(pieces, fromAt, toAt))
        for (const [index, { at, ms, skippedMs, piece: own }] of line.entries()) {
          const before = line[index - 1]
          expect(at).toBeGreaterThanOrEqual(before ? before.at + before.ms : fromAt)
          expect(at + ms).toBeLessThanOrEqual(toAt)
          expect(skippedMs + ms).toBeLessThanOrEqual(own.ms)
        }
      }),
    )
  })

  it('is played by slices that lie within their files and last as long', () => {
    fc.assert(
      fc.property(anyBroadcast, (pieces) => {
        const line = timeline(pieces, 0, null)
        const slices = [...slicesOf(line)]
        for (const { from, to, fileFrom, key } of slices) {
          const own = pieces.find((each) => each.key === key || each.tailKey === key)
          const fileTo = own?.tailKey === key ? own.list.seconds : (own?.list.bodySeconds ?? own?.list.seconds ?? 0)
          expect(from).toBeGreaterThanOrEqual(fileFrom - 1e-9)
          expect(to).toBeLessThanOrEqual(fileTo + 1e-9)
          expect(to).toBeGreaterThan(from)
        }
        // A slice shorter than a millisecond is left out.
        expect(Math.abs(lengthOf(slices) - msOf(line) / 1000)).toBeLessThan(
          0.002 * (slices.length + pieces.length) + 1e-6,
        )
      }),
    )
  })

  it('is cut anywhere into parts that are the whole again', () => {
    fc.assert(
      fc.property(anyBroadcast, fc.nat(100), (pieces, percent) => {
        const line = timeline(pieces, 0, null)
        const cut = Math.floor((msOf(line) * percent) / 100)
        const plain = (each: readonly Stretch[]): number[] => each.map(({ ms }) => ms)
        const [first, second] = [cutOut(line, 0, cut), cutOut(line, cut, msOf(line))]
        expect(msOf(first)).toBe(cut)
        expect(msOf(second)).toBe(msOf(line) - cut)
        expect(plain(cutOut(line, 0, msOf(line)))).toEqual(plain(line))
      }),
    )
  })
})

describe('a loop', () => {
  it('begins anew at the end of each pass, from where it began', () => {
    const slices = [...slicesOf(timeline([piece({ fromMs: 3_000, ms: 6_000 })], 0, null))]
    expect(slices.map(({ from, to, isToEnd }) => [from, to, isToEnd])).toEqual([
      [3, 4, true],
      [0, 4, true],
      [0, 1, false],
    ])
  })

  it('plays its tail behind its body, in one clock', () => {
    const list = { seconds: 4, startSeconds: 0.5, outpoint: 3.4, bodySeconds: 3 }
    const slices = [...slicesOf(timeline([piece({ list, tailKey: 't', ms: 8_000 })], 0, null))]
    expect(slices.map(({ key, from, to, fileFrom, continues }) => [key, from, to, fileFrom, continues])).toEqual([
      ['k', 0, 3, 0, false],
      ['t', 3, 4, 3, true],
      ['k', 0, 3, 0, false],
      ['t', 3, 4, 3, true],
    ])
  })

  it('of a moment, for twelve hours, is not more than can be handled', () => {
    const list = { seconds: 0.04, startSeconds: 0, outpoint: null, bodySeconds: null }
    let count = 0
    for (const _ of slicesOf(timeline([piece({ list, ms: 12 * 3_600_000 })], 0, null))) count++
    expect(count).toBe(MOST_SLICES)
  })
})

describe('interruptions', () => {
  it('are told where nothing was sent between two sessions', () => {
    const pieces = [piece(), piece({ number: 1, at: 15_000, session: 's2', reason: 'target-closed' })]
    expect(partsOf(timeline(pieces, 0, null))).toEqual([
      { at: 0, fromMs: 0, ms: 10_000, interruption: null },
      { at: 15_000, fromMs: 10_000, ms: 10_000, interruption: 'target-closed' },
    ])
  })

  it('are none where another target went on', () => {
    const pieces = [
      piece(),
      piece({ number: 1, at: 15_000, session: 's2', reason: 'target-closed' }),
      piece({ streamId: 'b', at: 2_000, ms: 20_000, session: 'b1' }),
    ]
    const line = timeline(pieces, 0, null)
    expect(line.map(({ piece: { streamId }, at, skippedMs, ms }) => [streamId, at, skippedMs, ms])).toEqual([
      ['a', 0, 0, 10_000],
      ['b', 10_000, 8_000, 5_000],
      ['a', 15_000, 0, 10_000],
    ])
    expect(partsOf(line)).toHaveLength(1)
  })

  it('are none where a clock was put back: what came later follows', () => {
    const pieces = [piece(), piece({ number: 1, at: 4_000, session: 's2' })]
    expect(timeline(pieces, 0, null).map(({ at, ms }) => [at, ms])).toEqual([
      [0, 10_000],
      [10_000, 10_000],
    ])
  })
})
