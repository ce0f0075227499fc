import type {
  ActiveStream,
  StartedStreamAnswer,
  StartStreamBody,
  StreamPreviewAnswer,
  SwapStreamBody,
} from '@siarin/contracts/streams'
import { queryOptions } from '@tanstack/react-query'
import { featureGet, featurePost } from '../../../lib/feature-calls.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'
import { type Bitrates, nextBitrates } from '../bitrates.ts'

/** A row may lack what another server of the same API does not send; the list shows what is there. */
export type StreamRowData = Partial<ActiveStream>

interface ActiveStreamsAnswer {
  success: boolean
  message: string
  streams?: StreamRowData[]
}

export interface ActiveStreams {
  readonly streams: StreamRowData[]
  readonly message: string
  readonly bitrates: Bitrates
}

export const activeStreamsQuery = () =>
  queryOptions({
    queryKey: ['active-streams'],
    queryFn: async ({ signal, client, queryKey }): Promise<ActiveStreams> => {
      const asked = client.getQueryState<ActiveStreams>(queryKey)
      const [{ streams = [], message }] = await Promise.all([
        featureGet<ActiveStreamsAnswer>('/fitur/steam/active', signal),
        ensurePageTicket(),
      ])
      const now = client.getQueryState<ActiveStreams>(queryKey)
      // The feed has pushed a list meanwhile, and that is the newer one.
      if (now?.data && now.dataUpdateCount !== asked?.dataUpdateCount) return { ...now.data, message }
      return { streams, message, bitrates: nextBitrates(now?.data?.bitrates, streams, Date.now()) }
    },
  })

/** How soon a source that sends nothing is asked for again while somebody waits for its picture. */
const PREVIEW_POLL_MS = 5000

/** Where the browser can play what an online source sends now; `stage` changes with what happens to the stream. */
export const streamPreviewQuery = (streamId: string, stage: string) =>
  queryOptions({
    queryKey: ['stream-preview', streamId, stage],
    queryFn: async ({ signal }) =>
      (await featureGet<StreamPreviewAnswer>(`/fitur/steam/${encodeURIComponent(streamId)}/preview`, signal))
        .previewUrl,
    gcTime: 0,
    // It plays on until the new one is known; another stream's would be the wrong picture.
    placeholderData: (known: string | null | undefined, query) => (query?.queryKey[1] === streamId ? known : undefined),
    refetchInterval: ({ state }) => (state.data ? false : PREVIEW_POLL_MS),
  })

export const startStream = (body: StartStreamBody): Promise<StartedStreamAnswer> =>
  featurePost<StartedStreamAnswer>('/fitur/steam/start', body)

export async function stopStream(streamId: string): Promise<void> {
  await featurePost('/fitur/steam/stop', { streamId })
}

/** The item of its playlist that would come next is left out. */
export async function skipItem(streamId: string): Promise<string> {
  const { message } = await featurePost('/fitur/steam/skip', { streamId })
  return message
}

/** Asks for another video; answers what the server says about when it comes. */
export async function swapVideo(body: SwapStreamBody): Promise<string> {
  const { message } = await featurePost('/fitur/steam/swap', body)
  return message
}
