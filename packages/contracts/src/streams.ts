import { z } from 'zod'
import { Answer } from './answers.ts'
import { LogoLook } from './branding.ts'
import { BRANDING_TEXTS } from './branding-texts.ts'
import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from './limits.ts'
import { PLATFORMS } from './platforms.ts'
import { PlaylistNow } from './playlists.ts'
import { RECORDING_TEXTS } from './recording-texts.ts'
import { STREAM_TEXTS } from './texts.ts'
import { VideoPreparation } from './videos.ts'

export const StartStreamBody = z
  .object({
    source: z
      .string({ error: STREAM_TEXTS.pickVideo })
      .trim()
      .min(1, STREAM_TEXTS.pickVideo)
      .max(8192, STREAM_TEXTS.sourceInvalid),
    platform: z.enum(PLATFORMS, { error: STREAM_TEXTS.platformUnknown }),
    rtmpStream: z
      .string({ error: STREAM_TEXTS.keyRequired })
      .trim()
      .max(STREAM_KEY_MAX, STREAM_TEXTS.keyInvalid)
      .default(''),
    /** One of the caller's streams: where there is no `rtmpStream`, its target is used again. The key itself never leaves the server. */
    targetOf: z
      .string({ error: STREAM_TEXTS.streamIdInvalid })
      .trim()
      .max(100, STREAM_TEXTS.streamIdInvalid)
      .optional(),
    looping: z.boolean({ error: STREAM_TEXTS.loopingInvalid }).default(true),
    title: z
      .string({ error: STREAM_TEXTS.titleInvalid })
      .transform((title) => title.replace(/\p{Cc}/gu, '').trim())
      .pipe(z.string().max(LIVE_TITLE_MAX, STREAM_TEXTS.titleTooLong))
      .optional(),
    /** The Bigo account whose room the source is: it gets a new address with every broadcast of its own. */
    accountId: z.string({ error: STREAM_TEXTS.accountInvalid }).max(100, STREAM_TEXTS.sourceInvalid).optional(),
    /** One of the caller's videos, which is sent in a loop while an online source is away. */
    fallback: z
      .string({ error: STREAM_TEXTS.fallbackInvalid })
      .trim()
      .max(8192, STREAM_TEXTS.fallbackInvalid)
      .optional(),
    /** A video that is still being prepared goes on air by itself as soon as it is ready, instead of being refused. */
    whenReady: z.boolean({ error: STREAM_TEXTS.whenReadyInvalid }).optional(),
    /** What is sent is recorded. */
    record: z.boolean({ error: RECORDING_TEXTS.recordInvalid }).optional(),
    /** Which version of the video is sent, by its recipe; it has to be ready. Absent: the one that fits each platform. */
    rendition: z.string({ error: BRANDING_TEXTS.renditionInvalid }).max(60, BRANDING_TEXTS.renditionInvalid).optional(),
    /** On the picture of an online source, which is re-encoded for it where an encoder is free; else it is sent without. */
    logo: LogoLook.optional(),
    /** Where the source is a playlist: the item to begin with. */
    playlistItem: z.string({ error: STREAM_TEXTS.sourceInvalid }).max(100, STREAM_TEXTS.sourceInvalid).optional(),
  })
  .refine(({ rtmpStream, targetOf }) => rtmpStream || targetOf, {
    error: STREAM_TEXTS.keyRequired,
    path: ['rtmpStream'],
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

export const SwapStreamBody = StopStreamBody.extend({ source: StartStreamBody.shape.source })
export type SwapStreamBody = z.infer<typeof SwapStreamBody>

export const StreamPhase = z.enum(['queued', 'starting', 'live', 'waiting', 'stopping', 'ended'])
export type StreamPhase = z.infer<typeof StreamPhase>

export const ActiveStream = z.object({
  streamId: z.string(),
  /** Streams that carry the same broadcast to several targets have it in common. */
  broadcastId: z.string(),
  /** The saved target that it goes to, and what that was called at the start; null: it was typed. */
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  platform: z.enum(PLATFORMS),
  source: z.string(),
  /** The source as its owner calls it. */
  sourceName: z.string(),
  /** False: it is one of the owner's videos. */
  online: z.boolean(),
  /** The Bigo account whose room is relayed. */
  accountId: z.string().nullable(),
  /** The video that stands in while an online source is away, and whether it does now. */
  fallback: z.string().nullable(),
  onFallback: z.boolean(),
  /** Something to know while all is well, as that the source is re-encoded. */
  note: z.string().nullable(),
  /** The video that was asked for and is not on air yet. */
  nextSource: z.string().nullable(),
  /** What it plays of its playlist; null: it plays none. */
  playlist: PlaylistNow.nullable(),
  startedAt: z.iso.datetime(),
  title: z.string().nullable(),
  state: StreamPhase,
  /** How far its video is that it waits for, to go on air as soon as that is ready; null: it waits for none. */
  preparation: VideoPreparation.nullable(),
  /** Why it is not on air, in words for the person; null while all is well. */
  reason: z.string().nullable(),
  /** Since when it has been on air without a break; null while it is not. */
  since: z.iso.datetime().nullable(),
  /** When it was first on air; null: not yet. */
  firstLiveAt: z.iso.datetime().nullable(),
  /** When it is tried again, while it waits. */
  nextTryAt: z.iso.datetime().nullable(),
  /** Kilobits per second. */
  bitrate: z.number().nullable(),
  /** 1 is real time. */
  speed: z.number().nullable(),
  frames: z.number().int().nullable(),
  /** Tries after the first, also those that failed. */
  restarts: z.number().int(),
  /** How often it was on air again after an interruption. */
  reconnects: z.number().int(),
  /** Seconds on air in all. */
  uptime: z.number().int(),
})
export type ActiveStream = z.infer<typeof ActiveStream>

export const StartedStreamAnswer = Answer.extend({ streamId: z.string() })
export type StartedStreamAnswer = z.infer<typeof StartedStreamAnswer>

export const ActiveStreamsAnswer = Answer.extend({ streams: z.array(ActiveStream) })
export type ActiveStreamsAnswer = z.infer<typeof ActiveStreamsAnswer>

/**
 * 'asked': Go Live was pressed. 'live': on air for the first time. 'lost': off air. 'back': on air again. 'renewed': a new
 * session, on purpose. 'fallback': the source is away and the video that stands in for it is on air. 'source-back': no more.
 * 'passed-over': items of the playlist cannot be played, and others play instead.
 */
export const StreamEventKind = z.enum([
  'asked',
  'live',
  'lost',
  'back',
  'swapped',
  'renewed',
  'fallback',
  'source-back',
  'passed-over',
  'stop-asked',
  'ended',
])
export type StreamEventKind = z.infer<typeof StreamEventKind>

export const StreamIncident = z.object({
  at: z.iso.datetime(),
  kind: StreamEventKind,
  reason: z.string().nullable(),
  offAirSeconds: z.number().nullable(),
})
export type StreamIncident = z.infer<typeof StreamIncident>

export const StreamEventsAnswer = Answer.extend({ events: z.array(StreamIncident) })
export type StreamEventsAnswer = z.infer<typeof StreamEventsAnswer>

export const EndedStream = z.object({
  streamId: z.string(),
  broadcastId: z.string(),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  platform: z.enum(PLATFORMS),
  source: z.string(),
  sourceName: z.string(),
  accountId: z.string().nullable(),
  fallback: z.string().nullable(),
  title: z.string().nullable(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Why it ended, in one word, and in words where it failed. */
  ended: z.enum(['stopped', 'finished', 'failed']),
  reason: z.string().nullable(),
  /** It was on air when a backup was taken, and the server was restored from that: it waits for its owner to begin it again. */
  restored: z.boolean(),
  restarts: z.number().int(),
  onAirSeconds: z.number().int(),
  /** Its share of the time from its start to its end. */
  onAirPercent: z.number(),
})
export type EndedStream = z.infer<typeof EndedStream>

/** Where a browser can play what an online source sends; null while it sends nothing. */
export const StreamPreviewAnswer = Answer.extend({ previewUrl: z.string().nullable() })
export type StreamPreviewAnswer = z.infer<typeof StreamPreviewAnswer>

export const StreamHistoryAnswer = Answer.extend({ streams: z.array(EndedStream) })
export type StreamHistoryAnswer = z.infer<typeof StreamHistoryAnswer>
