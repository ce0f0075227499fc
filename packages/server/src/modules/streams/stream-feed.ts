import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../http/caller.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { StreamsService } from './streams.service.ts'

export type StreamFeed = (caller: Caller, request: IncomingMessage, response: ServerResponse) => void

const LOOK_EVERY_MS = 1_000
/** Proxies close what is silent for a minute. */
const SIGN_OF_LIFE_MS = 20_000

/**
 * Pushes a user's active streams whenever they change: at once when it happens in this program, within a second when the
 * worker is another one, for then the rows are all we see.
 */
export const createStreamFeed =
  ({ service, events, log }: { service: Pick<StreamsService, 'active'>; events: Events; log: Log }): StreamFeed =>
  (caller, request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    let sent = ''
    let looking = false
    const look = async (): Promise<void> => {
      // One look at a time; what changes meanwhile is seen by the next.
      if (looking || response.writableNeedDrain) return
      looking = true
      try {
        const streams = JSON.stringify(await service.active(caller))
        if (streams !== sent) response.write(`event: streams\ndata: ${streams}\n\n`)
        sent = streams
      } catch (error) {
        log.warn({ err: error }, 'a feed of streams could not look')
      } finally {
        looking = false
      }
    }
    const timers = [
      setInterval(() => void look(), LOOK_EVERY_MS),
      setInterval(() => response.write(': still here\n\n'), SIGN_OF_LIFE_MS),
    ]
    const forget = events.on('stream.changed', ({ userId }) => {
      if (userId === caller.userId) void look()
    })
    request.once('close', () => {
      for (const timer of timers) clearInterval(timer)
      forget()
    })
    void look()
  }
