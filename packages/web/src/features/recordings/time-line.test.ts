import type { RecordingPart } from '@siarin/contracts/recordings'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf, secondsAt, timeLineOf, wallAt, wallAtPlace } from './time-line.ts'

const BEGIN = Date.UTC(2026, 10, 15, 12)
const startedAt = new Date(BEGIN).toISOString()
const at = (seconds: number): string => new Date(BEGIN + seconds * 1000).toISOString()

/** Sent for `sent` seconds, after `off` seconds in which nothing was. */
const partsOf = (runs: readonly { off: number; sent: number }[]): RecordingPart[] => {
  const parts: RecordingPart[] = []
  let [wall, from] = [0, 0]
  for (const [index, { off, sent }] of runs.entries()) {
    wall += index === 0 ? 0 : off
    const interruption = index === 0 ? null : 'Koneksi terputus.'
    parts.push({ at: at(wall), until: at(wall + sent), from, seconds: sent, interruption, folded: 0 })
    wall += sent
    from += sent
  }
  return parts
}
const lineOf = (runs: readonly { off: number; sent: number }[]) => timeLineOf({ startedAt, parts: partsOf(runs) })

// Whole milliseconds, as the wall clock is told in; a gap may be none at all.
const seconds = (most: number, least = 0) => fc.integer({ min: least, max: most * 1000 }).map((ms) => ms / 1000)
const runs = fc.array(fc.record({ off: seconds(600), sent: seconds(7200, 1) }), { minLength: 1, maxLength: 8 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('[REC-03] the time line of a recording', () => {
  const line = lineOf([
    { off: 0, sent: 60 },
    { off: 30, sent: 90 },
  ])

  it('lies on the wall clock, with a gap where nothing was sent', () => {
    expect(line.end - line.begin).toBe(180_000)
    expect(line.seconds).toBe(150)
    expect(line.gaps).toEqual([{ begin: BEGIN + 60_000, end: BEGIN + 90_000, seconds: 60, why: 'Koneksi terputus.' }])
  })

  it('goes on after a gap, whichever moment of it is chosen', () => {
    expect([60, 75, 90].map((moment) => secondsAt(line, BEGIN + moment * 1000))).toEqual([60, 60, 60])
    expect(secondsAt(line, BEGIN + 100_000)).toBe(70)
    expect([secondsAt(line, 0), secondsAt(line, BEGIN * 2)]).toEqual([0, 150])
  })

  it('ends a choice before a gap and begins one behind it', () => {
    expect(wallAt(line, 60)).toBe(BEGIN + 90_000)
    expect(wallAt(line, 60, 'end')).toBe(BEGIN + 60_000)
    expect([wallAt(line, 0, 'end'), wallAt(line, 150)]).toEqual([BEGIN, BEGIN + 180_000])
  })

  it('does not run backwards after the clock was set back', () => {
    const parts = partsOf([
      { off: 0, sent: 60 },
      { off: -40, sent: 60 },
    ])
    const { stretches } = timeLineOf({ startedAt, parts })
    expect(stretches.map(({ begin }) => begin)).toEqual([BEGIN, BEGIN + 60_000])
  })

  it('is a point while nothing was sent yet', () => {
    const empty = timeLineOf({ startedAt, parts: [] })
    expect(empty).toMatchObject({ begin: BEGIN, end: BEGIN, seconds: 0 })
    expect([placeOf(empty, BEGIN), wallAt(empty, 5), secondsAt(empty, BEGIN)]).toEqual([0, BEGIN, 0])
  })

  it('finds each second again at the moment at which it was sent', () => {
    fc.assert(
      fc.property(runs, share, (made, part) => {
        const own = lineOf(made)
        const second = part * own.seconds
        expect(secondsAt(own, wallAt(own, second))).toBeCloseTo(second, 2)
      }),
    )
  })

  it('finds each moment on air again at its second, and never leaves the line', () => {
    fc.assert(
      fc.property(runs, share, (made, part) => {
        const own = lineOf(made)
        const wall = wallAtPlace(own, part)
        const again = wallAt(own, secondsAt(own, wall))
        expect(again).toBeGreaterThanOrEqual(own.begin)
        expect(again).toBeLessThanOrEqual(own.end + 1)
        const isOnAir = own.stretches.some(({ begin, end }) => wall >= begin && wall < end)
        if (isOnAir) expect(Math.abs(again - wall)).toBeLessThan(1)
        expect(wallAtPlace(own, placeOf(own, wall))).toBeCloseTo(wall, 0)
      }),
    )
  })

  it('keeps the order: what is later on the wall is never earlier in the recording', () => {
    fc.assert(
      fc.property(runs, share, share, (made, one, other) => {
        const own = lineOf(made)
        const [early, late] = [Math.min(one, other), Math.max(one, other)]
        expect(secondsAt(own, wallAtPlace(own, early))).toBeLessThanOrEqual(secondsAt(own, wallAtPlace(own, late)))
        expect(wallAt(own, early * own.seconds, 'end')).toBeLessThanOrEqual(wallAt(own, late * own.seconds) + 1)
      }),
    )
  })

  it('stretches a part into which short breaks are folded over the time that it took', () => {
    const parts = [
      { at: at(0), until: at(200), from: 0, seconds: 100, interruption: null, folded: 40 },
      { at: at(260), until: at(300), from: 100, seconds: 40, interruption: 'Koneksi terputus.', folded: 0 },
    ]
    const line = timeLineOf({ startedAt, parts })
    expect(line.gaps.map(({ begin, end }) => (end - begin) / 1000)).toEqual([60])
    expect(wallAt(line, 50) - line.begin).toBe(100_000)
    expect(secondsAt(line, line.begin + 100_000)).toBe(50)
    expect(secondsAt(line, line.begin + 270_000)).toBe(110)
  })
})
