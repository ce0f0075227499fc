import { z } from 'zod'
import { Answer } from './answers.ts'
import { Look, LookAnswered } from './branding.ts'
import { VIDEOS_PAGE_MAX } from './limits.ts'
import { RENDITION_TEXTS } from './rendition-texts.ts'
import { VIDEO_TEXTS } from './texts.ts'

/** How long a video waits for its preparation, behind others: an estimate, never a promise. */
export const PreparationWait = z.object({
  /** Videos that are begun before it and not done yet. */
  ahead: z.number().int(),
  /** About how long until it is ready. */
  seconds: z.number().int(),
})
export type PreparationWait = z.infer<typeof PreparationWait>

/** How far a video is that is not ready yet. */
export const VideoPreparation = z.object({
  /** What is being done while it is processing: fetched from an address, looked at, or made ready for broadcasting. */
  step: z.enum(['importing', 'checking', 'preparing']).nullable(),
  /** 0 to 100 of that step; null: not known yet. */
  progress: z.number().int().nullable(),
  secondsLeft: z.number().int().nullable(),
  /** Null: it does not wait for others. */
  queue: PreparationWait.nullable(),
})
export type VideoPreparation = z.infer<typeof VideoPreparation>

/** What was made of a video, or is being made, besides its master. */
export const Rendition = z.object({
  /** Size, frame rate and bitrate, as in `1280x720@30:2800`; with a brand on it an id of that follows. */
  recipe: z.string(),
  /** How the brand stands on it; null: there is none. A server of an earlier version does not say it. */
  look: LookAnswered.nullable().optional(),
  state: z.enum(['waiting', 'preparing', 'ready', 'failed']),
  /** 0 to 100; null: it has not begun. */
  progress: z.number().int().nullable(),
  secondsLeft: z.number().int().nullable(),
  /** Null: it does not wait for others. */
  queue: PreparationWait.nullable(),
  /** Why it failed, in words for the person. */
  reason: z.string().nullable(),
  /** Bytes of its file; 0 until it is ready. */
  size: z.number().int(),
  /** Kilobits per second on average; null until it is ready. */
  bitrate: z.number().int().nullable(),
})
export type Rendition = z.infer<typeof Rendition>

export const Video = z.object({
  filename: z.string(),
  size: z.number().int(),
  duration: z.number().nullable(),
  createdAt: z.iso.datetime(),
  status: z.enum(['processing', 'ready', 'failed']),
  ...VideoPreparation.shape,
  /** Why it failed, in words for the person. */
  reason: z.string().nullable(),
  /** It can be used, but the person should know this. */
  warning: z.string().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  fps: z.number().nullable(),
  /** Kilobits per second of the file that is sent, on average and with everything in it; null until it is ready. */
  bitrate: z.number().int().nullable(),
  videoCodec: z.string().nullable(),
  audioCodec: z.string().nullable(),
  hasThumbnail: z.boolean(),
  /** The plan allows more than it was prepared for, and the original has it: `retry` prepares it again. */
  canImprove: z.boolean(),
  /** What the original has, where the plan allows less than that; null: nothing is lost. */
  reducedFrom: z.object({ height: z.number().int(), fps: z.number() }).nullable(),
  /** Prepared under a larger plan: it does not go on air until `retry` has prepared it again. */
  tooLarge: z.boolean(),
  /** A server of an earlier version does not say it. */
  renditions: z.array(Rendition).optional(),
})
export type Video = z.infer<typeof Video>

export const StorageUse = z.object({ used: z.number().int(), limit: z.number().int() })
export type StorageUse = z.infer<typeof StorageUse>

export const VideoListQuery = z.object({
  cursor: z.string().max(200, VIDEO_TEXTS.cursorInvalid).optional(),
  limit: z.coerce.number().int().min(1).max(VIDEOS_PAGE_MAX).catch(VIDEOS_PAGE_MAX),
})
export type VideoListQuery = z.infer<typeof VideoListQuery>

/** `nextCursor`: null where there are no more. */
export const VideoListAnswer = Answer.extend({
  data: z.array(Video),
  storage: StorageUse,
  nextCursor: z.string().nullable(),
})
export type VideoListAnswer = z.infer<typeof VideoListAnswer>

export const VideoAnswer = Answer.extend({ data: Video })
export type VideoAnswer = z.infer<typeof VideoAnswer>

export const ImportVideoBody = z.object({
  url: z
    .string({ error: VIDEO_TEXTS.urlInvalid })
    .trim()
    .min(1, VIDEO_TEXTS.urlInvalid)
    .max(2048, VIDEO_TEXTS.urlInvalid),
})
export type ImportVideoBody = z.infer<typeof ImportVideoBody>

/** Either what exactly is to be made, or the platform that it is to fit. With `look` alone it has the video's own size, or that of its frame. */
export const OrderRenditionBody = z
  .object({
    recipe: z.string({ error: RENDITION_TEXTS.recipeInvalid }).max(60, RENDITION_TEXTS.recipeInvalid).optional(),
    preset: z.string({ error: RENDITION_TEXTS.presetUnknown }).max(60, RENDITION_TEXTS.presetUnknown).optional(),
    /** Put on the picture; it takes the brand kit as that is now. */
    look: Look.optional(),
  })
  .refine(({ recipe, preset, look }) => [recipe, preset].filter(Boolean).length === 1 || (look && !recipe && !preset), {
    error: RENDITION_TEXTS.recipeOrPreset,
  })
export type OrderRenditionBody = z.infer<typeof OrderRenditionBody>

export const RemoveRenditionQuery = z.object({
  recipe: z.string({ error: RENDITION_TEXTS.recipeInvalid }).max(60, RENDITION_TEXTS.recipeInvalid),
})

export const RenditionAnswer = Answer.extend({ rendition: Rendition })
export type RenditionAnswer = z.infer<typeof RenditionAnswer>

export const renditionPath = (filename: string): string => `/fitur/video/rendition/${encodeURIComponent(filename)}`

/** The address under which a user's own video plays and by which a broadcast names its source. */
export const videoPath = (filename: string): string => `/fitur/video/${encodeURIComponent(filename)}`

export const thumbnailPath = (filename: string): string => `${videoPath(filename)}/thumbnail`

/** Where resumable uploads (tus) go. The API key travels in X-API-Key, the file's name in the metadata `filename`. */
export const RESUMABLE_UPLOAD_PATH = '/fitur/video/tus'
