import {
  type AnalyticsBroadcast,
  type AnalyticsSummary,
  INCIDENTS_MAX,
  type Incident,
} from '@siarin/contracts/analytics'
import type { AnalyticsBroadcastsQuery, AnalyticsRangeQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access, Range } from './access.ts'
import type { Begin } from './broadcast-pages.ts'
import type { LivesReads } from './lives.reads.ts'
import type { ReasonShare } from './summarize.ts'
import type { SumsReads } from './sums.repo.ts'
import { createRangeTally, type Edges, type Newest } from './tally-range.ts'
import { createBroadcastView, incidentsOf, longestRunOf } from './views.ts'
import { wholeLives } from './whole-lives.ts'

interface OverviewDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly sums: SumsReads
  readonly clock: Clock
}

type Figures = Omit<AnalyticsSummary, 'access' | 'oldestDate'> & {
  readonly reasons: ReadonlyMap<string, ReasonShare>
  /** How long each broadcast was on air in its whole life, in milliseconds. */
  readonly onAir: ReadonlyMap<string, number>
}

const cursorOf = ({ at, id }: Begin): string => Buffer.from(`${at} ${id}`).toString('base64url')

function placeOf(cursor: string): Begin {
  const [, at, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new DomainError('invalid_input', ANALYTICS_TEXTS.cursorInvalid)
  return { at: Number(at), id }
}

/** What a workspace had on air in some days. */
export function createOverview({ access, reads, sums, clock }: OverviewDeps) {
  const tallyOf = createRangeTally({ reads, sums, clock })

  async function incidentsIn(workspaceId: string, { fromMs, toMs }: Edges, recent: Newest): Promise<Incident[]> {
    for (const span of await reads.incidents(workspaceId, { fromMs, toMs }, null, INCIDENTS_MAX + 1)) recent.add(span)
    const spans = recent.all()
    const streams = await reads.numbered(
      workspaceId,
      spans.map(({ streamNo }) => streamNo),
    )
    return incidentsOf(streams, spans, clock.now())
  }

  async function figuresOf(workspaceId: string, range: Omit<Range, 'oldestDate'>): Promise<Figures> {
    const { zone, from, to } = range
    const { totals, longest, recent, onAir, ...byDay } = await tallyOf(workspaceId, range)
    const incidents = await incidentsIn(workspaceId, range, recent)
    const known = await reads.numbered(workspaceId, longest ? [longest.streamNo] : [])
    return {
      ...{ zone, from, to },
      totals: { ...totals, longestRun: longestRunOf(known, longest) },
      ...byDay,
      onAir,
      incidents: incidents.slice(0, INCIDENTS_MAX),
      moreIncidents: incidents.length > INCIDENTS_MAX,
    }
  }

  async function broadcasts(workspaceId: string, ids: readonly string[]): Promise<AnalyticsBroadcast[]> {
    const now = clock.now()
    const views = new Map<string, ReturnType<typeof createBroadcastView>>()
    for await (const streams of reads.ofBroadcasts(workspaceId, ids)) {
      for (const stream of await wholeLives(reads, workspaceId, streams, now)) {
        const view = views.get(stream.broadcastId) ?? createBroadcastView(stream, now)
        view.add(stream)
        views.set(stream.broadcastId, view)
      }
    }
    return ids.flatMap((id) => views.get(id)?.result() ?? [])
  }

  return {
    tallyOf,
    figuresOf,
    async summary(caller: Caller, query: AnalyticsRangeQuery): Promise<AnalyticsSummary> {
      const rights = await access.rightsOf(caller)
      const range = access.rangeOf(rights, query)
      const { days, csv, live, report } = rights
      const { onAir, reasons, ...figures } = await figuresOf(caller.workspaceId, range)
      return { ...figures, access: { days, csv, live, report }, oldestDate: range.oldestDate }
    },
    async list(caller: Caller, query: AnalyticsBroadcastsQuery) {
      const range = access.rangeOf(await access.rightsOf(caller), query)
      const after = query.cursor ? placeOf(query.cursor) : null
      const begins = await reads.broadcastPage(caller.workspaceId, range, after, query.limit + 1)
      const page = begins.slice(0, query.limit)
      const data = await broadcasts(
        caller.workspaceId,
        page.map(({ id }) => id),
      )
      const last = page.at(-1)
      return { data, nextCursor: last && begins.length > query.limit ? cursorOf(last) : null }
    },
    /** Those with the most time on air. */
    async longest(
      workspaceId: string,
      onAir: ReadonlyMap<string, number>,
      most: number,
    ): Promise<AnalyticsBroadcast[]> {
      const ids = [...onAir].sort(([, one], [, other]) => other - one).slice(0, most)
      const found = await broadcasts(
        workspaceId,
        ids.map(([id]) => id),
      )
      return found.sort((one, other) => other.onAirSeconds - one.onAirSeconds)
    },
  }
}

export type Overview = ReturnType<typeof createOverview>
