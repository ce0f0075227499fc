import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { useQuery } from '@tanstack/react-query'
import { featureMessage } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Say } from '../../lib/message.ts'
import { onlineSourcesQuery, onlineVideosQuery } from './api/online-videos.ts'

const ONLINE_FAILED = 'Gagal memuat video online.'

/** Who waits for a room to go live need not press anything. */
const ROOMS_POLL_MS = 20_000

/** What the Bigo tab lists: rooms, and addresses. Loaded when it is opened, and fresh while it is. */
export function useOnlineLists(open: boolean, say: Say) {
  const rooms = useQuery({ ...onlineVideosQuery(), enabled: open, refetchInterval: ROOMS_POLL_MS })
  const sources = useQuery({ ...onlineSourcesQuery(), enabled: open })
  const loading = (!rooms.data && rooms.isFetching) || (!sources.data && sources.isFetching)
  const error = rooms.error ?? sources.error

  const load = async () => {
    const [found, saved] = await Promise.all([rooms.refetch(), sources.refetch()])
    return { rooms: found.data, sources: saved.data ?? [], error: found.error ?? saved.error }
  }
  return {
    live: rooms.data?.live,
    quiet: rooms.data?.quiet,
    sources: sources.data,
    failure: loading || !error ? null : featureMessage(error, ONLINE_FAILED),
    /** Without a word: for what is looked up. */
    load: () => void load(),
    reload: () => {
      void load().then((found) => {
        if (found.error instanceof SessionEndedError) return
        if (found.error || !found.rooms) say(featureMessage(found.error, ONLINE_FAILED), 'error')
        else if (found.rooms.live.length > 0) say(found.rooms.message)
        else if (found.sources.length > 0) say(ONLINE_TEXTS.found(found.sources.length))
        else say(ONLINE_TEXTS.noneLive, 'error')
      })
    },
  }
}
