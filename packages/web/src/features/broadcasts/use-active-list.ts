import { useQuery } from '@tanstack/react-query'
import { foundTone, type Say } from '../../lib/message.ts'
import { useSayFailure } from '../../lib/say-failure.ts'
import { activeStreamsQuery } from './api/active-streams.ts'
import { useStreamsFeed } from './use-streams-feed.ts'

const ACTIVE_POLL_MS = 2000
const ACTIVE_FAILED = 'Gagal mengambil data live stream.'

/** What is on air: pushed by the server, or polled while the list is looked at and nothing is pushed. */
export function useActiveList(shown: boolean, say: Say) {
  const fed = useStreamsFeed()
  const active = useQuery({
    ...activeStreamsQuery(),
    refetchOnMount: 'always',
    refetchInterval: shown && !fed ? ACTIVE_POLL_MS : false,
  })
  const failure = useSayFailure(active.error, ACTIVE_FAILED, say)
  const loading = !active.data && active.isFetching
  return {
    ...active.data,
    failure: loading ? null : failure,
    reload: () => void active.refetch(),
    /** The polling is silent; opening the tab says what was found. */
    open: () =>
      void active.refetch().then(({ data, error }) => data && !error && say(data.message, foundTone(data.streams))),
  }
}
