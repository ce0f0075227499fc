import { hasOverlaps } from '@siarin/contracts/schedules/overlapping-windows'
import { nextOccurrence } from '@siarin/contracts/schedules/recurrence'
import { DEFAULT_ZONE, ScheduleRule, type ScheduleWindow } from '@siarin/contracts/schedules/schedule-rule'
import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { wallTimeAt } from '@siarin/contracts/schedules/wall-time'

export type Repeat = ScheduleRule['repeat']['kind']
/** How a window ends: at a time on the wall, after a while, or never by itself. */
export type Ending = 'end' | 'minutes' | 'none'

/** A window as it is typed. */
export interface WindowForm {
  /** Tells the rows apart while they are typed into. */
  readonly id: number
  readonly start: string
  readonly ending: Ending
  readonly end: string
  readonly hours: string
  readonly minutes: string
}

/** A schedule as it is typed. What another repeat needs stays, for a person who changes their mind. */
export interface ScheduleForm {
  readonly repeat: Repeat
  readonly date: string
  /** 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[]
  readonly windows: readonly WindowForm[]
  /** Not asked for; a schedule that came by the API may have one. */
  readonly firstDay: string
  readonly lastDay: string
  readonly exceptions: readonly string[]
  readonly zone: string
  readonly endAtPass: boolean
}

const HOUR_MS = 3_600_000
const WORK_WEEK: readonly number[] = [1, 2, 3, 4, 5]

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const newWindow = (id: number, startMinutes: number): WindowForm => ({
  id,
  start: clockOf(startMinutes),
  ending: 'end',
  end: clockOf(startMinutes + 120),
  hours: '2',
  minutes: '0',
})

/** The next full hour, for two hours. */
export function newScheduleForm(nowMs: number): ScheduleForm {
  const { date, minutes } = wallTimeAt(DEFAULT_ZONE, nowMs + HOUR_MS)
  return {
    ...{ repeat: 'once', date, days: WORK_WEEK, firstDay: '', lastDay: '', exceptions: [], zone: DEFAULT_ZONE },
    windows: [newWindow(1, Math.floor(minutes / 60) * 60)],
    endAtPass: false,
  }
}

const toMinutes = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return (hours * 60 + minutes) % 1440
}

/** Another one, an hour after the last has begun or ended. */
export function addWindow(form: ScheduleForm): ScheduleForm {
  const last = form.windows.at(-1)
  const from = last ? (last.ending === 'end' && last.end) || last.start : '08:00'
  const id = Math.max(0, ...form.windows.map((window) => window.id)) + 1
  return { ...form, windows: [...form.windows, newWindow(id, (toMinutes(from) + 60) % 1440)] }
}

export const changeWindow = (form: ScheduleForm, id: number, change: Partial<WindowForm>): ScheduleForm => ({
  ...form,
  windows: form.windows.map((window) => (window.id === id ? { ...window, ...change } : window)),
})

export const removeWindow = (form: ScheduleForm, id: number): ScheduleForm => ({
  ...form,
  windows: form.windows.filter((window) => window.id !== id),
})

export const toggleDay = (form: ScheduleForm, day: number): ScheduleForm => ({
  ...form,
  days: form.days.includes(day) ? form.days.filter((each) => each !== day) : [...form.days, day].sort(),
})

/** Whether one of its windows ends by itself: only then there is a way to end. */
export const hasEnd = ({ windows }: ScheduleForm): boolean => windows.some(({ ending }) => ending !== 'none')

function windowOf({ start, ending, end, hours, minutes }: WindowForm): ScheduleWindow {
  if (ending === 'none') return { start }
  return ending === 'end' ? { start, end } : { start, minutes: Number(hours || 0) * 60 + Number(minutes || 0) }
}

function repeatOf({ repeat, date, days }: ScheduleForm): ScheduleRule['repeat'] {
  if (repeat === 'once') return { kind: repeat, date }
  return repeat === 'daily' ? { kind: repeat } : { kind: repeat, days: [...days] }
}

type ReadRule =
  | { readonly ok: true; readonly rule: ScheduleRule }
  /** What is missing or wrong, as the server would say it. */
  | { readonly ok: false; readonly text: string }

const no = (text: string): ReadRule => ({ ok: false, text })

/** `isNew`: it has to be due at some time to come. One that is on air may get another end, which the server judges. */
export function readRule(form: ScheduleForm, nowMs: number, isNew = true): ReadRule {
  const repeats = form.repeat !== 'once'
  const read = ScheduleRule.safeParse({
    repeat: repeatOf(form),
    windows: form.windows.map(windowOf),
    ...(repeats && form.firstDay && { firstDay: form.firstDay }),
    ...(repeats && form.lastDay && { lastDay: form.lastDay }),
    exceptions: repeats ? [...form.exceptions] : [],
    zone: form.zone,
  })
  if (!read.success) return no(faultWords(form) ?? read.error.issues[0]?.message ?? SCHEDULE_TEXTS.ruleInvalid)
  if (hasOverlaps(read.data)) return no(SCHEDULE_TEXTS.overlaps)
  if (isNew && !nextOccurrence(read.data, nowMs)) return no(SCHEDULE_TEXTS.neverDue)
  return { ok: true, rule: read.data }
}

/** The contract tells programs how to write a date; somebody at a form is told what to fill in. */
function faultWords({ repeat, date, days, windows }: ScheduleForm): string | null {
  if (repeat === 'once' && !date) return 'Isi tanggal siarannya.'
  if (repeat === 'weekdays' && days.length === 0) return 'Pilih setidaknya satu hari.'
  if (windows.some(({ start }) => !start)) return 'Isi jam mulainya.'
  if (windows.some(({ ending, end }) => ending === 'end' && !end)) return 'Isi jam selesainya.'
  return null
}

const windowForm = ({ start, end, minutes }: ScheduleWindow, at: number): WindowForm => {
  const blank = newWindow(at + 1, toMinutes(start))
  if (end !== undefined) return { ...blank, ending: 'end', end }
  if (minutes === undefined) return { ...blank, ending: 'none' }
  return { ...blank, ending: 'minutes', hours: String(Math.floor(minutes / 60)), minutes: String(minutes % 60) }
}

/** A saved schedule, to be changed. */
export function formOf(rule: ScheduleRule, endAtPass: boolean, nowMs: number): ScheduleForm {
  const { repeat, windows, firstDay = '', lastDay = '', exceptions, zone } = rule
  const blank = newScheduleForm(nowMs)
  return {
    repeat: repeat.kind,
    date: repeat.kind === 'once' ? repeat.date : blank.date,
    days: repeat.kind === 'weekdays' ? repeat.days : blank.days,
    windows: windows.map(windowForm),
    ...{ firstDay, lastDay, exceptions, zone, endAtPass },
  }
}
