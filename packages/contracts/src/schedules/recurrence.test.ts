import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasOverlaps } from './overlapping-windows.ts'
import { minutesOf, nextOccurrence, occurrencesBetween } from './recurrence.ts'
import { ScheduleRule } from './schedule-rule.ts'
import { DAY_MS, dateOfDay, dayNumber, instantOf, wallTimeAt } from './wall-time.ts'

const MINUTE_MS = 60_000
const ZONES = [
  'Asia/Jakarta',
  'Asia/Makassar',
  'Asia/Jayapura',
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kathmandu',
  // By half an hour, and at midnight.
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Pacific/Apia',
]

const rule = (given: object): ScheduleRule =>
  ScheduleRule.parse({ repeat: { kind: 'daily' }, windows: [{ start: '08:00' }], ...given })
const iso = (text: string): number => Date.parse(text)
const dueOf = (given: object, from: string, to: string): string[] =>
  occurrencesBetween(rule(given), iso(from), iso(to))
    .filter(({ skipped }) => !skipped)
    .map(({ dueAt }) => new Date(dueAt).toISOString())
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Whether the wall ever shows this minute, and how often: by looking at every minute around it. */
function instantsShowing(zone: string, date: string, minutes: number): number[] {
  const around = dayNumber(date) * DAY_MS + minutes * MINUTE_MS
  const found: number[] = []
  // Offsets are whole quarters of an hour in these zones and years.
  for (let at = around - 15 * 60 * MINUTE_MS; at <= around + 15 * 60 * MINUTE_MS; at += 15 * MINUTE_MS) {
    const shown = wallTimeAt(zone, at)
    if (shown.date === date && shown.minutes === minutes) found.push(at)
  }
  return found
}

describe('[SCHED-01] when a schedule is due', () => {
  it('once, daily, on chosen weekdays, in several windows a day, without exceptions, until the last day', () => {
    expect(dueOf({ repeat: { kind: 'once', date: '2026-11-20' } }, '2026-11-01T00:00Z', '2026-12-01T00:00Z')).toEqual([
      '2026-11-20T01:00:00.000Z',
    ])
    expect(
      dueOf(
        { firstDay: '2026-11-17', lastDay: '2026-11-20', exceptions: ['2026-11-19'] },
        '2026-11-01T00:00Z',
        '2026-12-01T00:00Z',
      ),
    ).toEqual(['2026-11-17T01:00:00.000Z', '2026-11-18T01:00:00.000Z', '2026-11-20T01:00:00.000Z'])
    // 16 November 2026 is a Monday.
    expect(
      dueOf(
        { repeat: { kind: 'weekdays', days: [1, 7] }, windows: [{ start: '20:00' }, { start: '08:30', minutes: 5 }] },
        '2026-11-16T00:00Z',
        '2026-11-23T00:00Z',
      ),
    ).toEqual([
      '2026-11-16T01:30:00.000Z',
      '2026-11-16T13:00:00.000Z',
      '2026-11-22T01:30:00.000Z',
      '2026-11-22T13:00:00.000Z',
    ])
  })

  it.each([
    ['Asia/Jakarta', '2026-11-16T01:00:00.000Z'],
    ['Asia/Makassar', '2026-11-16T00:00:00.000Z'],
    ['Asia/Jayapura', '2026-11-15T23:00:00.000Z'],
    ['America/New_York', '2026-11-16T13:00:00.000Z'],
  ])('by the clock of %s', (zone, due) => {
    expect(
      dueOf({ zone, repeat: { kind: 'once', date: '2026-11-16' } }, '2026-11-01T00:00Z', '2026-12-01T00:00Z'),
    ).toEqual([due])
  })

  it.each([
    ['a time on the wall', { start: '22:00', end: '02:00' }, '2026-11-16T19:00:00.000Z'],
    ['the same time a day later', { start: '22:00', end: '22:00' }, '2026-11-17T15:00:00.000Z'],
    ['a duration', { start: '22:00', minutes: 90 }, '2026-11-16T16:30:00.000Z'],
    ['nothing', { start: '22:00' }, null],
  ])('ends by %s', (_, window, ends) => {
    const [found] = occurrencesBetween(
      rule({ repeat: { kind: 'once', date: '2026-11-16' }, windows: [window] }),
      iso('2026-11-16T00:00Z'),
      iso('2026-11-18T00:00Z'),
    )
    expect(found?.endsAt).toBe(ends === null ? null : iso(ends))
  })

  it('at the leap where the clock leaps over it, and once where it comes twice, at the first', () => {
    const zone = 'Europe/Berlin'
    const windows = [{ start: '02:30', end: '02:45' }]
    expect(dueOf({ zone, windows }, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
    expect(dueOf({ zone, windows }, '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
    // The whole window is leapt over: it is as long as it was meant to be.
    const [leapt] = occurrencesBetween(rule({ zone, windows }), iso('2026-03-29T00:00Z'), iso('2026-03-29T12:00Z'))
    expect(leapt?.endsAt).toBe(iso('2026-03-29T01:15:00Z'))
    // Two that begin at the leap are one.
    const two = rule({
      zone,
      windows: [
        { start: '02:10', minutes: 5 },
        { start: '02:30', minutes: 50 },
      ],
    })
    const joined = occurrencesBetween(two, iso('2026-03-29T00:00Z'), iso('2026-03-29T12:00Z'))
    expect(joined).toMatchObject([{ dueAt: iso('2026-03-29T01:00Z'), endsAt: iso('2026-03-29T01:50Z') }])
  })

  it('next, also after a long pause and far ahead, and never again after the last', () => {
    const once = rule({ repeat: { kind: 'once', date: '2031-05-01' } })
    expect(nextOccurrence(once, iso('2026-01-01T00:00Z'))?.dueAt).toBe(iso('2031-05-01T01:00Z'))
    expect(nextOccurrence(once, iso('2031-05-01T01:00Z'))?.dueAt).toBe(iso('2031-05-01T01:00Z'))
    expect(nextOccurrence(once, iso('2031-05-01T01:00Z') + 1)).toBeNull()
    const exceptions = Array.from({ length: 366 }, (_, index) => dateOfDay(dayNumber('2026-01-01') + index))
    expect(nextOccurrence(rule({ exceptions }), iso('2026-01-01T00:00Z'))?.date).toBe('2027-01-02')
    expect(nextOccurrence(rule({ lastDay: '2026-01-05' }), iso('2026-01-06T00:00Z'))).toBeNull()
  })

  it('exactly once per date and window, never before the wall shows it, in any zone, around every change of its clock', () => {
    const someDay = fc.integer({ min: dayNumber('2024-01-01'), max: dayNumber('2029-12-31') })
    const someMinute = fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15)
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        someDay,
        someMinute,
        fc.integer({ min: 1, max: 40 }),
        (zone, day, minutes, days) => {
          const lastDay = dateOfDay(day + days - 1)
          const one = rule({ zone, windows: [{ start: clock(minutes) }], firstDay: dateOfDay(day), lastDay })
          const found = occurrencesBetween(one, (day - 3) * DAY_MS, (day + days + 3) * DAY_MS)
          expect(found.map(({ date }) => date)).toEqual(
            Array.from({ length: days }, (_, index) => dateOfDay(day + index)),
          )
          for (const { date, dueAt } of found) {
            const [first] = instantsShowing(zone, date, minutes)
            if (first !== undefined) expect(dueAt).toBe(first)
            // Leapt over: just before, the wall showed less, and now it shows more.
            else {
              const before = wallTimeAt(zone, dueAt - MINUTE_MS)
              const now = wallTimeAt(zone, dueAt)
              const wanted = dayNumber(date) * 1440 + minutes
              expect(dayNumber(before.date) * 1440 + before.minutes).toBeLessThan(wanted)
              expect(dayNumber(now.date) * 1440 + now.minutes).toBeGreaterThan(wanted)
            }
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('the same however the time is cut into pieces: none lost and none doubled at a cut', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 20 * 1440 }), { maxLength: 6 })
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom('2026-03-20', '2026-10-18'),
        cuts,
        (zone, date, minutes) => {
          const windows = [{ start: '00:00' }, { start: '02:15' }, { start: '23:45' }]
          const three = rule({ zone, windows, exceptions: ['2026-03-29', '2026-10-25'] })
          const from = iso(`${date}T00:00Z`)
          const to = from + 20 * DAY_MS
          const edges = [from, ...minutes.map((minute) => from + minute * MINUTE_MS), to].sort((a, b) => a - b)
          const pieces = edges.slice(1).flatMap((edge, index) => occurrencesBetween(three, edges[index] ?? edge, edge))
          expect(pieces).toEqual(occurrencesBetween(three, from, to))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('an instant shows the time that it was made of, wherever the wall ever shows that time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: dayNumber('2000-01-01'), max: dayNumber('2090-12-31') }),
        fc.integer({ min: 0, max: 1439 }),
        (zone, day, minutes) => {
          const wanted = { date: dateOfDay(day), minutes }
          const at = instantOf(zone, wanted)
          const shown = wallTimeAt(zone, at)
          const isLeap = wallTimeAt(zone, at - 1).minutes !== (shown.minutes + 1439) % 1440
          if (!isLeap) expect(shown).toEqual(wanted)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('windows', () => {
  it.each([
    [
      false,
      {
        windows: [
          { start: '08:00', end: '12:00' },
          { start: '12:00', end: '13:00' },
        ],
      },
    ],
    [
      true,
      {
        windows: [
          { start: '08:00', end: '12:01' },
          { start: '12:00', end: '13:00' },
        ],
      },
    ],
    [true, { windows: [{ start: '08:00' }, { start: '12:00', end: '13:00' }] }],
    [
      true,
      {
        windows: [
          { start: '08:00', minutes: 5 },
          { start: '08:00', minutes: 5 },
        ],
      },
    ],
    [false, { windows: [{ start: '08:00', minutes: 1440 }] }],
    [true, { windows: [{ start: '08:00', minutes: 1441 }] }],
    [false, { repeat: { kind: 'weekdays', days: [1] }, windows: [{ start: '08:00', minutes: 10_080 }] }],
    [true, { repeat: { kind: 'weekdays', days: [1, 7] }, windows: [{ start: '08:00', minutes: 1500 }] }],
    [false, { repeat: { kind: 'once', date: '2026-11-16' }, windows: [{ start: '08:00', minutes: 10_080 }] }],
    [false, { windows: [{ start: '08:00' }] }],
  ])('overlap: %s for %j', (expected, given) => {
    expect(hasOverlaps(rule(given))).toBe(expected)
  })
  it('knows a time of day', () => expect(minutesOf('23:59')).toBe(1439))
})

describe('a rule', () => {
  it.each([
    { zone: 'Mars/Base' },
    { zone: '+07:00' },
    { firstDay: '2026-02-30' },
    { repeat: { kind: 'weekdays', days: [] } },
    { repeat: { kind: 'weekdays', days: [8] } },
    { repeat: { kind: 'hourly' } },
    { windows: [] },
    { windows: [{ start: '24:00' }] },
    { windows: [{ start: '08:00', end: '09:00', minutes: 5 }] },
    { windows: Array.from({ length: 13 }, () => ({ start: '08:00' })) },
  ])('is refused: %j', (given) => {
    expect(ScheduleRule.safeParse({ repeat: { kind: 'daily' }, windows: [{ start: '08:00' }], ...given }).success).toBe(
      false,
    )
  })
})
