import { Answer } from '@siarin/contracts/answers'
import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import { StartedStreamAnswer, StartStreamBody, StopStreamBody, SwapStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../../http/types.ts'
import { callerOf } from '../../identity/caller.ts'
import type { CallerHooks } from '../../identity/caller-hooks.ts'
import type { WithinStarts } from './start-limit.ts'
import type { StreamsService } from './streams.service.ts'

interface ControlRoutesDeps {
  service: Pick<StreamsService, 'start' | 'swap' | 'skip' | 'stop'>
  hooks: CallerHooks
  withinStarts: WithinStarts
}

/** What changes a stream. */
export function addControlRoutes(app: App, { service, hooks, withinStarts }: ControlRoutesDeps): void {
  app.post(
    '/fitur/steam/start',
    {
      schema: { summary: 'Go live', tags: ['stream'], body: StartStreamBody, response: { 200: StartedStreamAnswer } },
      preValidation: hooks.requireKeyOrSession,
      config: { adds: true },
    },
    async (request) => {
      // A target that is kept here is not typed, so a stolen session could send to it.
      if (!request.body.rtmpStream) await hooks.assertProved(request)
      const caller = callerOf(request)
      const { streamId, awaitsVideo } = await withinStarts(caller.userId, 1, () => service.start(caller, request.body))
      return { success: true, message: awaitsVideo ? STREAM_TEXTS.startsWhenReady : STREAM_TEXTS.started, streamId }
    },
  )

  app.post(
    '/fitur/steam/swap',
    {
      schema: {
        summary: 'Change the video on air',
        tags: ['stream'],
        body: SwapStreamBody,
        response: { 200: Answer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      // Nor is this one typed: a stolen session could put its own video where the owner's is.
      await hooks.assertProved(request)
      const outcome = await service.swap(callerOf(request), request.body)
      return { success: true, message: STREAM_TEXTS[outcome] }
    },
  )

  app.post(
    '/fitur/steam/skip',
    {
      schema: { summary: 'Leave out the next item', tags: ['stream'], body: StopStreamBody, response: { 200: Answer } },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      // With enough of them, viewers would see one item alone.
      await hooks.assertProved(request)
      await service.skip(callerOf(request), request.body)
      return { success: true, message: PLAYLIST_TEXTS.skipped }
    },
  )

  app.post(
    '/fitur/steam/stop',
    {
      schema: { summary: 'Stop a stream', tags: ['stream'], body: StopStreamBody, response: { 200: Answer } },
      preValidation: hooks.requireKeyOrSession,
      config: { uncounted: true, urgent: true },
    },
    async (request) => {
      const outcome = await service.stop(callerOf(request), request.body)
      return { success: true, message: STREAM_TEXTS[outcome] }
    },
  )
}
