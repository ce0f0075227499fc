import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../../errors.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Caller } from '../../identity/caller.ts'
import type { StreamsService } from './streams.service.ts'

interface Listener {
  readonly caller: Caller
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Refuses whoever's key has been changed since, or whose access has been stopped. */
  needLeave(): Promise<void>
}

export type StreamFeed = (listener: Listener) => void

interface StreamFeedDeps {
  service: Pick<StreamsService, 'active'>
  events: Events
  log: Log
  timings: Pick<Timings, 'feedLeaveMs'>
}

const REFRESH_EVERY_MS = 1_000
/** Proxies close what is silent for a minute. */
const SIGN_OF_LIFE_MS = 20_000
/** Each costs a question to the database every second. */
const FEEDS_PER_USER = 10
/** A browser comes back by itself, and would at once drive out another of the same person's. */
const COME_BACK_AFTER_MS = 30_000

/**
 * Pushes a user's active streams whenever they change: at once when it happens in this program, within a second when the
 * worker is another one, for then the rows are all we see.
 */
export function createStreamFeed({ service, events, log, timings }: StreamFeedDeps): StreamFeed {
  /** How to close the open feeds of each user, oldest first. */
  const open = new Map<string, Set<() => void>>()

  function enter(userId: string, close: () => void): () => void {
    const own = open.get(userId) ?? new Set()
    open.set(userId, own.add(close))
    const [oldest] = own
    if (own.size > FEEDS_PER_USER) oldest?.()
    return () => {
      own.delete(close)
      if (own.size === 0) open.delete(userId)
    }
  }

  return ({ caller, request, response, needLeave }) => {
    // Of a connection that is gone no end would be told, and the feed would refresh for ever.
    if (request.socket.destroyed) return
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    let sent = ''
    let isRefreshing = false
    const refresh = async (): Promise<void> => {
      // One refresh at a time; what changes meanwhile is seen by the next.
      if (isRefreshing || response.writableNeedDrain) return
      isRefreshing = true
      try {
        const streams = JSON.stringify(await service.active(caller))
        if (streams !== sent && !response.writableEnded) response.write(`event: streams\ndata: ${streams}\n\n`)
        sent = streams
      } catch (error) {
        log.warn({ err: error }, 'a feed of streams could not be refreshed')
      } finally {
        isRefreshing = false
      }
    }
    const askLeave = async (): Promise<void> => {
      try {
        await needLeave()
      } catch (error) {
        if (!(error instanceof DomainError))
          return log.warn({ err: error }, 'a feed of streams could not ask for leave')
        const { code, message } = error
        close(`event: refused\ndata: ${JSON.stringify({ code, message })}\n\n`)
      }
    }
    const timers = [
      setInterval(() => void refresh(), REFRESH_EVERY_MS),
      setInterval(() => void askLeave(), timings.feedLeaveMs),
      setInterval(() => response.write(': still here\n\n'), SIGN_OF_LIFE_MS),
    ]
    // Only wakes: what is sent is read from the rows, and looked for every second whatever is heard.
    const forget = events.on('stream.changed', ({ userId }) => {
      if (userId === caller.workspaceId) void refresh()
    })
    const release = (): void => {
      for (const timer of timers) clearInterval(timer)
      forget()
      leave()
    }
    function close(lastWords: string): void {
      if (response.writableEnded) return
      release()
      response.end(lastWords)
    }
    const leave = enter(caller.userId, () => close(`retry: ${COME_BACK_AFTER_MS}\n\n`))
    response.once('close', release)
    void refresh()
  }
}
