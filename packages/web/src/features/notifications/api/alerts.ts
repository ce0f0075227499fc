import type { Alert, AlertListAnswer, Unread, UnreadAnswer } from '@siarin/contracts/alerts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { featureGet, featurePost } from '../../../lib/feature-calls.ts'

/** All that changes when one is read, or a new one comes. */
export const ALERTS_KEY = ['alerts'] as const
const UNREAD_POLL_MS = 30_000
/** What the bell's panel shows. */
const LATEST = 8
const PER_PAGE = 30

export const unreadQuery = () =>
  queryOptions({
    queryKey: [...ALERTS_KEY, 'unread'],
    queryFn: async ({ signal }): Promise<Unread> =>
      (await featureGet<UnreadAnswer>('/fitur/alert/unread', signal)).data,
    refetchInterval: UNREAD_POLL_MS,
    refetchOnWindowFocus: true,
  })

/** `newestId`: a list that has a newer one is another list. */
export const latestAlertsQuery = (newestId: string | null) =>
  queryOptions({
    queryKey: [...ALERTS_KEY, 'latest', newestId],
    queryFn: async ({ signal }): Promise<readonly Alert[]> =>
      (await featureGet<AlertListAnswer>(`/fitur/alert?limit=${LATEST}`, signal)).data,
  })

export const allAlertsQuery = () =>
  infiniteQueryOptions({
    queryKey: [...ALERTS_KEY, 'all'],
    queryFn: ({ signal, pageParam }): Promise<AlertListAnswer> => {
      const rest = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return featureGet<AlertListAnswer>(`/fitur/alert?limit=${PER_PAGE}${rest}`, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnMount: 'always',
  })

export const markRead = async (id: string): Promise<Unread> =>
  (await featurePost<UnreadAnswer>(`/fitur/alert/${encodeURIComponent(id)}/read`)).data

/** `upTo`: what has come since then stays unread. */
export const markAllRead = async (upTo: string): Promise<Unread> =>
  (await featurePost<UnreadAnswer>('/fitur/alert/read-all', { upTo })).data
