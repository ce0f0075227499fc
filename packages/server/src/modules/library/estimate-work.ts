import { laneOf } from './lanes.ts'
import type { VideoColumns } from './video-row.ts'

export type WorkColumns = Pick<
  VideoColumns,
  'lane' | 'progress' | 'seconds_left' | 'original_bytes' | 'duration_ms' | 'width' | 'height' | 'fps' | 'video_codec'
>

/** About two cores of an ordinary server. A faster machine is told by what runs on it. */
const USUAL_PIXELS_PER_SECOND = 33_000_000
/** What a row says of a run that has just begun may be off by as much. */
const MOST_TIMES_USUAL = 20
const READ_BYTES_PER_SECOND = 100_000_000
/** Starting the tools, the picture for the list, the move into the storage. */
const EACH_SECONDS = 3
/** What takes longer has gone into the long lane. */
const QUICK_SECONDS = 60
const USUAL_FPS = 30

/** About how long the rest of its preparation takes. What runs says so itself. */
export function estimateSeconds(video: WorkColumns, pixelsPerSecond: number): number {
  if (video.seconds_left !== null) return Math.max(0, video.seconds_left)
  const reading = EACH_SECONDS + video.original_bytes / READ_BYTES_PER_SECOND
  const whole = reading + makingSeconds(video, pixelsPerSecond)
  return whole * (1 - Math.min(100, Math.max(0, video.progress ?? 0)) / 100)
}

/** Nobody has scanned a video of the quick lane yet: another codec than H.264 is the one thing that is known to need a new picture. */
function makingSeconds(video: WorkColumns, pixelsPerSecond: number): number {
  const seconds = pixelsOf(video) / pixelsPerSecond
  if (laneOf(video) === 'long') return seconds
  return video.video_codec === 'h264' ? 0 : Math.min(seconds, QUICK_SECONDS)
}

/** How fast pictures are made now, by those that are being made; the usual pace where none is. */
export function measuredPace(videos: readonly WorkColumns[]): number {
  let [pixels, seconds] = [0, 0]
  for (const video of videos) {
    if (laneOf(video) !== 'long' || video.progress === null || !video.seconds_left) continue
    pixels += pixelsOf(video) * (1 - video.progress / 100)
    seconds += video.seconds_left
  }
  if (pixels === 0 || seconds === 0) return USUAL_PIXELS_PER_SECOND
  const [least, most] = [USUAL_PIXELS_PER_SECOND / MOST_TIMES_USUAL, USUAL_PIXELS_PER_SECOND * MOST_TIMES_USUAL]
  return Math.min(most, Math.max(least, pixels / seconds))
}

const pixelsOf = ({ width, height, fps, duration_ms }: WorkColumns): number =>
  (width ?? 0) * (height ?? 0) * (fps ?? USUAL_FPS) * ((duration_ms ?? 0) / 1000)

/** About how long making so much of a picture takes, where nothing else is to be made. */
export const usualSeconds = (
  { width, height, fps }: { readonly width: number; readonly height: number; readonly fps: number },
  seconds: number,
): number => Math.ceil(EACH_SECONDS + (width * height * fps * seconds) / USUAL_PIXELS_PER_SECOND)
