import { describe, expect, it } from 'vitest'
import { FeatureError } from '../../lib/feature-calls.ts'
import { firstRows, matches, NO_FILTER, rowOf, sectionsOf } from './room-list.ts'
import type { RoomRow } from './room-row.ts'
import { namesOf, outcomeWords } from './room-words.ts'

const row = (id: string, change: Partial<RoomRow> = {}): RoomRow => ({
  ...{ id, group: 'live', isOpen: true, name: id, source: '', picture: null, targets: [], word: 'Tayang' },
  ...{ onAirSince: '2026-11-16T08:00:00.000Z', playing: null, trouble: null, nextTryAt: null, note: null },
  ...{ stopping: false, startedAt: '2026-11-16T08:00:00.000Z', endedAt: null, again: [] },
  ...change,
})
const target = (platform: 'youtube' | 'facebook', name: string): RoomRow['targets'][number] => ({
  ...{ streamId: name, platform, name, lamp: 'live', word: 'Tayang' },
})
const orderOf = (rows: RoomRow[], filter = NO_FILTER) =>
  sectionsOf(rows, filter).map(({ group, rows: shown }) => [group, ...shown.map(({ id }) => id)])

describe('the order', () => {
  it('is by state, trouble first, and states without rows are left out', () => {
    expect(
      orderOf([
        row('over', { group: 'ended', isOpen: false }),
        row('fine'),
        row('queued', { group: 'waiting' }),
        row('bad', { group: 'attention' }),
      ]),
    ).toEqual([
      ['attention', 'bad'],
      ['live', 'fine'],
      ['waiting', 'queued'],
      ['ended', 'over'],
    ])
    expect(orderOf([row('fine')])).toEqual([['live', 'fine']])
  })

  it('has among troubles first what nobody sees, then what some see, then what is over', () => {
    expect(
      orderOf([
        row('failed', { group: 'attention', isOpen: false, onAirSince: null, endedAt: '2026-11-16T23:00:00.000Z' }),
        row('partly', { group: 'attention', startedAt: '2026-11-16T22:00:00.000Z' }),
        row('dark', { group: 'attention', onAirSince: null }),
      ]),
    ).toEqual([['attention', 'dark', 'partly', 'failed']])
  })

  it('is newest first within a state, and the same whatever order they come in', () => {
    const rows = [row('b'), row('new', { startedAt: '2026-11-16T09:00:00.000Z' }), row('a')]
    expect(orderOf(rows)).toEqual([['live', 'new', 'a', 'b']])
    expect(orderOf(rows.toReversed())).toEqual(orderOf(rows))
  })
})

describe('the search', () => {
  const found = row('Hujan di Ubud', { source: 'ubud.mp4', targets: [target('youtube', 'Kanal malam')] })

  it.each(['hujan', 'UBUD', 'kanal', 'youtube', 'malam hujan', '  ubud.mp4 ', ''])('finds it by %j', (words) => {
    expect(matches(found, { ...NO_FILTER, words })).toBe(true)
  })

  it.each(['senja', 'facebook', 'hujan senja'])('does not by %j', (words) => {
    expect(matches(found, { ...NO_FILTER, words })).toBe(false)
  })

  it('goes with the platform of any target and with the state', () => {
    const both = row('both', { targets: [target('youtube', 'a'), target('facebook', 'b')] })
    expect(orderOf([found, both], { ...NO_FILTER, platform: 'facebook' })).toEqual([['live', 'both']])
    expect(orderOf([found, row('q', { group: 'waiting' })], { ...NO_FILTER, group: 'waiting' })).toEqual([
      ['waiting', 'q'],
    ])
  })
})

it('paints the first rows across states, and knows of the others', () => {
  const sections = sectionsOf([row('a'), row('b'), row('q', { group: 'waiting' })], NO_FILTER)
  const painted = firstRows(sections, 1)
  expect(painted.map((section) => [section.rows.length, section.painted.length])).toEqual([[2, 1]])
  expect(firstRows(sections, Number.POSITIVE_INFINITY).flatMap((section) => section.painted)).toHaveLength(3)
})

describe('the words', () => {
  it.each([
    [['a'], '“a”'],
    [['a', 'b', 'c'], '“a”, “b” dan “c”'],
    [['a', 'b', 'c', 'd', 'e'], '“a”, “b”, “c” dan 2 lainnya'],
  ])('name %j as %s', (names, words) => {
    expect(namesOf(names.map((name) => ({ name })))).toBe(words)
  })

  it('say what was done and why not all of it', () => {
    expect(outcomeWords({ done: 2, failures: [] }, 'dihentikan')).toEqual({
      title: '2 siaran dihentikan.',
      reason: null,
    })
    expect(outcomeWords({ done: 1, failures: [new FeatureError('Paket penuh.')] }, 'dimulai lagi')).toEqual({
      ...{ title: '1 siaran dimulai lagi, 1 gagal.', reason: 'Paket penuh.' },
    })
    expect(outcomeWords({ done: 0, failures: [new Error('x')] }, 'dihentikan').title).toBe('1 gagal.')
  })
})

it('finds a row by its broadcast, or by one of its streams', () => {
  const rows = [row('one', { targets: [target('youtube', 'stream-1')] }), row('two')]
  expect([rowOf(rows, 'stream-1')?.id, rowOf(rows, 'two')?.id, rowOf(rows, 'other'), rowOf(rows, null)]).toEqual([
    'one',
    'two',
    undefined,
    undefined,
  ])
})
