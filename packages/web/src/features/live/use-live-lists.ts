import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { foundTone, type Say } from '../../lib/message.ts'
import { activeStreamsQuery } from './api/active-streams.ts'
import { accountsFailure, tikTokAccountsQuery } from './api/tiktok.ts'
import { videosPoll, videosQuery } from './api/videos.ts'
import type { Tab } from './state.ts'
import { useOnlineLists } from './use-online-lists.ts'
import { useStreamsFeed } from './use-streams-feed.ts'

const ACTIVE_POLL_MS = 2000
const ACTIVE_FAILED = 'Gagal mengambil data live stream.'

/** Said once when it begins, however often a poll meets it again. */
function useSayFailure(error: Error | null, fallback: string, say: Say): string | null {
  const failure = error && !(error instanceof SessionEndedError) ? featureMessage(error, fallback) : null
  useEffect(() => {
    if (failure !== null) say(failure, 'error')
  }, [failure, say])
  return failure
}

/** Every list of the Live screen, and the calls that load each anew and say what was found. */
export function useLiveLists(tab: Tab, say: Say) {
  const fed = useStreamsFeed()
  const active = useQuery({
    ...activeStreamsQuery(),
    refetchOnMount: 'always',
    refetchInterval: tab === 'live' && !fed ? ACTIVE_POLL_MS : false,
  })
  const videos = useQuery({ ...videosQuery(), refetchInterval: (query) => videosPoll(query.state.data) })
  const online = useOnlineLists(tab === 'bigo', say)
  // Loaded when they are asked for: when TikTok is chosen.
  const accounts = useQuery({ ...tikTokAccountsQuery(), enabled: false })

  const isLoading = ({ data, isFetching }: { data: unknown; isFetching: boolean }): boolean => !data && isFetching
  const videosFailure = useSayFailure(videos.error, REQUEST_FAILED, say)
  const activeFailure = useSayFailure(active.error, ACTIVE_FAILED, say)

  return {
    videos: { ...videos.data, failure: isLoading(videos) ? null : videosFailure, reload: () => void videos.refetch() },
    active: {
      ...active.data,
      failure: isLoading(active) ? null : activeFailure,
      reload: () => void active.refetch(),
      /** The polling is silent; opening the tab says what was found. */
      open: () =>
        void active.refetch().then(({ data, error }) => data && !error && say(data.message, foundTone(data.streams))),
    },
    online,
    accounts: {
      list: accounts.data?.accounts,
      loading: accounts.isFetching,
      failed: accounts.isError,
      reload: () => {
        void accounts.refetch().then(({ data, error }) => {
          if (error instanceof SessionEndedError) return
          if (error || !data) say(accountsFailure(error), 'error')
          else say(data.message, foundTone(data.accounts))
        })
      },
    },
  }
}
