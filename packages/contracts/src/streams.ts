import { z } from 'zod'
import { Answer } from './answers.ts'
import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from './limits.ts'
import { PLATFORMS } from './platforms.ts'
import { STREAM_TEXTS } from './texts.ts'

export const StartStreamBody = z.object({
  source: z
    .string({ error: STREAM_TEXTS.pickVideo })
    .trim()
    .min(1, STREAM_TEXTS.pickVideo)
    .max(8192, STREAM_TEXTS.sourceInvalid),
  platform: z.enum(PLATFORMS, { error: STREAM_TEXTS.platformUnknown }),
  rtmpStream: z
    .string({ error: STREAM_TEXTS.keyRequired })
    .trim()
    .min(1, STREAM_TEXTS.keyRequired)
    .max(STREAM_KEY_MAX, STREAM_TEXTS.keyInvalid),
  looping: z.boolean().default(true),
  title: z
    .string()
    .transform((title) => title.replace(/\p{Cc}/gu, '').trim())
    .pipe(z.string().max(LIVE_TITLE_MAX, STREAM_TEXTS.titleTooLong))
    .optional(),
})
export type StartStreamBody = z.infer<typeof StartStreamBody>

export const StopStreamBody = z.object({
  streamId: z
    .string({ error: STREAM_TEXTS.streamIdInvalid })
    .trim()
    .min(1, STREAM_TEXTS.streamIdInvalid)
    .max(100, STREAM_TEXTS.streamIdInvalid),
})
export type StopStreamBody = z.infer<typeof StopStreamBody>

export const StreamPhase = z.enum(['queued', 'starting', 'live', 'waiting', 'stopping', 'ended'])
export type StreamPhase = z.infer<typeof StreamPhase>

export const ActiveStream = z.object({
  streamId: z.string(),
  platform: z.enum(PLATFORMS),
  source: z.string(),
  startedAt: z.iso.datetime(),
  title: z.string().nullable(),
  state: StreamPhase,
  /** Why it is not on air, in words for the person; null while all is well. */
  reason: z.string().nullable(),
  restarts: z.number().int(),
})
export type ActiveStream = z.infer<typeof ActiveStream>

export const StartedStreamAnswer = Answer.extend({ streamId: z.string() })
export type StartedStreamAnswer = z.infer<typeof StartedStreamAnswer>

export const ActiveStreamsAnswer = Answer.extend({ streams: z.array(ActiveStream) })
export type ActiveStreamsAnswer = z.infer<typeof ActiveStreamsAnswer>
