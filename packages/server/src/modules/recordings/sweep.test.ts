import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SentPiece } from './sent.ts'
import { createSweep, type SentStretch, STREAM_START, TOLERANCE_MS } from './sweep.ts'

interface Interval {
  readonly from: number
  readonly to: number
}

/** The time line as it is defined, interval by interval: what the sweep must find in one go. */
function plainTimeline(pieces: readonly SentPiece[], fromAt: number, toAt: number | null): SentStretch[] {
  const found: SentStretch[] = []
  let covered: Interval[] = []
  for (const own of Map.groupBy(pieces, ({ streamId }) => streamId).values()) {
    let end = Number.NEGATIVE_INFINITY
    const sent = own.map((piece) => {
      const at = piece.at - end > TOLERANCE_MS ? piece.at : end
      end = at + piece.ms
      return { piece, at }
    })
    for (const { piece, at } of sent) {
      const whole = { from: Math.max(at, fromAt), to: Math.min(at + piece.ms, toAt ?? Number.POSITIVE_INFINITY) }
      for (const { from, to } of without(whole, covered)) {
        found.push({ piece, at: from, skippedMs: from - at, ms: to - from })
      }
    }
    covered = joined([...covered, ...sent.map(({ piece, at }) => ({ from: at, to: at + piece.ms }))])
  }
  return found.sort((one, other) => one.at - other.at)
}

function without(whole: Interval, others: readonly Interval[]): Interval[] {
  const left: Interval[] = []
  let { from } = whole
  for (const other of others) {
    if (other.to <= from) continue
    if (other.from >= whole.to) break
    left.push({ from, to: other.from })
    from = other.to
  }
  left.push({ from, to: whole.to })
  return left.filter((each) => each.to - each.from > 0.001)
}

function joined(intervals: readonly Interval[]): Interval[] {
  const apart: Interval[] = []
  for (const each of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = apart.at(-1)
    if (last && each.from <= last.to) apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, each.to) }
    else apart.push(each)
  }
  return apart
}

/** Fed page by page; the calls that it takes are counted. */
function swept(pieces: readonly SentPiece[], fromAt: number, toAt: number | null, page = 3) {
  const streams = [...Map.groupBy(pieces, ({ streamId }) => streamId).values()]
  const left = streams.map((own) => [...own])
  const sweep = createSweep({ fromAt, toAt, places: streams.map(() => STREAM_START) })
  const found: SentStretch[] = []
  let calls = 0
  for (let next = sweep.next(); next !== null; next = sweep.next()) {
    calls++
    if ('feed' in next) {
      const own = left[next.feed] ?? []
      sweep.feed(next.feed, own.splice(0, page), own.length === 0)
    } else found.push(next)
  }
  return { found, calls, unread: left.map((own) => own.length) }
}

const anyStream = (streamId: string): fc.Arbitrary<SentPiece[]> =>
  fc
    .array(
      // Also clocks that were put back, and pieces that touch.
      fc.record({
        gap: fc.oneof(fc.constant(0), fc.integer({ min: -400, max: 900 })),
        ms: fc.integer({ min: 1, max: 700 }),
      }),
      { maxLength: 25 },
    )
    .map((steps) => {
      let at = 1_000
      return steps.map(({ gap, ms }, number) => {
        at += gap
        const piece = sentPiece({ streamId, number, at, ms })
        at += ms
        return piece
      })
    })

const sentPiece = (more: Partial<SentPiece>): SentPiece => ({
  ...{ streamId: 'a', number: 0, at: 0, session: 's1', reason: null, videoId: 'v', filename: 'v.mp4', key: 'k' },
  ...{ tailKey: null, looping: true, fromMs: 0, ms: 10_000, isOpen: false },
  list: { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null },
  ...more,
})

const anyBroadcast = fc.tuple(...['a', 'b', 'c', 'd'].map(anyStream)).map((streams) => streams.flat())

describe('[REC-02] [SAFE-07] the sweep over what several streams sent', () => {
  it('finds the time line as it is defined, whatever was sent and however it is fed', () => {
    fc.assert(
      fc.property(
        ...([anyBroadcast, fc.nat(3_000), fc.option(fc.nat(12_000)), fc.integer({ min: 1, max: 9 })] as const),
        (pieces, fromAt, length, page) => {
          const toAt = length === null ? null : fromAt + length
          expect(swept(pieces, fromAt, toAt, page).found).toEqual(plainTimeline(pieces, fromAt, toAt))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('takes as many steps as there are pieces, for twenty streams that are cut all the time', () => {
    const streams = Array.from({ length: 20 }, (_, stream) =>
      Array.from({ length: 500 }, (_, number) =>
        sentPiece({ streamId: `s${stream}`, number, at: number * 4_000 + stream * 190, ms: 150 }),
      ),
    )
    const { found, calls } = swept(streams.flat(), 0, null, 200)
    expect(found).toHaveLength(10_000)
    // Each piece once, and each page.
    expect(calls).toBeLessThanOrEqual(10_000 + 20 * 4)
  })

  it('reads nothing of the other streams where the first one never pauses', () => {
    const streams = ['a', 'b', 'c'].map((streamId) =>
      Array.from({ length: 100 }, (_, number) => sentPiece({ streamId, number, at: number * 4_000, ms: 4_000 })),
    )
    expect(swept(streams.flat(), 0, 400_000, 10).unread).toEqual([0, 100, 100])
  })

  it('goes on where another one came to', () => {
    fc.assert(
      fc.property(anyBroadcast, fc.integer({ min: 1, max: 20_000 }), (pieces, cut) => {
        const streams = [...Map.groupBy(pieces, ({ streamId }) => streamId).values()]
        const whole = plainTimeline(pieces, 0, null)
        const first = createSweep({ fromAt: 0, toAt: cut, places: streams.map(() => STREAM_START) })
        const found: SentStretch[] = []
        let [at, places] = [0, first.places()]
        for (let next = first.next(); next !== null; next = first.next()) {
          if ('feed' in next) first.feed(next.feed, streams[next.feed] ?? [], true)
          else if (next.at + next.ms < cut) {
            found.push(next)
            ;[at, places] = [next.at + next.ms, first.places()]
          } else {
            ;[at, places] = [next.at, first.places()]
            break
          }
        }
        const second = createSweep({ fromAt: at, toAt: null, places })
        for (let next = second.next(); next !== null; next = second.next()) {
          if ('feed' in next) {
            const { after } = places[next.feed] ?? STREAM_START
            second.feed(
              next.feed,
              (streams[next.feed] ?? []).filter(({ number }) => number > (after ?? -1)),
              true,
            )
          } else found.push(next)
        }
        expect(found).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })
})
