import { type AnalyticsBroadcast, type AnalyticsSummary, INCIDENTS_MAX } from '@siarin/contracts/analytics'
import type { AnalyticsBroadcastsQuery, AnalyticsRangeQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access, Range } from './access.ts'
import type { LivesReads, ToldStream } from './lives.reads.ts'
import { summarize } from './summarize.ts'
import { broadcastOf, byNumber, incidentsOf, longestRunOf } from './views.ts'

interface OverviewDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly clock: Clock
}

type Figures = Omit<AnalyticsSummary, 'access' | 'oldestDate'>

const cursorOf = ({ startedAt, broadcastId }: AnalyticsBroadcast): string =>
  Buffer.from(`${Date.parse(startedAt)} ${broadcastId}`).toString('base64url')

function placeOf(cursor: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new DomainError('invalid_input', ANALYTICS_TEXTS.cursorInvalid)
  return { at: Number(at), id }
}

/** Broadcasts, newest first: each with when it was asked for. */
function broadcastsOf(streams: readonly ToldStream[]): { id: string; at: number }[] {
  const begun = new Map<string, number>()
  for (const { broadcastId, askedAt } of streams) {
    begun.set(broadcastId, Math.min(askedAt, begun.get(broadcastId) ?? askedAt))
  }
  return [...begun]
    .map(([id, at]) => ({ id, at }))
    .sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
}

/** What a workspace had on air in some days. */
export function createOverview({ access, reads, clock }: OverviewDeps) {
  async function figuresOf(workspaceId: string, range: Omit<Range, 'oldestDate'>): Promise<Figures> {
    const { zone, from, to, days, fromMs, toMs } = range
    const now = clock.now()
    const streams = await reads.between(workspaceId, fromMs, toMs)
    const spans = await reads.spans(streams, fromMs, toMs)
    const known = byNumber(streams)
    const { totals, longest, ...byDay } = summarize(days, streams, spans, now)
    const incidents = incidentsOf(known, spans, now, INCIDENTS_MAX + 1)
    return {
      ...{ zone, from, to },
      totals: { ...totals, longestRun: longestRunOf(known, longest) },
      ...byDay,
      incidents: incidents.slice(0, INCIDENTS_MAX),
      moreIncidents: incidents.length > INCIDENTS_MAX,
    }
  }

  async function broadcasts(workspaceId: string, ids: readonly string[]): Promise<AnalyticsBroadcast[]> {
    const streams = await reads.ofBroadcasts(workspaceId, ids)
    const now = clock.now()
    const spans = await reads.spans(streams, 0, now + 1)
    const streamsBy = Map.groupBy(streams, ({ broadcastId }) => broadcastId)
    const spansBy = Map.groupBy(spans, ({ streamNo }) => streamNo)
    return ids.flatMap((id) => {
      const own = streamsBy.get(id) ?? []
      const ownSpans = own.flatMap(({ no }) => spansBy.get(no) ?? [])
      return broadcastOf(own, ownSpans, now) ?? []
    })
  }

  return {
    figuresOf,
    async summary(caller: Caller, query: AnalyticsRangeQuery): Promise<AnalyticsSummary> {
      const rights = await access.rightsOf(caller)
      const range = access.rangeOf(rights, query)
      const { days, csv, live, report } = rights
      const figures = await figuresOf(caller.workspaceId, range)
      return { ...figures, access: { days, csv, live, report }, oldestDate: range.oldestDate }
    },
    async list(caller: Caller, query: AnalyticsBroadcastsQuery) {
      const { fromMs, toMs } = access.rangeOf(await access.rightsOf(caller), query)
      const all = broadcastsOf(await reads.between(caller.workspaceId, fromMs, toMs))
      const after = query.cursor ? placeOf(query.cursor) : null
      const rest = after ? all.filter(({ id, at }) => at < after.at || (at === after.at && id < after.id)) : all
      const page = rest.slice(0, query.limit)
      const data = await broadcasts(
        caller.workspaceId,
        page.map(({ id }) => id),
      )
      const last = data.at(-1)
      return { data, nextCursor: last && rest.length > page.length ? cursorOf(last) : null }
    },
    /** Those with the most time on air. */
    async longest(workspaceId: string, fromMs: number, toMs: number, most: number): Promise<AnalyticsBroadcast[]> {
      const all = broadcastsOf(await reads.between(workspaceId, fromMs, toMs))
      const found = await broadcasts(
        workspaceId,
        all.map(({ id }) => id),
      )
      return found.sort((one, other) => other.onAirSeconds - one.onAirSeconds).slice(0, most)
    },
  }
}

export type Overview = ReturnType<typeof createOverview>
