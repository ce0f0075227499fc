import { Answer } from '@siarin/contracts/answers'
import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import {
  RecordingAnswer,
  RecordingsAnswer,
  RecordingsQuery,
  UsedRecordingAnswer,
  UseRecordingBody,
} from '@siarin/contracts/recordings'
import { z } from 'zod'
import { goneSignal } from '../../http/gone-signal.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { RecordingsService } from './recordings.service.ts'

interface RecordingsRoutesDeps {
  service: RecordingsService
  hooks: CallerHooks
}

const tags = ['recording']
const params = z.object({ id: z.string().max(100) })

export const recordingsRoutes = ({ service, hooks }: RecordingsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const preValidation = hooks.requireKeyOrSession

    app.get(
      '/fitur/recording',
      {
        schema: {
          summary: 'Own recordings, newest first',
          tags,
          querystring: RecordingsQuery,
          response: { 200: RecordingsAnswer },
        },
        preValidation,
      },
      async (request, reply) => {
        const found = await service.list(callerOf(request), request.query, goneSignal(reply))
        return { success: true, message: RECORDING_TEXTS.listed(found.recordings.length), ...found }
      },
    )

    app.get(
      '/fitur/recording/:id',
      {
        schema: { summary: 'A recording, with its parts', tags, params, response: { 200: RecordingAnswer } },
        preValidation,
      },
      async (request, reply) => {
        const recording = await service.get(callerOf(request), request.params.id, goneSignal(reply))
        return { success: true, message: RECORDING_TEXTS.found, recording }
      },
    )

    app.delete(
      '/fitur/recording/:id',
      { schema: { summary: 'Delete a recording', tags, params, response: { 200: Answer } }, preValidation },
      async (request) => {
        await service.remove(callerOf(request), request.params.id)
        return { success: true, message: RECORDING_TEXTS.removed }
      },
    )

    app.post(
      '/fitur/recording/:id/video',
      {
        schema: {
          summary: 'Make a video of the library from a recording, or from a part of it',
          tags,
          params,
          body: UseRecordingBody,
          response: { 200: UsedRecordingAnswer },
        },
        preValidation,
        config: { adds: true },
      },
      async (request, reply) => {
        const video = await service.use(callerOf(request), request.params.id, request.body, goneSignal(reply))
        return { success: true, message: RECORDING_TEXTS.used, video }
      },
    )
  }
