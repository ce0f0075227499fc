import { createFeeds, type FeedListener } from '../../../http/open-feed.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Caller } from '../../identity/caller.ts'
import type { StreamsService } from './streams.service.ts'

export type StreamFeed = (listener: Omit<FeedListener, 'userId'> & { readonly caller: Caller }) => void

interface StreamFeedDeps {
  service: Pick<StreamsService, 'active'>
  events: Events
  log: Log
  timings: Pick<Timings, 'feedLeaveMs'>
}

const REFRESH_EVERY_MS = 1_000

/**
 * Pushes a user's active streams whenever they change: at once when it happens in this program, within a second when the
 * worker is another one, for then the rows are all we see.
 */
export function createStreamFeed({ service, events, log, timings }: StreamFeedDeps): StreamFeed {
  const openFeed = createFeeds({ log, timings, about: 'streams' })

  return ({ caller, ...listener }) => {
    let sent = ''
    async function next(): Promise<string | null> {
      const streams = JSON.stringify(await service.active(caller))
      if (streams === sent) return null
      sent = streams
      return streams
    }
    // Only wakes: what is sent is read from the rows, and looked for every second whatever is heard.
    function follow(refresh: () => void): () => void {
      const timer = setInterval(refresh, REFRESH_EVERY_MS)
      const forget = events.on('stream.changed', ({ userId }) => {
        if (userId === caller.workspaceId) refresh()
      })
      return () => {
        clearInterval(timer)
        forget()
      }
    }
    openFeed({ ...listener, userId: caller.userId }, { event: 'streams', next, follow })
  }
}
