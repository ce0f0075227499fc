import { createFeeds, type FeedListener } from '../../http/open-feed.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import type { Caller } from '../identity/caller.ts'
import type { createLiveFigures } from './live-figures.ts'
import { SLOT_MS, slotOf } from './sample-rules.ts'

interface LiveFeedDeps {
  readonly figures: ReturnType<typeof createLiveFigures>
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'feedLeaveMs'>
}

/** Samples are written in the first second of their slot. */
const INTO_SLOT_MS = 1_500

/** Pushes the figures of a workspace's streams every five seconds. They come from the rows: the worker may be another program. */
export function createLiveFeed({ figures, clock, log, timings }: LiveFeedDeps) {
  const openFeed = createFeeds({ log, timings, about: 'figures' })

  function follow(refresh: () => void): () => void {
    let timer: NodeJS.Timeout | undefined
    function wait(): void {
      const now = clock.now()
      const next = (slotOf(now - INTO_SLOT_MS) + 1) * SLOT_MS + INTO_SLOT_MS
      timer = setTimeout(
        () => {
          wait()
          refresh()
        },
        Math.min(SLOT_MS, Math.max(100, next - now)),
      )
    }
    wait()
    return () => clearTimeout(timer)
  }

  return ({ caller, ...listener }: Omit<FeedListener, 'userId'> & { readonly caller: Caller }): void => {
    const sent = new Map<number, number>()
    openFeed(
      { ...listener, userId: caller.userId },
      { event: 'now', follow, next: async () => JSON.stringify(await figures(caller.workspaceId, sent)) },
    )
  }
}
