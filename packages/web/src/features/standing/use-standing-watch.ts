import { ACCESS_TEXTS } from '@siarin/contracts/texts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accessRefused, accessRestored, useBlockingNotice } from '../../lib/blocking-notice.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { isOnAir } from '../../lib/on-air.ts'
import { type KnownStanding, STANDING_POLL_MS, standingQuery } from './api/standing.ts'
import { isStopped, standingNews } from './standing-words.ts'

/** Two lines to read. */
const NEWS_MS = 6000

function tell(before: KnownStanding, after: KnownStanding): void {
  const news = standingNews(before, after, isOnAir())
  if (news?.tone === 'warning') notifyWarning(news.title, news.text)
  if (news?.tone === 'success') notifySuccess(news.title, news.text, NEWS_MS)
}

/** What may be done has changed, and with it nearly everything that was fetched before. */
function reloadAllElse(queryClient: QueryClient): void {
  const [own] = standingQuery().queryKey
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own })
}

/** Asks again and again while the page is looked at, so that what the operator changes shows without logging in again. */
export function useStandingWatch(): void {
  const queryClient = useQueryClient()
  const { data: standing, refetch } = useQuery({
    ...standingQuery(),
    refetchInterval: STANDING_POLL_MS,
    refetchOnWindowFocus: true,
  })

  // A call that was refused knows it sooner than the next question would.
  const refused = useBlockingNotice() !== null
  useEffect(() => {
    if (refused) void refetch()
  }, [refused, refetch])

  const known = useRef<KnownStanding>(undefined)
  useEffect(() => {
    const before = known.current
    known.current = standing
    if (!standing) return
    const stopped = isStopped(standing)
    const wasStopped = before !== undefined && isStopped(before)
    // Who closed a notice earlier, for another reason, has not seen this one.
    if (stopped && !wasStopped) accessRefused(before ? 'action' : 'load', ACCESS_TEXTS.stopped)
    if (!stopped && wasStopped) accessRestored()
    if (!before) return
    tell(before, standing)
    if (before.plan !== standing.plan || before.state !== standing.state) reloadAllElse(queryClient)
  }, [standing, queryClient])
}
