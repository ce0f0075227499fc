import { z } from 'zod'
import { Answer } from './answers.ts'
import { FILENAME_MAX } from './limits.ts'
import { RECORDING_TEXTS } from './recording-texts.ts'
import { Video } from './videos.ts'

/** A recording lasts no longer; the next one begins by itself. */
export const RECORDING_MAX_HOURS = 12

/** Why a recording of an online source ended before its broadcast did; the sentences are in the texts. */
export type RecordingEndCode = keyof typeof RECORDING_TEXTS.endedWhy

/** What was sent from one moment on. Between two parts the broadcast was off air. Where there are very many breaks, the shortest are folded. */
export const RecordingPart = z.object({
  /** When it was sent, and until when. */
  at: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Where it begins in the recording, in seconds. */
  from: z.number(),
  seconds: z.number(),
  /** Why the broadcast was off air before it, in words; null: it is the first part. */
  interruption: z.string().nullable(),
  /** How many breaks within it are not told one by one: there are too many to be shown. */
  folded: z.number().int(),
})
export type RecordingPart = z.infer<typeof RecordingPart>

export const Recording = z.object({
  recordingId: z.string(),
  broadcastId: z.string(),
  title: z.string().nullable(),
  sourceName: z.string(),
  /** Its source was online: it was written beside the broadcast and takes room. Others are played from the videos that were sent. */
  online: z.boolean(),
  /** 'recording': the broadcast goes on. 'ready': it is whole. */
  state: z.enum(['recording', 'ready']),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** The length of what was sent, without the interruptions. */
  seconds: z.number(),
  /** The size of a download, as far as it is known: exact where it takes room. */
  size: z.number().int(),
  interruptions: z.number().int(),
  /** Why it ended before its broadcast did, in words; null: it did not. */
  endedWhy: z.string().nullable(),
  /** Until when it is kept; null while it is being made. */
  keptUntil: z.iso.datetime().nullable(),
  hasPicture: z.boolean(),
})
export type Recording = z.infer<typeof Recording>

export const RecordingDetails = Recording.extend({ parts: z.array(RecordingPart) })
export type RecordingDetails = z.infer<typeof RecordingDetails>

export const RecordingsQuery = z.object({
  cursor: z.string({ error: RECORDING_TEXTS.cursorInvalid }).max(200, RECORDING_TEXTS.cursorInvalid).optional(),
  limit: z.coerce
    .number({ error: RECORDING_TEXTS.limitInvalid })
    .int(RECORDING_TEXTS.limitInvalid)
    .min(1, RECORDING_TEXTS.limitInvalid)
    .max(100, RECORDING_TEXTS.limitInvalid)
    .default(50),
  /** Only those of one broadcast. */
  broadcastId: z.string().max(100).optional(),
})

const seconds = z.coerce
  .number({ error: RECORDING_TEXTS.partInvalid })
  .min(0, RECORDING_TEXTS.partInvalid)
  .max(RECORDING_MAX_HOURS * 3600 + 60, RECORDING_TEXTS.partInvalid)

/** A part of a recording, in its own seconds; left out: from its beginning, to its end. */
const part = { from: seconds.optional(), to: seconds.optional() }
const isForward = ({ from = 0, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  to === undefined || to > from

export const RecordingPartQuery = z.object(part).refine(isForward, { error: RECORDING_TEXTS.partInvalid, path: ['to'] })

export const UseRecordingBody = z
  .object({
    ...part,
    /** What the video is to be called; left out: by title and date. */
    filename: z.string({ error: RECORDING_TEXTS.filenameInvalid }).trim().max(FILENAME_MAX).optional(),
  })
  .refine(isForward, { error: RECORDING_TEXTS.partInvalid, path: ['to'] })
export type UseRecordingBody = z.infer<typeof UseRecordingBody>

export const RecordingsAnswer = Answer.extend({
  recordings: z.array(Recording),
  /** For the next page; null: this is the last one. */
  nextCursor: z.string().nullable(),
})
export type RecordingsAnswer = z.infer<typeof RecordingsAnswer>
export const RecordingAnswer = Answer.extend({ recording: RecordingDetails })
export type RecordingAnswer = z.infer<typeof RecordingAnswer>
export const UsedRecordingAnswer = Answer.extend({ video: Video })
export type UsedRecordingAnswer = z.infer<typeof UsedRecordingAnswer>
