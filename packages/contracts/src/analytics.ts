import { z } from 'zod'
import { AnalyticsZone } from './analytics-queries.ts'
import { ANALYTICS_TEXTS } from './analytics-texts.ts'
import { Answer } from './answers.ts'
import { PLATFORMS } from './platforms.ts'
import { StreamEventKind, StreamPhase } from './streams.ts'

/*
 * | call | answer | plan |
 * |---|---|---|
 * | GET /fitur/analytics/summary?from&to&zone | AnalyticsSummaryAnswer | days by plan |
 * | GET /fitur/analytics/broadcasts?from&to&zone&cursor&limit | AnalyticsBroadcastsAnswer | days by plan |
 * | GET /fitur/analytics/broadcast/:id | BroadcastStoryAnswer (by the id of a broadcast or of one of its streams) | days by plan |
 * | GET /fitur/analytics/series?streamId&from&to | SeriesAnswer | days by plan |
 * | GET /fitur/analytics/csv?kind&from&to&zone | text/csv, also with ?ticket= | full |
 * | GET /fitur/analytics/live | server-sent events, also with ?ticket= | advanced |
 * | GET /fitur/analytics/report?month&zone | MonthlyReportAnswer | business |
 * | GET, PUT /fitur/analytics/report-mail | ReportMailAnswer | business |
 *
 * `from` and `to` are dates on the wall of `zone`, both counted; without them the last seven days. A range that begins before what the
 * plan shows is refused: 403 `plan_limit` with reasonCode `plan-analytics`. The same for a call that the plan does not have.
 *
 * The live feed sends `event: now` with a `LiveFigures` at once, with the last ten minutes of each stream, and then every five seconds
 * with what is new since; `event: refused` with `{ code, message }` at its end by us.
 */

export const INCIDENTS_MAX = 200

/** days: a line per day and platform. broadcasts: one per stream. incidents: one per incident. */
export type CsvKind = 'days' | 'broadcasts' | 'incidents'

/** What people know a stream by. */
const StreamNames = z.object({
  streamId: z.string(),
  broadcastId: z.string(),
  title: z.string(),
  platform: z.enum(PLATFORMS),
  targetName: z.string().nullable(),
})

const Shares = z.object({
  onAirSeconds: z.number().int(),
  /** How long it was to be on air: from the request to the end, with every interruption, also planned ones. */
  wantedSeconds: z.number().int(),
  /** Its share of the time that it was wanted, to two decimals; null: nothing was. */
  onAirPercent: z.number().nullable(),
  /** Those that began in this time. */
  incidents: z.number().int(),
})

export const Incident = StreamNames.extend({
  incidentId: z.string(),
  /** 'interrupted': it was on air before. 'failed': it never was, and was given up. */
  kind: z.enum(['interrupted', 'failed']),
  startedAt: z.iso.datetime(),
  /** Null: it lasts. */
  endedAt: z.iso.datetime().nullable(),
  /** How long it was off air. */
  seconds: z.number().int(),
  /**
   * How many incidents these are: those of a line that breaks every few seconds are told as one, from the first to the last, with how long
   * they lasted together. A server of an earlier version does not say it.
   */
  count: z.number().int().optional(),
  /** A code, and its sentence. */
  reasonCode: z.string(),
  reason: z.string(),
  /** A new session was needed, and the old one was ended on purpose. */
  planned: z.boolean(),
  /** 'open': it lasts. 'recovered': on air again. 'ended': its owner, or the end of its time, ended it. 'failed': given up. */
  outcome: z.enum(['open', 'recovered', 'ended', 'failed']),
})
export type Incident = z.infer<typeof Incident>

export const LongestRun = StreamNames.extend({
  startedAt: z.iso.datetime(),
  /** Null: it is still on air. */
  endedAt: z.iso.datetime().nullable(),
  /** Within the asked time. */
  seconds: z.number().int(),
})

const PlatformShares = Shares.extend({ platform: z.enum(PLATFORMS) })
export const AnalyticsDay = Shares.extend({ date: z.string(), platforms: z.array(PlatformShares) })
export type AnalyticsDay = z.infer<typeof AnalyticsDay>

export const AnalyticsSummary = z.object({
  zone: z.string(),
  /** Dates, both counted. */
  from: z.string(),
  to: z.string(),
  /** What the plan shows, and the first date of it. */
  access: z.object({ days: z.number().int(), csv: z.boolean(), live: z.boolean(), report: z.boolean() }),
  oldestDate: z.string(),
  totals: Shares.extend({
    broadcasts: z.number().int(),
    streams: z.number().int(),
    /** How long the incidents lasted together. */
    offAirSeconds: z.number().int(),
    longestRun: LongestRun.nullable(),
  }),
  platforms: z.array(PlatformShares),
  /** Each date of the range, in order, also where nothing was on air. */
  days: z.array(AnalyticsDay),
  /** Newest first, at most INCIDENTS_MAX. */
  incidents: z.array(Incident),
  moreIncidents: z.boolean(),
})
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>
export const AnalyticsSummaryAnswer = Answer.extend({ data: AnalyticsSummary })

export const StreamEnd = z.enum(['stopped', 'finished', 'failed'])

export const AnalyticsBroadcast = Shares.extend({
  broadcastId: z.string(),
  title: z.string(),
  platforms: z.array(z.enum(PLATFORMS)),
  streams: z.number().int(),
  startedAt: z.iso.datetime(),
  /** Null: it is wanted. */
  endedAt: z.iso.datetime().nullable(),
  scheduled: z.boolean(),
})
export type AnalyticsBroadcast = z.infer<typeof AnalyticsBroadcast>
/** Newest first; their figures are of their whole life. */
export const AnalyticsBroadcastsAnswer = Answer.extend({
  data: z.array(AnalyticsBroadcast),
  nextCursor: z.string().nullable(),
})

const Figures = z.array(z.number().nullable())
/**
 * Columns of one length, as charts take them. Each point stands for the time from `at` on, as long as the resolution says. A time
 * without figures (the server was away, the stream not there) has no point.
 */
export const Series = z.object({
  /** 5, 60 or 3600; of a long time or many targets also so many minutes or hours that the answer stays small. */
  resolutionSeconds: z.number().int(),
  /** Seconds since 1970. */
  at: z.array(z.number().int()),
  /** Averages while on air; of points of five seconds: as measured. */
  bitrateKbps: Figures,
  bitrateMinKbps: Figures,
  bitrateMaxKbps: Figures,
  fps: Figures,
  /** 1 is real time. */
  speed: Figures,
  /** The most that the network had not taken yet, in kB. */
  unsentKb: Figures,
  /** How much of the point it was on air, 0 to 100. */
  onAirPercent: z.array(z.number()),
})
export type Series = z.infer<typeof Series>
export const SeriesAnswer = Answer.extend({
  data: Series.extend({ streamId: z.string(), from: z.iso.datetime(), to: z.iso.datetime() }),
})

const Stretch = z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() })

export const StoryStream = StreamNames.extend({
  ...Shares.shape,
  ...Stretch.shape,
  firstLiveAt: z.iso.datetime().nullable(),
  ended: StreamEnd.nullable(),
  endReasonCode: z.string().nullable(),
  endReason: z.string().nullable(),
  longestRunSeconds: z.number().int(),
  /** When it was on air; the last ones, at most 200, and fewer of a broadcast to many targets. */
  runs: z.array(Stretch),
  /** Newest first, at most 100. */
  incidents: z.array(Incident),
  series: Series,
})
export type StoryStream = z.infer<typeof StoryStream>

export const StoryEvent = z.object({
  at: z.iso.datetime(),
  streamId: z.string(),
  kind: StreamEventKind,
  /** In words, or the name of what is on air from then on. */
  reason: z.string().nullable(),
})
export type StoryEvent = z.infer<typeof StoryEvent>

export const BroadcastStory = z.object({
  broadcastId: z.string(),
  title: z.string(),
  ...Stretch.shape,
  /** The time line: the broadcast's life, as far as the plan shows it. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** What started it; null: a person. */
  schedule: z.object({ scheduleId: z.string(), title: z.string(), dueAt: z.iso.datetime() }).nullable(),
  streams: z.array(StoryStream),
  /** Oldest first, the last 500: swaps, stand-ins, renewals and so on. Kept for a year. */
  events: z.array(StoryEvent),
  /** To come: empty until broadcasts are recorded. */
  recordings: z.array(z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime(), name: z.string() })),
})
export type BroadcastStory = z.infer<typeof BroadcastStory>
export const BroadcastStoryAnswer = Answer.extend({ data: BroadcastStory })

/** 'off': not on air. 'weak': the line hardly keeps up. 'bad': it does not. */
export const LiveHealth = z.enum(['good', 'weak', 'bad', 'off'])
export type LiveHealth = z.infer<typeof LiveHealth>

export const LiveStreamFigures = StreamNames.extend({
  state: StreamPhase,
  health: LiveHealth,
  /** Points of five seconds: in the first event those of the last ten minutes, then those since the last event. */
  series: Series,
})
export const LiveFigures = z.object({ at: z.iso.datetime(), streams: z.array(LiveStreamFigures) })
export type LiveFigures = z.infer<typeof LiveFigures>

export const MonthlyReport = AnalyticsSummary.omit({ access: true, oldestDate: true }).extend({
  month: z.string(),
  /** The month is not over. */
  isRunning: z.boolean(),
  brand: z.string(),
  owner: z.string(),
  /** The same figures of the month before. */
  before: Shares.nullable(),
  /** Those with the most time on air, at most 20. */
  broadcasts: z.array(AnalyticsBroadcast),
  /** Reasons of the incidents, the most frequent first. */
  reasons: z.array(
    z.object({ reasonCode: z.string(), reason: z.string(), count: z.number().int(), seconds: z.number().int() }),
  ),
})
export type MonthlyReport = z.infer<typeof MonthlyReport>
export const MonthlyReportAnswer = Answer.extend({ data: MonthlyReport })

/** Whether the report of each month goes out by e-mail, on the first day of the next one. */
export const ReportMailBody = z.object({ on: z.boolean({ error: ANALYTICS_TEXTS.flagInvalid }), zone: AnalyticsZone })
export type ReportMailBody = z.infer<typeof ReportMailBody>
export const ReportMailAnswer = Answer.extend({
  data: z.object({
    on: z.boolean(),
    zone: z.string(),
    /** False: the operator has set up no mail server. */
    available: z.boolean(),
    lastMonth: z.string().nullable(),
  }),
})
