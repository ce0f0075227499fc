import {
  type ActiveStream,
  ActiveStreamsAnswer,
  StreamEventsAnswer,
  StreamHistoryAnswer,
  StreamPreviewAnswer,
} from '@siarin/contracts/streams'
import { BIGO_TEXTS, ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import type { App } from '../../../http/types.ts'
import { callerOf } from '../../identity/caller.ts'
import type { CallerHooks } from '../../identity/caller-hooks.ts'
import { addBroadcastRoutes } from './broadcasts.routes.ts'
import type { BroadcastsService } from './broadcasts.service.ts'
import { addControlRoutes } from './control.routes.ts'
import { createStartLimit } from './start-limit.ts'
import type { StreamFeed } from './stream-feed.ts'
import type { StreamsService } from './streams.service.ts'

interface StreamsRoutesDeps {
  service: StreamsService
  broadcasts: BroadcastsService
  feed: StreamFeed
  hooks: CallerHooks
}

export const streamsRoutes =
  (deps: StreamsRoutesDeps) =>
  async (app: App): Promise<void> => {
    const withinStarts = createStartLimit(app)
    addControlRoutes(app, { ...deps, withinStarts })
    addReadingRoutes(app, deps)
    addFeedRoute(app, deps)
    addBroadcastRoutes(app, { ...deps, withinStarts })
  }

/** Frozen: its text is made once, for as long as the service answers the same. */
const activeAnswer = (streams: readonly ActiveStream[]) =>
  Object.freeze({
    success: true,
    message: streams.length === 0 ? STREAM_TEXTS.noneActive : STREAM_TEXTS.found(streams.length),
    streams: [...streams],
  })

/** What tells of streams. */
function addReadingRoutes(app: App, { service, hooks }: StreamsRoutesDeps): void {
  const answers = new WeakMap<readonly ActiveStream[], ReturnType<typeof activeAnswer>>()
  app.get(
    '/fitur/steam/active',
    {
      schema: { summary: 'Streams on air or on their way', tags: ['stream'], response: { 200: ActiveStreamsAnswer } },
      preValidation: hooks.requireKeyOrSession,
      config: { urgent: true },
    },
    async (request) => {
      const streams = await service.active(callerOf(request))
      const answer = answers.get(streams) ?? activeAnswer(streams)
      answers.set(streams, answer)
      return answer
    },
  )

  app.get(
    '/fitur/steam/history',
    {
      schema: { summary: 'Streams that have ended', tags: ['stream'], response: { 200: StreamHistoryAnswer } },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const streams = await service.history(callerOf(request))
      return { success: true, message: `${streams.length} siaran selesai`, streams }
    },
  )

  app.get(
    '/fitur/steam/:streamId/events',
    {
      schema: {
        summary: 'What happened to a stream, newest first',
        tags: ['stream'],
        params: z.object({ streamId: z.string() }),
        response: { 200: StreamEventsAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const events = await service.incidents(callerOf(request), request.params.streamId)
      return { success: true, message: `${events.length} kejadian`, events }
    },
  )

  app.get(
    '/fitur/steam/:streamId/preview',
    {
      schema: {
        summary: 'Where a browser can play the online source of a stream',
        tags: ['stream'],
        params: z.object({ streamId: z.string() }),
        response: { 200: StreamPreviewAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const previewUrl = await service.preview(callerOf(request), request.params.streamId)
      return { success: true, message: previewUrl ? BIGO_TEXTS.live : ONLINE_TEXTS.notLive, previewUrl }
    },
  )
}

function addFeedRoute(app: App, { feed, hooks }: StreamsRoutesDeps): void {
  app.get(
    '/fitur/steam/live',
    {
      schema: { summary: 'Changes of own streams as server-sent events', tags: ['stream'] },
      preValidation: hooks.requireWatcher,
      config: { uncounted: true },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      // Its head alone: a feed has no end, and without a body nobody would see one.
      if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
      reply.hijack()
      feed({ caller, request: request.raw, response: reply.raw, assertStill: () => hooks.assertWatcher(request) })
    },
  )
}
