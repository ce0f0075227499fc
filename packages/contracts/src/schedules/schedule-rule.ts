import { z } from 'zod'
import { SCHEDULE_TEXTS } from './schedule-texts.ts'
import { isZone } from './wall-time.ts'

export const DEFAULT_ZONE = 'Asia/Jakarta'
export const WINDOWS_MAX = 12
export const EXCEPTIONS_MAX = 366
/** A week. */
export const WINDOW_MINUTES_MAX = 7 * 1440
const LATEST_DATE = '2100-01-01'

const isDate = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && text < LATEST_DATE

/** `2026-02-30` would be read as a day of March. */
function isRealDate(text: string): boolean {
  if (!isDate(text)) return false
  const read = new Date(`${text}T00:00:00Z`)
  return read.getUTCDate() === Number(text.slice(8)) && read.getUTCMonth() + 1 === Number(text.slice(5, 7))
}

export const ScheduleDate = z.string({ error: SCHEDULE_TEXTS.dateInvalid }).refine(isRealDate, {
  error: SCHEDULE_TEXTS.dateInvalid,
})
const ClockTime = z
  .string({ error: SCHEDULE_TEXTS.timeInvalid })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, SCHEDULE_TEXTS.timeInvalid)

/** With `end`, or `minutes`, or neither: then it goes on until somebody ends it. An end at or before the start is on the next day. */
export const ScheduleWindow = z
  .object({
    start: ClockTime,
    end: ClockTime.optional(),
    minutes: z
      .int({ error: SCHEDULE_TEXTS.durationInvalid })
      .min(1, SCHEDULE_TEXTS.durationInvalid)
      .max(WINDOW_MINUTES_MAX, SCHEDULE_TEXTS.durationInvalid)
      .optional(),
  })
  .refine(({ end, minutes }) => end === undefined || minutes === undefined, {
    error: SCHEDULE_TEXTS.endTwice,
    path: ['end'],
  })
export type ScheduleWindow = z.infer<typeof ScheduleWindow>

const Repeat = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('once'), date: ScheduleDate }),
    z.object({ kind: z.literal('daily') }),
    z.object({
      kind: z.literal('weekdays'),
      /** 1 is Monday, 7 is Sunday. */
      days: z
        .array(
          z
            .int({ error: SCHEDULE_TEXTS.daysInvalid })
            .min(1, SCHEDULE_TEXTS.daysInvalid)
            .max(7, SCHEDULE_TEXTS.daysInvalid),
          {
            error: SCHEDULE_TEXTS.daysInvalid,
          },
        )
        .min(1, SCHEDULE_TEXTS.daysInvalid)
        .max(7, SCHEDULE_TEXTS.daysInvalid),
    }),
  ],
  { error: SCHEDULE_TEXTS.repeatInvalid },
)

/** When a schedule is due: times on the wall of a zone, so that a change of the clock there moves none of them. */
export const ScheduleRule = z.object(
  {
    repeat: Repeat,
    windows: z
      .array(ScheduleWindow, { error: SCHEDULE_TEXTS.windowsInvalid })
      .min(1, SCHEDULE_TEXTS.windowsInvalid)
      .max(WINDOWS_MAX, SCHEDULE_TEXTS.windowsInvalid),
    /** For schedules that repeat; both days count. */
    firstDay: ScheduleDate.optional(),
    lastDay: ScheduleDate.optional(),
    /** Dates on which nothing happens. */
    exceptions: z
      .array(ScheduleDate, { error: SCHEDULE_TEXTS.exceptionsInvalid })
      .max(EXCEPTIONS_MAX, SCHEDULE_TEXTS.exceptionsInvalid)
      .default([]),
    zone: z
      .string({ error: SCHEDULE_TEXTS.zoneInvalid })
      .refine(isZone, { error: SCHEDULE_TEXTS.zoneInvalid })
      .default(DEFAULT_ZONE),
  },
  { error: SCHEDULE_TEXTS.ruleInvalid },
)
export type ScheduleRule = z.infer<typeof ScheduleRule>

/** A rule in an answer. It was checked when it came: to check hundreds of dates again for each of a hundred schedules took a second. */
export const ShownRule = z.object({
  repeat: z.object({
    kind: z.enum(['once', 'daily', 'weekdays']),
    date: z.string().optional(),
    days: z.array(z.int()).optional(),
  }),
  windows: z.array(z.object({ start: z.string(), end: z.string().optional(), minutes: z.int().optional() })),
  firstDay: z.string().optional(),
  lastDay: z.string().optional(),
  exceptions: z.array(z.string()),
  zone: z.string(),
}) as unknown as z.ZodType<ScheduleRule>
