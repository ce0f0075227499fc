import type { StreamRow } from '../store/streams.repo.ts'
import type { LeftOnAir } from './clip-sequence.ts'
import type { Clip, Clips } from './clips.ts'

/** ffmpeg opens a clip a moment before it is sent, and says once a second how far it is. */
const EARLY_MS = 1_500

interface AdoptionDeps {
  row: Pick<StreamRow, 'video_id' | 'next_video_id' | 'position_recipe' | 'sent_ms'>
  clips: Pick<Clips, 'find' | 'durationOf' | 'release'>
}

interface AdoptedLoop {
  readonly clip: Clip
  readonly place: null
  readonly fromMs: number
  readonly isSwapped: boolean
  /** What its slots were pointed at, and its row asks for. */
  readonly asked: Clip | null
}

/**
 * What a loop plays whose ffmpeg ran on while no program was there. The video that was asked for may have come meanwhile: then it is what ffmpeg
 * has open, whatever the row says.
 */
export async function adoptedLoop(
  { row, clips }: AdoptionDeps,
  { fromMs, outTimeMs, reads, told }: Omit<LeftOnAir, 'place'>,
): Promise<AdoptedLoop> {
  const own = await clips.find(row.video_id, { recipe: row.position_recipe })
  const found = (entry: LeftOnAir['reads'] | undefined): Promise<Clip | null> =>
    entry?.clip.videoId && entry.clip.videoId !== row.video_id
      ? clips.find(entry.clip.videoId, { recipe: entry.clip.recipe ?? null }).catch(() => null)
      : Promise.resolve(null)
  const clip = await found(reads)
  if (clip) {
    clips.release(own)
    const joinedMs = joinedAt({ fromMs, outTimeMs, sentMs: row.sent_ms, clipMs: clips.durationOf(own) })
    return { clip, place: null, fromMs: -joinedMs, isSwapped: true, asked: null }
  }
  const asked = await found(told.find((entry) => entry.clip.videoId === row.next_video_id))
  return { clip: own, place: null, fromMs, isSwapped: false, asked }
}

/** It had not come when the row was written last, so it joined at the next end of a pass; where that cannot be, when it is seen. */
function joinedAt(at: { fromMs: number; outTimeMs: number; sentMs: number; clipMs: number }): number {
  const { fromMs, outTimeMs, sentMs, clipMs } = at
  if (!(clipMs > 0)) return outTimeMs
  const endMs = (Math.floor(Math.max(0, fromMs + sentMs) / clipMs) + 1) * clipMs - fromMs
  return endMs <= outTimeMs + EARLY_MS ? endMs : outTimeMs
}
