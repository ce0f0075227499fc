import { wholePicture } from '@siarin/media/picture-gain'
import { containerOf } from './container-types.ts'
import type { UsableProbe } from './inspect-video.ts'
import { folderOf } from './video-row.ts'

/** What the row of a video tells about the file that arrived. */
export function arrivalColumns(probe: UsableProbe, video: { id: string; userId: string }) {
  const container = containerOf(probe.formatName ?? '')
  return {
    original_key: `${folderOf({ user_id: video.userId, id: video.id })}original.${container.extension}`,
    content_type: container.contentType,
    ...pictureColumns(probe),
    ...originalColumns(probe),
    lane: probe.isHard ? 'long' : null,
  }
}

/** The file that is played: as it is seen, so that a picture on its side is turned. */
export function pictureColumns({ durationSeconds, video, audio }: UsableProbe) {
  const [numerator = 0, denominator = 1] = (video.avgFrameRate ?? '').split('/').map(Number)
  const fps = numerator / denominator
  const turned = Math.abs(video.rotation ?? 0) % 180 === 90
  return {
    duration_ms: durationSeconds === null ? null : Math.round(durationSeconds * 1000),
    width: turned ? video.height : video.width,
    height: turned ? video.width : video.height,
    fps: Number.isFinite(fps) && fps > 0 ? Math.round(fps * 100) / 100 : null,
    video_codec: video.codec,
    audio_codec: audio?.codec ?? null,
  }
}

/** What the original has, so that a larger plan can make more of it later. */
export function originalColumns({ video }: UsableProbe) {
  const { shortSide, fps } = wholePicture(video)
  return { original_height: shortSide, original_fps: fps }
}
