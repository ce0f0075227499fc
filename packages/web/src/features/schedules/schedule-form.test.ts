import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { describe, expect, it } from 'vitest'
import {
  addWindow,
  changeWindow,
  formOf,
  newScheduleForm,
  readRule,
  removeWindow,
  type ScheduleForm,
  toggleDay,
} from './schedule-form.ts'

/** Monday, 15:20 on the wall in Jakarta. */
const NOW = Date.parse('2026-11-16T08:20:00Z')
const fresh = newScheduleForm(NOW)
const daily: ScheduleForm = { ...fresh, repeat: 'daily' }

const ruleOf = (form: ScheduleForm) => {
  const read = readRule(form, NOW)
  if (!read.ok) throw new Error(read.text)
  return read.rule
}
const faultOf = (form: ScheduleForm, isNew = true): string | null => {
  const read = readRule(form, NOW, isNew)
  return read.ok ? null : read.text
}

describe('[SCHED-01] a new schedule', () => {
  it('is once, at the next full hour in Jakarta, for two hours', () => {
    expect(ruleOf(fresh)).toEqual({
      repeat: { kind: 'once', date: '2026-11-16' },
      windows: [{ start: '16:00', end: '18:00' }],
      exceptions: [],
      zone: 'Asia/Jakarta',
    })
  })

  it('an hour before midnight begins on the next day', () => {
    const late = newScheduleForm(Date.parse('2026-11-16T16:30:00Z'))
    expect(late.date).toBe('2026-11-17')
    expect(late.windows[0]).toMatchObject({ start: '00:00', end: '02:00' })
  })

  it('ends at a time, after a while, or never by itself', () => {
    const long = changeWindow(fresh, 1, { ending: 'minutes', hours: '1', minutes: '30' })
    expect(ruleOf(long).windows).toEqual([{ start: '16:00', minutes: 90 }])
    expect(ruleOf(changeWindow(fresh, 1, { ending: 'none' })).windows).toEqual([{ start: '16:00' }])
  })

  it('has chosen weekdays, a last day, and several windows that do not meet', () => {
    const form = addWindow(toggleDay({ ...fresh, repeat: 'weekdays', lastDay: '2026-12-31' }, 5))
    expect(ruleOf(form)).toMatchObject({
      repeat: { kind: 'weekdays', days: [1, 2, 3, 4] },
      windows: [
        { start: '16:00', end: '18:00' },
        { start: '19:00', end: '21:00' },
      ],
      lastDay: '2026-12-31',
    })
    expect(removeWindow(form, 1).windows).toHaveLength(1)
  })

  it('without a repeat has neither a last day nor dates to skip', () => {
    const rule = ruleOf({ ...fresh, lastDay: '2026-12-31', exceptions: ['2026-11-20'] })
    expect(rule).toMatchObject({ exceptions: [] })
    expect(rule).not.toHaveProperty('lastDay')
  })
})

describe('a schedule that cannot be saved', () => {
  it.each([
    ['no date', { ...fresh, date: '' }, 'Isi tanggal siarannya.'],
    ['no day', { ...fresh, repeat: 'weekdays', days: [] }, 'Pilih setidaknya satu hari.'],
    ['no start', changeWindow(fresh, 1, { start: '' }), 'Isi jam mulainya.'],
    ['no end', changeWindow(fresh, 1, { end: '' }), 'Isi jam selesainya.'],
    [
      'no length',
      changeWindow(fresh, 1, { ending: 'minutes', hours: '', minutes: '' }),
      SCHEDULE_TEXTS.durationInvalid,
    ],
    ['a time that is over', { ...fresh, date: '2026-11-15' }, SCHEDULE_TEXTS.neverDue],
    ['a last day that is over', { ...daily, lastDay: '2026-11-15' }, SCHEDULE_TEXTS.neverDue],
    ['windows that meet', changeWindow(addWindow(daily), 2, { start: '17:00' }), SCHEDULE_TEXTS.overlaps],
  ] satisfies [string, ScheduleForm, string][])('says so: %s', (_what, form, text) => {
    expect(faultOf(form)).toBe(text)
  })

  it('may be one that is over where it is changed: it may be on air still', () => {
    expect(faultOf({ ...fresh, date: '2026-11-15' }, false)).toBeNull()
  })
})

it('a saved schedule comes back as it was', () => {
  const rule = {
    repeat: { kind: 'weekdays' as const, days: [2, 6] },
    windows: [
      { start: '22:00', end: '02:00' },
      { start: '08:00', minutes: 95 },
    ],
    firstDay: '2026-11-01',
    lastDay: '2027-01-31',
    exceptions: ['2026-12-26'],
    zone: 'Asia/Jayapura',
  }
  const form = formOf(rule, true, NOW)
  expect(form.endAtPass).toBe(true)
  expect(ruleOf(form)).toEqual(rule)
})
