import { z } from 'zod'
import { Answer } from './answers.ts'

export const VideoStatus = z.enum(['processing', 'ready', 'failed'])
export type VideoStatus = z.infer<typeof VideoStatus>

export const Video = z.object({
  filename: z.string(),
  size: z.number().int(),
  duration: z.number().nullable(),
  createdAt: z.iso.datetime(),
  status: VideoStatus,
})
export type Video = z.infer<typeof Video>

export const VideoListAnswer = Answer.extend({ data: z.array(Video) })
export type VideoListAnswer = z.infer<typeof VideoListAnswer>

export const VideoAnswer = Answer.extend({ data: Video })
export type VideoAnswer = z.infer<typeof VideoAnswer>

/** The address under which a user's own video plays and by which a broadcast names its source. */
export const videoPath = (filename: string): string => `/fitur/video/${encodeURIComponent(filename)}`
