import type { StreamEventsAnswer, StreamHistoryAnswer } from '@siarin/contracts/streams'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { featureGet } from '../../../lib/feature-calls.ts'

/** What has ended, newest first. */
export const streamHistoryQuery = () =>
  queryOptions({
    queryKey: ['stream-history'],
    queryFn: async ({ signal }) => (await featureGet<StreamHistoryAnswer>('/fitur/steam/history', signal)).streams,
  })

/** What happened to one stream, newest first; asked anew whenever its `stage` is another. */
export const streamEventsQuery = (streamId: string, stage: string) =>
  queryOptions({
    queryKey: ['stream-events', streamId, stage],
    queryFn: async ({ signal }) =>
      (await featureGet<StreamEventsAnswer>(`/fitur/steam/${encodeURIComponent(streamId)}/events`, signal)).events,
    placeholderData: keepPreviousData,
  })
