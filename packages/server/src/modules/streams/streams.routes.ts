import { Answer } from '@siarin/contracts/answers'
import { ActiveStreamsAnswer, StartedStreamAnswer, StartStreamBody, StopStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { type CallerHooks, callerOf } from '../../http/caller.ts'
import type { App } from '../../http/types.ts'
import type { StreamsService } from './streams.service.ts'

export const streamsRoutes = ({ service, hooks }: { service: StreamsService; hooks: CallerHooks }) =>
  async function routes(app: App): Promise<void> {
    app.post(
      '/fitur/steam/start',
      {
        schema: { summary: 'Go live', tags: ['stream'], body: StartStreamBody, response: { 200: StartedStreamAnswer } },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        const streamId = await service.start(callerOf(request), request.body)
        return { success: true, message: STREAM_TEXTS.started, streamId }
      },
    )

    app.get(
      '/fitur/steam/active',
      {
        schema: { summary: 'Streams on air or on their way', tags: ['stream'], response: { 200: ActiveStreamsAnswer } },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        const streams = await service.active(callerOf(request))
        const message = streams.length === 0 ? STREAM_TEXTS.noneActive : STREAM_TEXTS.found(streams.length)
        return { success: true, message, streams }
      },
    )

    app.post(
      '/fitur/steam/stop',
      {
        schema: { summary: 'Stop a stream', tags: ['stream'], body: StopStreamBody, response: { 200: Answer } },
        preValidation: hooks.requireApiKey,
      },
      async (request) => {
        const outcome = await service.stop(callerOf(request), request.body)
        return { success: true, message: STREAM_TEXTS[outcome] }
      },
    )
  }
