import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../errors.ts'
import type { Log } from '../platform/log.ts'
import type { Timings } from '../platform/timings.ts'

interface FeedsDeps {
  readonly log: Log
  readonly timings: Pick<Timings, 'feedLeaveMs'>
  /** What it is about, for the log. */
  readonly about: string
}

/** Who follows a feed. */
export interface FeedListener {
  readonly userId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Refuses a listener who may not follow any more. */
  assertStill(): Promise<void>
}

interface FeedContent {
  readonly event: string
  /** What to send now; null: nothing is new. One question at a time. */
  readonly next: () => Promise<string | null>
  /** Refreshes from now on whenever there may be something new. Answers how to end that. */
  readonly follow: (refresh: () => void) => () => void
}

/** Proxies close what is silent for a minute. */
const SIGN_OF_LIFE_MS = 20_000
/** Each asks the database again and again. */
const FEEDS_PER_USER = 10
/** A browser comes back by itself, and would at once drive out another of the same person's. */
const COME_BACK_AFTER_MS = 30_000

/** Server-sent events that go on until somebody leaves, may not follow any more, or has opened too many. */
export function createFeeds({ log, timings, about }: FeedsDeps) {
  const enter = createOpenFeeds()

  return ({ userId, request, response, assertStill }: FeedListener, { event, next, follow }: FeedContent): void => {
    // A connection that is gone tells no end, and the feed would refresh for ever.
    if (request.socket.destroyed) return
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    let isRefreshing = false
    const refresh = async (): Promise<void> => {
      // What changes meanwhile is seen by the next.
      if (isRefreshing || response.writableNeedDrain) return
      isRefreshing = true
      try {
        const data = await next()
        if (data !== null && !response.writableEnded) response.write(`event: ${event}\ndata: ${data}\n\n`)
      } catch (error) {
        log.warn({ err: error }, `a feed of ${about} could not be refreshed`)
      } finally {
        isRefreshing = false
      }
    }
    const askLeave = async (): Promise<void> => {
      try {
        await assertStill()
      } catch (error) {
        if (!(error instanceof DomainError))
          return log.warn({ err: error }, `a feed of ${about} could not ask for leave`)
        const { code, message } = error
        close(`event: refused\ndata: ${JSON.stringify({ code, message })}\n\n`)
      }
    }
    const timers = [
      setInterval(() => void askLeave(), timings.feedLeaveMs),
      setInterval(() => response.write(': still here\n\n'), SIGN_OF_LIFE_MS),
    ]
    const forget = follow(() => void refresh())
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
    const leave = enter(userId, () => close(`retry: ${COME_BACK_AFTER_MS}\n\n`))
    response.once('close', release)
    void refresh()
  }
}

/** How to close the open feeds of each user, oldest first. */
function createOpenFeeds() {
  const open = new Map<string, Set<() => void>>()
  return (userId: string, close: () => void): (() => void) => {
    const own = open.get(userId) ?? new Set()
    open.set(userId, own.add(close))
    const [oldest] = own
    if (own.size > FEEDS_PER_USER) oldest?.()
    return () => {
      own.delete(close)
      if (own.size === 0) open.delete(userId)
    }
  }
}
