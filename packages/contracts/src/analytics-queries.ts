import { z } from 'zod'
import { ANALYTICS_TEXTS } from './analytics-texts.ts'
import { DEFAULT_ZONE, ScheduleDate } from './schedules/schedule-rule.ts'
import { isZone } from './schedules/wall-time.ts'

/** A year, and a day on both sides for a zone. */
export const ANALYTICS_DAYS_MAX = 366
const PAGE_MAX = 100

export const AnalyticsZone = z
  .string({ error: ANALYTICS_TEXTS.zoneInvalid })
  .refine(isZone, { error: ANALYTICS_TEXTS.zoneInvalid })
  .default(DEFAULT_ZONE)

export const AnalyticsRangeQuery = z.object({
  from: ScheduleDate.optional(),
  to: ScheduleDate.optional(),
  zone: AnalyticsZone,
})
export type AnalyticsRangeQuery = z.infer<typeof AnalyticsRangeQuery>

export const AnalyticsBroadcastsQuery = AnalyticsRangeQuery.extend({
  cursor: z.string({ error: ANALYTICS_TEXTS.cursorInvalid }).max(200, ANALYTICS_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: ANALYTICS_TEXTS.cursorInvalid })
    .int(ANALYTICS_TEXTS.cursorInvalid)
    .min(1, ANALYTICS_TEXTS.cursorInvalid)
    .max(PAGE_MAX, ANALYTICS_TEXTS.cursorInvalid)
    .default(50),
})
export type AnalyticsBroadcastsQuery = z.infer<typeof AnalyticsBroadcastsQuery>

const Instant = z.iso.datetime({ offset: true, error: ANALYTICS_TEXTS.instantInvalid })
const StreamId = z.string({ error: ANALYTICS_TEXTS.streamInvalid }).min(1, ANALYTICS_TEXTS.streamInvalid)
export const SeriesQuery = z.object({
  streamId: StreamId.max(100, ANALYTICS_TEXTS.streamInvalid),
  from: Instant.optional(),
  to: Instant.optional(),
})
export type SeriesQuery = z.infer<typeof SeriesQuery>

/** days: a line per day and platform. broadcasts: one per stream. incidents: one per incident. */
const CsvKind = z.enum(['days', 'broadcasts', 'incidents'], { error: ANALYTICS_TEXTS.csvKindInvalid })
export const AnalyticsCsvQuery = AnalyticsRangeQuery.extend({ kind: CsvKind.default('days') })
export type AnalyticsCsvQuery = z.infer<typeof AnalyticsCsvQuery>

export const ReportQuery = z.object({
  month: z
    .string({ error: ANALYTICS_TEXTS.monthInvalid })
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, ANALYTICS_TEXTS.monthInvalid),
  zone: AnalyticsZone,
})
export type ReportQuery = z.infer<typeof ReportQuery>
