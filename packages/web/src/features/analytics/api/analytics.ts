import type {
  AnalyticsBroadcast,
  AnalyticsSummary,
  BroadcastStory,
  CsvKind,
  MonthlyReport,
} from '@siarin/contracts/analytics'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { FeatureError, featureGet, featureUrl } from '../../../lib/feature-calls.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'
import { type DayRange, zoneHere } from '../range.ts'

interface DataAnswer<T> {
  success: boolean
  message: string
  data: T
}

const BASE = '/fitur/analytics'
/** Hours on air grow while somebody looks. */
const SUMMARY_POLL_MS = 10_000
const STORY_POLL_MS = 5000
const PAGE = 20

const rangeWords = ({ from, to }: DayRange): string => new URLSearchParams({ from, to, zone: zoneHere() }).toString()

export const summaryQuery = (range: DayRange) =>
  queryOptions({
    queryKey: ['analytics', 'summary', range.from, range.to],
    queryFn: async ({ signal }) =>
      (await featureGet<DataAnswer<AnalyticsSummary>>(`${BASE}/summary?${rangeWords(range)}`, signal)).data,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: SUMMARY_POLL_MS,
  })

type BroadcastsAnswer = DataAnswer<AnalyticsBroadcast[]> & { nextCursor: string | null }

export const analyticsBroadcastsQuery = (range: DayRange) =>
  infiniteQueryOptions({
    queryKey: ['analytics', 'broadcasts', range.from, range.to],
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return featureGet<BroadcastsAnswer>(`${BASE}/broadcasts?${rangeWords(range)}&limit=${PAGE}${after}`, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

/** What is known of one broadcast; asked again while it is wanted. */
export const storyQuery = (broadcastId: string) =>
  queryOptions({
    queryKey: ['analytics', 'story', broadcastId],
    queryFn: async ({ signal }) =>
      (await featureGet<DataAnswer<BroadcastStory>>(`${BASE}/broadcast/${encodeURIComponent(broadcastId)}`, signal))
        .data,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && state.data.endedAt === null ? STORY_POLL_MS : false),
  })

export const reportQuery = (month: string) =>
  queryOptions({
    queryKey: ['analytics', 'report', month],
    queryFn: async ({ signal }) => {
      const asked = new URLSearchParams({ month, zone: zoneHere() })
      return (await featureGet<DataAnswer<MonthlyReport>>(`${BASE}/report?${asked}`, signal)).data
    },
    refetchOnMount: 'always',
  })

/** The address of a file that the browser saves by itself. */
export async function csvAddress(kind: CsvKind, range: DayRange): Promise<string> {
  await ensurePageTicket()
  return `${featureUrl(`${BASE}/csv`)}&kind=${kind}&${rangeWords(range)}`
}

export const liveFeedPath = `${BASE}/live`

/** Nothing of that id is there, or it is somebody else's. */
export const isUnknown = (error: unknown): boolean => error instanceof FeatureError && error.code === 'not_found'
