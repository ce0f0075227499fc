import type { Broadcast, StartBroadcastBody } from '@siarin/contracts/broadcasts'
import type { EndedStream } from '@siarin/contracts/streams'
import { queryOptions } from '@tanstack/react-query'
import { FeatureError, featureGet, featurePost } from '../../../lib/feature-calls.ts'

interface BroadcastsAnswer {
  success: boolean
  message: string
  broadcasts: Broadcast[]
  nextCursor: string | null
}

interface BroadcastAnswer {
  success: boolean
  message: string
  broadcast: Broadcast
}

const PAGE = 100
/** Nobody looks through more, and a server that always answers with another page must not hold the screen. */
const MOST_PAGES = 5

const pathOf = (id: string): string => `/fitur/broadcast/${encodeURIComponent(id)}`

/** Every broadcast that is wanted, with its streams. */
export const broadcastsQuery = () =>
  queryOptions({
    queryKey: ['broadcasts'],
    queryFn: async ({ signal }): Promise<readonly Broadcast[]> => {
      const found: Broadcast[] = []
      let cursor: string | null = null
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const answer = await featureGet<BroadcastsAnswer>(`/fitur/broadcast?limit=${PAGE}${after}`, signal)
        found.push(...answer.broadcasts)
        cursor = answer.nextCursor
        if (cursor === null) break
      }
      return found
    },
  })

export async function stopBroadcast(id: string): Promise<void> {
  await featurePost(`${pathOf(id)}/stop`)
}

/** The history does not tell whether it was played once or in a loop; the broadcast does. */
async function wasLooping({ broadcastId }: EndedStream): Promise<boolean> {
  try {
    return (await featureGet<BroadcastAnswer>(pathOf(broadcastId))).broadcast.looping
  } catch (error) {
    if (!(error instanceof FeatureError) || error.kind !== 'failed') throw error
    // It is no longer kept.
    return true
  }
}

/** Sends the same to the same targets, whose keys the server has kept. */
export async function startAgain(streams: readonly EndedStream[]): Promise<void> {
  const [first] = streams
  if (!first) return
  const { source, title, accountId, fallback } = first
  const body: StartBroadcastBody = {
    source,
    looping: await wasLooping(first),
    ...(title && { title }),
    ...(accountId && { accountId }),
    ...(fallback && { fallback }),
    targets: streams.map(({ platform, streamId }) => ({ platform, rtmpStream: '', targetOf: streamId })),
  }
  await featurePost('/fitur/broadcast', body)
}
