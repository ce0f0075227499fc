import { z } from 'zod'
import { Answer } from '../answers.ts'
import { LookAnswered } from '../branding.ts'
import { LIVE_TITLE_MAX } from '../limits.ts'
import { PLATFORMS } from '../platforms.ts'
import { ScheduleDate, ScheduleRule, ShownRule } from './schedule-rule.ts'
import { SCHEDULE_TEXTS } from './schedule-texts.ts'
import { ScheduledStartBody, ScheduledStartChange, ScheduledTarget } from './scheduled-start.ts'

export const SCHEDULES_MAX = 200
export const SCHEDULES_PAGE_MAX = 100
/** A week view needs eight days, a month view six weeks. */
export const UPCOMING_DAYS_MAX = 45

const Title = z
  .string({ error: SCHEDULE_TEXTS.titleInvalid })
  .transform((title) => title.replace(/\p{Cc}/gu, '').trim())
  .pipe(z.string().max(LIVE_TITLE_MAX, SCHEDULE_TEXTS.titleInvalid))
const EndAtPass = z.boolean({ error: SCHEDULE_TEXTS.flagInvalid })

export const CreateScheduleBody = z.object({
  /** Empty: the title of the broadcast, or the name of its source. */
  title: Title.optional(),
  rule: ScheduleRule,
  /** True: it ends at the end of the pass in which its time comes. False: to the second. */
  endAtPass: EndAtPass.default(false),
  broadcast: ScheduledStartBody,
})
export type CreateScheduleBody = z.infer<typeof CreateScheduleBody>

export const ChangeScheduleBody = z.object({
  title: Title.optional(),
  rule: ScheduleRule.optional(),
  endAtPass: EndAtPass.optional(),
  /** Replaces what is started. Without a target, those from before stay; a target without a key has the one from before. */
  broadcast: ScheduledStartChange.optional(),
  /** The version that was seen: refused where somebody else has changed the schedule since. Left out: only what this names is changed. */
  version: z.int({ error: SCHEDULE_TEXTS.versionInvalid }).optional(),
})
export type ChangeScheduleBody = z.infer<typeof ChangeScheduleBody>

export const SkipDateBody = z.object({
  date: ScheduleDate,
  /** False: it happens after all. */
  skip: z.boolean({ error: SCHEDULE_TEXTS.flagInvalid }).default(true),
})
export type SkipDateBody = z.infer<typeof SkipDateBody>

export const ScheduleListQuery = z.object({
  cursor: z.string({ error: SCHEDULE_TEXTS.cursorInvalid }).max(200, SCHEDULE_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: SCHEDULE_TEXTS.cursorInvalid })
    .int(SCHEDULE_TEXTS.cursorInvalid)
    .min(1, SCHEDULE_TEXTS.cursorInvalid)
    .max(SCHEDULES_PAGE_MAX, SCHEDULE_TEXTS.cursorInvalid)
    .default(50),
})
const Instant = z.iso.datetime({ offset: true, error: SCHEDULE_TEXTS.rangeInvalid })
export const UpcomingQuery = z.object({ from: Instant.optional(), to: Instant.optional() })
export type UpcomingQuery = z.infer<typeof UpcomingQuery>

/**
 * 'due': to come, or tried again within its window. 'starting': just now. 'started': its broadcast was started. 'ended': at its time.
 * 'missed': the server was away for all of its window. 'failed': it could not be started as long as its window lasted.
 */
export const OccurrenceState = z.enum(['due', 'starting', 'started', 'ended', 'missed', 'failed', 'skipped'])
export type OccurrenceState = z.infer<typeof OccurrenceState>

export const ScheduledOccurrence = z.object({
  scheduleId: z.string(),
  title: z.string(),
  /** The platform of its first target. */
  platform: z.enum(PLATFORMS),
  targets: z.array(ScheduledTarget),
  /** On the wall of the schedule's zone. */
  date: z.string(),
  dueAt: z.iso.datetime(),
  /** Null: it goes on until somebody ends it. */
  endsAt: z.iso.datetime().nullable(),
  state: OccurrenceState,
  /** Why it has not started, or why what it started is not on air, as a code and in words. */
  reasonCode: z.string().nullable(),
  reason: z.string().nullable(),
  /** Why it could not start as things stand, known up to an hour ahead. */
  warningCode: z.string().nullable(),
  warning: z.string().nullable(),
  /** The broadcast that it started. */
  streamId: z.string().nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** How many whole minutes after its time it began; null: it began on time, or has not begun. */
  lateMinutes: z.int().nullable(),
})
export type ScheduledOccurrence = z.infer<typeof ScheduledOccurrence>

/** What is started, without its keys. */
export const ScheduledBroadcast = z.object({
  source: z.string(),
  /** The platform of its first target. */
  platform: z.enum(PLATFORMS),
  targets: z.array(ScheduledTarget),
  looping: z.boolean(),
  title: z.string().nullable(),
  accountId: z.string().nullable(),
  fallback: z.string().nullable(),
  record: z.boolean(),
  /** The recipe of the version that is sent; null: what fits each target. */
  rendition: z.string().nullable(),
  /** The logo on an online source; null: none stands on it. */
  logo: LookAnswered.shape.logo,
})

export const Schedule = z.object({
  id: z.string(),
  /** Raised by each change of it. */
  version: z.number().int(),
  title: z.string(),
  rule: ShownRule,
  endAtPass: z.boolean(),
  broadcast: ScheduledBroadcast,
  paused: z.boolean(),
  /** When it is due next; null: paused, or never again. */
  nextAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Schedule = z.infer<typeof Schedule>

export const ScheduleAnswer = Answer.extend({ data: Schedule })
export const ScheduleListAnswer = Answer.extend({ data: z.array(Schedule), nextCursor: z.string().nullable() })
export const UpcomingAnswer = Answer.extend({
  data: z.array(ScheduledOccurrence),
  /** There are more than fit into one answer: ask for a shorter time. */
  more: z.boolean(),
})
