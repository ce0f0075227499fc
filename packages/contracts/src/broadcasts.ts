import { z } from 'zod'
import { Answer } from './answers.ts'
import { BROADCAST_TEXTS } from './broadcast-texts.ts'
import { ActiveStream, EndedStream, StartStreamBody, StreamPhase } from './streams.ts'
import { STREAM_TEXTS } from './texts.ts'

/** A broadcast is sent to so many targets at once. */
export const MOST_TARGETS = 20

const { platform, rtmpStream, targetOf, ...whatToSend } = StartStreamBody.shape

/** A saved target by its id, or one that is typed as for `POST /fitur/steam/start`. */
export const TargetBody = z
  .object(
    {
      targetId: z
        .string({ error: BROADCAST_TEXTS.targetNotFound })
        .trim()
        .min(1, BROADCAST_TEXTS.targetNotFound)
        .max(100, BROADCAST_TEXTS.targetNotFound)
        .optional(),
      platform: platform.optional(),
      rtmpStream,
      targetOf,
    },
    { error: BROADCAST_TEXTS.targetInvalid },
  )
  .refine(({ targetId, platform }) => targetId || platform, {
    error: STREAM_TEXTS.platformUnknown,
    path: ['platform'],
  })
  .refine(({ targetId, rtmpStream, targetOf }) => targetId || rtmpStream || targetOf, {
    error: STREAM_TEXTS.keyRequired,
    path: ['rtmpStream'],
  })
export type TargetBody = z.infer<typeof TargetBody>

export const AddTargetsBody = z.object({
  targets: z
    .array(TargetBody, { error: BROADCAST_TEXTS.targetsRequired })
    .min(1, BROADCAST_TEXTS.targetsRequired)
    .max(MOST_TARGETS, BROADCAST_TEXTS.targetsTooMany(MOST_TARGETS)),
})
export type AddTargetsBody = z.infer<typeof AddTargetsBody>

export const StartBroadcastBody = z.object({ ...whatToSend, targets: AddTargetsBody.shape.targets })
export type StartBroadcastBody = z.infer<typeof StartBroadcastBody>

export const BroadcastsQuery = z.object({
  cursor: z.string({ error: BROADCAST_TEXTS.cursorInvalid }).max(200, BROADCAST_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: BROADCAST_TEXTS.limitInvalid })
    .int(BROADCAST_TEXTS.limitInvalid)
    .min(1, BROADCAST_TEXTS.limitInvalid)
    .max(100, BROADCAST_TEXTS.limitInvalid)
    .default(50),
})

/** The sending of a broadcast to one of its targets. */
export const BroadcastStream = ActiveStream.pick({
  streamId: true,
  targetId: true,
  targetName: true,
  platform: true,
  sourceName: true,
  nextSource: true,
  onFallback: true,
  note: true,
  startedAt: true,
  state: true,
  reason: true,
  since: true,
  firstLiveAt: true,
  nextTryAt: true,
  bitrate: true,
  speed: true,
  frames: true,
  restarts: true,
  reconnects: true,
  uptime: true,
}).extend({
  endedAt: z.iso.datetime().nullable(),
  /** Why it is over, in one word; null while it is wanted. */
  ended: EndedStream.shape.ended.nullable(),
})
export type BroadcastStream = z.infer<typeof BroadcastStream>

export const Broadcast = z.object({
  /** Its first stream has the same id. */
  broadcastId: z.string(),
  title: z.string().nullable(),
  source: z.string(),
  sourceName: z.string(),
  online: z.boolean(),
  accountId: z.string().nullable(),
  looping: z.boolean(),
  startedAt: z.iso.datetime(),
  /** When its last stream had ended; null: it is wanted. */
  endedAt: z.iso.datetime().nullable(),
  /** The state of the stream that is furthest on. */
  state: StreamPhase,
  /** How far its video is that it waits for; null: it waits for none. */
  preparation: ActiveStream.shape.preparation,
  /** All that are wanted and the last of those that are over, oldest first. */
  streams: z.array(BroadcastStream),
})
export type Broadcast = z.infer<typeof Broadcast>

export const BroadcastsAnswer = Answer.extend({
  broadcasts: z.array(Broadcast),
  /** For the next page; null: this is the last one. */
  nextCursor: z.string().nullable(),
})
export const BroadcastAnswer = Answer.extend({ broadcast: Broadcast })
export const StartedBroadcastAnswer = Answer.extend({ broadcastId: z.string(), streamIds: z.array(z.string()) })
export const AddedTargetsAnswer = Answer.extend({ streamIds: z.array(z.string()) })
