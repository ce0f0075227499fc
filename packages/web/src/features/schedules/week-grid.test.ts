import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { describe, expect, it } from 'vitest'
import { groupOccurrences } from './occurrence-groups.ts'
import { daysFrom, LANES_MAX, weekGrid } from './week-grid.ts'

const ZONE = 'Asia/Jakarta'

/** By the clock in Jakarta. */
const at = (text: string): string => new Date(`${text}:00+07:00`).toISOString()

const occurrence = (id: string, due: string, ends: string | null, part: Partial<ScheduledOccurrence> = {}) =>
  ({
    ...{ scheduleId: id, title: id, platform: 'youtube', targets: [], date: due.slice(0, 10), state: 'due' },
    ...{ dueAt: at(due), endsAt: ends === null ? null : at(ends), streamId: null, startedAt: null, lateMinutes: null },
    ...{ reasonCode: null, reason: null, warningCode: null, warning: null },
    ...part,
  }) satisfies ScheduledOccurrence as ScheduledOccurrence

const DATES = daysFrom('2026-11-16', 7)
const grid = (...all: ScheduledOccurrence[]) => weekGrid(all, DATES, ZONE)
const places = (day: ReturnType<typeof grid>[number] | undefined) =>
  day?.blocks.map(({ occurrence: { title }, from, to, lane, lanes }) => [title, from / 60, to / 60, lane, lanes])

describe('[SCHED-04] the week grid', () => {
  it('has seven days, also over the end of a month', () => {
    expect(daysFrom('2026-11-28', 4)).toEqual(['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'])
    expect(grid().map(({ date }) => date)).toEqual(DATES)
  })

  it('puts a broadcast on its day and at its hours on the wall', () => {
    const days = grid(occurrence('a', '2026-11-18T19:00', '2026-11-18T21:30'))
    expect(days.map(({ blocks }) => blocks.length)).toEqual([0, 0, 1, 0, 0, 0, 0])
    expect(places(days[2])).toEqual([['a', 19, 21.5, 0, 1]])
  })

  it('goes by the zone of the reader', () => {
    const days = weekGrid([occurrence('a', '2026-11-17T01:00', '2026-11-17T03:00')], DATES, 'UTC')
    expect(places(days[0])).toEqual([['a', 18, 20, 0, 1]])
  })

  it('draws one over midnight on both days, and one that ends at midnight on its own alone', () => {
    const [first, second] = grid(occurrence('a', '2026-11-16T22:00', '2026-11-17T02:00'))
    expect(places(first)).toEqual([['a', 22, 24, 0, 1]])
    expect(places(second)).toEqual([['a', 0, 2, 0, 1]])
    expect([first?.blocks[0]?.goesOn, second?.blocks[0]?.fromBefore]).toEqual([true, true])
    const [own, next] = grid(occurrence('b', '2026-11-16T22:00', '2026-11-17T00:00'))
    expect(places(own)).toEqual([['b', 22, 24, 0, 1]])
    expect([own?.blocks[0]?.goesOn, next?.blocks]).toEqual([false, []])
  })

  it('fills the days in the middle of a long one, also one that began before the week', () => {
    const days = grid(occurrence('a', '2026-11-14T10:00', '2026-11-17T12:00'))
    expect(days.map(places).slice(0, 3)).toEqual([[['a', 0, 24, 0, 1]], [['a', 0, 12, 0, 1]], []])
  })

  it('draws a short one, and one without an end, large enough to press, and none beyond the day', () => {
    const [day] = grid(
      occurrence('a', '2026-11-16T08:00', '2026-11-16T08:01'),
      occurrence('b', '2026-11-16T23:50', null),
    )
    expect(places(day)).toEqual([
      ['a', 8, 9, 0, 1],
      ['b', 23, 24, 0, 1],
    ])
  })

  it('puts those that meet beside each other, and gives the others the whole width', () => {
    const [day] = grid(
      occurrence('a', '2026-11-16T08:00', '2026-11-16T10:00'),
      occurrence('b', '2026-11-16T09:00', '2026-11-16T11:00'),
      occurrence('c', '2026-11-16T10:00', '2026-11-16T12:00'),
      occurrence('d', '2026-11-16T13:00', '2026-11-16T14:00'),
    )
    expect(places(day)).toEqual([
      ['a', 8, 10, 0, 2],
      ['b', 9, 11, 1, 2],
      ['c', 10, 12, 0, 2],
      ['d', 13, 14, 0, 1],
    ])
  })

  it('counts those that do not fit beside each other', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((id) => occurrence(id, '2026-11-16T08:00', '2026-11-16T10:00'))
    const [day] = grid(...many)
    expect(day?.blocks).toHaveLength(LANES_MAX)
    expect(day?.hidden).toBe(2)
  })
})

describe('[SCHED-04] the list', () => {
  const now = Date.parse(at('2026-11-16T12:00'))
  const titles = (all: ScheduledOccurrence[]) => {
    const { coming, past } = groupOccurrences(all, ZONE, now)
    return {
      coming: coming.map(({ date, list }) => [date, ...list.map(({ title }) => title)]),
      past: past.map(({ title }) => title),
    }
  }

  it('has what is to come by day, and what has been with the newest first', () => {
    const all = [
      occurrence('missed', '2026-11-15T08:00', '2026-11-15T09:00', { state: 'missed' }),
      occurrence('failed', '2026-11-16T08:00', '2026-11-16T09:00', { state: 'failed' }),
      occurrence('on', '2026-11-16T11:00', '2026-11-16T13:00', { state: 'started' }),
      occurrence('next', '2026-11-16T19:00', null),
      occurrence('skipped', '2026-11-17T19:00', null, { state: 'skipped' }),
    ]
    expect(titles(all)).toEqual({
      coming: [
        ['2026-11-16', 'on', 'next'],
        ['2026-11-17', 'skipped'],
      ],
      past: ['failed', 'missed'],
    })
  })

  it('keeps one that is tried again within its window among those to come', () => {
    const late = occurrence('late', '2026-11-16T11:00', '2026-11-16T13:00', { reasonCode: 'server-full', reason: 'x' })
    expect(titles([late]).past).toEqual([])
  })
})
