import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import { lengthWords } from '@siarin/contracts/schedules/schedule-texts'
import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { describe, expect, it } from 'vitest'
import { momentWords, nextTimes, planWords, ruleWords, spanWords, stateWords } from './schedule-words.ts'

const rule = (part: Partial<ScheduleRule> = {}): ScheduleRule => ({
  repeat: { kind: 'daily' },
  windows: [{ start: '19:00', end: '21:00' }],
  exceptions: [],
  zone: 'Asia/Jakarta',
  ...part,
})
const weekdays = (...days: number[]) => rule({ repeat: { kind: 'weekdays', days } })

describe('[SCHED-01] what a schedule does, in words', () => {
  it.each([
    [rule(), 'setiap hari pukul 19.00 sampai 21.00 WIB'],
    [rule({ repeat: { kind: 'once', date: '2026-11-16' } }), 'sekali, Sen 16 Nov 2026, pukul 19.00 sampai 21.00 WIB'],
    [weekdays(1, 2, 3, 4, 5), 'setiap Senin sampai Jumat pukul 19.00 sampai 21.00 WIB'],
    [weekdays(7, 6), 'setiap Sabtu dan Minggu pukul 19.00 sampai 21.00 WIB'],
    [weekdays(1, 3, 5), 'setiap Senin, Rabu, dan Jumat pukul 19.00 sampai 21.00 WIB'],
    [weekdays(1, 2, 3, 4, 5, 6, 7), 'setiap hari pukul 19.00 sampai 21.00 WIB'],
    [
      rule({
        windows: [
          { start: '22:00', end: '02:00' },
          { start: '08:00', minutes: 90 },
        ],
        zone: 'Asia/Makassar',
      }),
      'setiap hari pukul 22.00 sampai 02.00 WITA keesokan harinya dan 08.00 WITA selama 1 jam 30 menit',
    ],
    [
      rule({ windows: [{ start: '05:00' }], zone: 'America/New_York', lastDay: '2026-11-30' }),
      'setiap hari pukul 05.00 waktu New York tanpa akhir, terakhir Sen 30 Nov 2026',
    ],
  ])('%#', (given, words) => {
    expect(ruleWords(given)).toBe(words)
  })

  it('says how it ends: to the second, at the end of a pass, or by hand', () => {
    expect(planWords(rule(), false)).toContain('berakhir tepat pada waktunya')
    expect(planWords(rule(), true)).toContain('putaran video yang sedang tayang diselesaikan dulu')
    expect(planWords(rule({ windows: [{ start: '05:00' }] }), true)).toContain('sampai Anda menghentikannya')
  })

  it.each([
    [45, '45 menit'],
    [120, '2 jam'],
    [1501, '1 hari 1 jam 1 menit'],
  ])('%i minutes', (minutes, words) => expect(lengthWords(minutes)).toBe(words))
})

describe('the next times', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  const words = (given: ScheduleRule): string[] =>
    nextTimes(given, now + 1).map(({ dueAt }) => momentWords(given.zone, dueAt))

  it('are three, without those that are skipped', () => {
    expect(words(rule({ exceptions: ['2026-11-18'] }))).toEqual([
      'Sel 17 Nov 2026 19.00',
      'Kam 19 Nov 2026 19.00',
      'Jum 20 Nov 2026 19.00',
    ])
  })

  it('are fewer before a last day, and none after it', () => {
    expect(words(rule({ lastDay: '2026-11-17' }))).toEqual(['Sel 17 Nov 2026 19.00'])
    expect(words(rule({ lastDay: '2026-11-16' }))).toEqual([])
  })
})

it('a span is read on the clock of a zone, and says when it ends on another day', () => {
  const [due, ends] = [Date.parse('2026-11-16T15:00:00Z'), Date.parse('2026-11-16T19:00:00Z')]
  expect(spanWords('Asia/Jakarta', due, ends)).toBe('22.00–02.00 (+1 hari)')
  expect(spanWords('UTC', due, ends)).toBe('15.00–19.00')
  expect(spanWords('UTC', due, null)).toBe('mulai 15.00')
})

describe('[SCHED-04] what has become of an occurrence', () => {
  const one = (part: Partial<ScheduledOccurrence>) =>
    stateWords({
      ...{
        scheduleId: 's',
        title: 'Malam',
        platform: 'youtube',
        targets: [],
        date: '2026-11-16',
        streamId: null,
        startedAt: null,
        lateMinutes: null,
      },
      ...{ dueAt: '2026-11-16T12:00:00.000Z', endsAt: null, state: 'due' },
      ...{ reasonCode: null, reason: null, warningCode: null, warning: null },
      ...part,
    })

  it('says what stands in the way, before and after', () => {
    expect(one({})).toEqual({ label: 'Menunggu', tone: 'neutral', why: null })
    expect(one({ warningCode: 'plan-limit', warning: 'Penuh.' })).toMatchObject({ tone: 'warn', why: 'Penuh.' })
    expect(one({ reasonCode: 'server-full', reason: 'Penuh.' })).toMatchObject({ label: 'Dicoba lagi', why: 'Penuh.' })
    expect(one({ state: 'missed', reason: 'Server tidak aktif.' })).toMatchObject({ label: 'Terlewat', tone: 'warn' })
    expect(one({ state: 'failed', reason: 'Video hilang.' })).toMatchObject({ label: 'Gagal', why: 'Video hilang.' })
  })

  it('[SCHED-03] says how late it began, while it is on air and afterwards', () => {
    expect(one({ state: 'started', lateMinutes: 12 })).toMatchObject({
      ...{ label: 'Sudah dimulai', why: 'Mulai terlambat 12 menit.' },
    })
    expect(one({ state: 'ended', lateMinutes: 65 })).toMatchObject({
      ...{ label: 'Selesai', why: 'Mulai terlambat 1 jam 5 menit.' },
    })
    expect(one({ state: 'ended' })).toMatchObject({ why: null })
  })

  it('never is red: whether it is on air only the list of broadcasts knows', () => {
    for (const state of ['due', 'starting', 'started', 'ended', 'missed', 'failed', 'skipped'] as const) {
      expect(one({ state }).tone).not.toBe('on-air')
    }
  })

  it('tells a skipped date from a paused schedule', () => {
    expect(one({ state: 'skipped', reasonCode: 'skipped', reason: 'x' })).toMatchObject({
      label: 'Dilewati',
      why: null,
    })
    expect(one({ state: 'skipped', reasonCode: 'paused', reason: 'x' })).toMatchObject({ label: 'Dijeda', why: 'x' })
  })
})
