import { storedReasonText, storedWarningText } from '@siarin/contracts/video-reasons'
import type { Rendition, Video, VideoPreparation } from '@siarin/contracts/videos'
import { isAbove, wouldGain } from '@siarin/media/picture-gain'
import type { Wait } from './estimate-waits.ts'
import type { LibraryLimits } from './room.ts'
import type { VideoRow } from './video-row.ts'

type Fit = Pick<Video, 'canImprove' | 'reducedFrom' | 'tooLarge'>
type Picture = Pick<VideoRow, 'width' | 'height' | 'fps'>

const sizeOf = ({ width, height, fps }: Picture) => ({ shortSide: Math.min(width ?? 0, height ?? 0), fps: fps ?? 0 })

/** Prepared under another plan it may be larger than this one allows. */
export const isTooLarge = (video: Picture, limits: LibraryLimits): boolean => isAbove(sizeOf(video), limits)

/** Whether a video is what its owner's plan allows now. An original that nobody has measured promises nothing more. */
export function fitOf(row: VideoRow, limits: LibraryLimits): Fit {
  if (row.status !== 'ready') return { canImprove: false, reducedFrom: null, tooLarge: false }
  const { original_height: shortSide, original_fps: fps } = row
  const known = shortSide !== null && fps !== null
  return {
    canImprove: known && wouldGain({ shortSide, fps }, sizeOf(row), limits),
    reducedFrom: known && isAbove({ shortSide, fps }, limits) ? { height: shortSide, fps } : null,
    tooLarge: isTooLarge(row, limits),
  }
}

/** The bitrate of the file that is sent: a master that is the original counts nothing beside it, or its tail alone. */
export function bitrateOf({ status, master, original_key, original_bytes, duration_ms }: VideoRow): number | null {
  if (status !== 'ready' || master === null || !duration_ms) return null
  const bytes = master.key === original_key ? original_bytes : master.bytes
  // Bits per millisecond are kilobits per second.
  return bytes > 0 ? Math.round((bytes * 8) / duration_ms) : null
}

/** How far its preparation is. `wait`: null where it does not wait for others. */
export const preparationOf = (row: VideoRow, wait: Wait | null): VideoPreparation => ({
  step: row.status === 'processing' ? (row.step as Video['step']) : null,
  progress: row.progress,
  secondsLeft: row.seconds_left,
  queue: row.status === 'processing' && row.progress === null ? wait : null,
})

interface Beside {
  readonly wait?: Wait | null
  readonly renditions?: readonly Rendition[]
}

export const toVideo = (
  row: VideoRow,
  limits: LibraryLimits,
  { wait = null, renditions = [] }: Beside = {},
): Video => ({
  filename: row.filename,
  size: row.original_bytes,
  duration: row.duration_ms === null ? null : row.duration_ms / 1000,
  createdAt: new Date(row.created_at).toISOString(),
  status: row.status as Video['status'],
  ...preparationOf(row, wait),
  reason: row.reason === null ? null : storedReasonText(row.reason),
  warning: row.warning === null ? null : storedWarningText(row.warning),
  width: row.width,
  height: row.height,
  fps: row.fps,
  bitrate: bitrateOf(row),
  videoCodec: row.video_codec,
  audioCodec: row.audio_codec,
  hasThumbnail: (row.master?.thumbnailKey ?? null) !== null,
  ...fitOf(row, limits),
  renditions: [...renditions],
})
