import { rateOf } from '@siarin/media/frame-rate'
import { hasIdlePackets } from '@siarin/media/idle-packets'
import { type LoopPlan, loopPlan } from '@siarin/media/loop-plan'
import type { LoopEdges } from '@siarin/media/parse/edges'
import type { Probe } from '@siarin/media/parse/probe'

interface Indexes {
  readonly picture: number
  readonly sound: number
}

/** The indexes of the streams that a broadcast maps; null: one of them is not there. */
export const indexesOf = ({ video, audio }: Probe): Indexes | null =>
  video?.index == null || audio?.index == null ? null : { picture: video.index, sound: audio.index }

/** Without a count of its sound, or an end, the edges cannot be told from the rest. */
export const readsAll = ({ audio, durationSeconds }: Probe): boolean =>
  audio?.packets == null || durationSeconds === null

/** How a file whose picture is right can be looped. */
export function planOf(probe: Probe, edges: LoopEdges | null): LoopPlan {
  const { formatName, video, audio, startSeconds } = probe
  const fps = rateOf(video?.avgFrameRate ?? null)
  if (edges === null || !audio?.sampleRate || !fps) return { kind: 'encode-sound' }
  return loopPlan({
    edges,
    fps,
    sampleRate: audio.sampleRate,
    soundPackets: audio.packets ?? edges.soundPackets,
    startSeconds: startSeconds ?? 0,
    mustCopy: !(formatName ?? '').split(',').includes('mp4') || hasIdlePackets(probe, null),
  })
}
