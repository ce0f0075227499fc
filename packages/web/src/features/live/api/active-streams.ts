import type { ActiveStream, StartedStreamAnswer, StartStreamBody } from '@siarin/contracts/streams'
import { queryOptions } from '@tanstack/react-query'
import { featureGet, featurePost } from '../../../lib/feature-calls.ts'

/** A row may lack what another server of the same API does not send; the list shows what is there. */
export type StreamRowData = Partial<ActiveStream>

interface ActiveStreamsAnswer {
  success: boolean
  message: string
  streams?: StreamRowData[]
}

export const activeStreamsQuery = () =>
  queryOptions({
    queryKey: ['active-streams'],
    queryFn: async ({ signal }) => {
      const { streams = [], message } = await featureGet<ActiveStreamsAnswer>('/fitur/steam/active', signal)
      return { streams, message }
    },
  })

export const startStream = (body: StartStreamBody): Promise<StartedStreamAnswer> =>
  featurePost<StartedStreamAnswer>('/fitur/steam/start', body)

export async function stopStream(streamId: string): Promise<void> {
  await featurePost('/fitur/steam/stop', { streamId })
}
