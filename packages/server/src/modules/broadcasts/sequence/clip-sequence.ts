import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { Clip, Clips } from './clips.ts'

/** Where a broadcast is in its sequence. */
export interface SequencePosition {
  readonly item: number
  readonly ms: number
}

interface Beginning {
  readonly clip: Clip
  readonly item: number
  /** A key frame of the clip, or its start. */
  readonly fromSeconds: number
}

/** What a broadcast plays, in order. Each way of ordering is a form of it. */
export interface ClipSequence {
  /** Something follows each clip, in the same session. */
  readonly goesOn: boolean
  /** What a session begins with. */
  begin(position: SequencePosition): Promise<Beginning>
  /** What was asked for and neither plays nor comes next yet, and whether it can follow in the same session; null: nothing. */
  change(playing: Clip | null, next: Clip | null): Promise<{ readonly clip: Clip; readonly follows: boolean } | null>
}

interface SequenceDeps {
  row: StreamRow
  repo: Pick<StreamsRepo, 'byId'>
  clips: Pick<Clips, 'find' | 'keyframeBefore' | 'areAlike'>
}

export const clipSequenceOf = (deps: SequenceDeps): ClipSequence =>
  deps.row.looping === 1 ? loopOf(deps) : onceOf(deps)

/** One video again and again, until another one is asked for, which is then the one. */
function loopOf({ row, repo, clips }: SequenceDeps): ClipSequence {
  return {
    goesOn: true,
    async begin({ ms }) {
      const { clip, isChanged } = await wantedClip({ row, repo, clips })
      return { clip, item: 0, fromSeconds: isChanged ? 0 : await clips.keyframeBefore(clip, ms) }
    },
    async change(playing, next) {
      const { next_video_id: wanted } = (await repo.byId(row.id)) ?? row
      if (!wanted || wanted === playing?.videoId || wanted === next?.videoId) return null
      const clip = await clips.find(wanted)
      return { clip, follows: playing !== null && (await clips.areAlike(playing, clip)) }
    },
  }
}

/** One video, from its start to its end. */
function onceOf(deps: SequenceDeps): ClipSequence {
  return {
    goesOn: false,
    begin: async () => ({ clip: (await wantedClip(deps)).clip, item: 0, fromSeconds: 0 }),
    change: loopOf(deps).change,
  }
}

/** The row is asked each time: another video may have been chosen since. */
async function wantedClip({ row, repo, clips }: SequenceDeps): Promise<{ clip: Clip; isChanged: boolean }> {
  const now = (await repo.byId(row.id).catch(() => null)) ?? row
  const clip = await clips.find(now.next_video_id ?? now.video_id)
  return { clip, isChanged: clip.videoId !== now.video_id }
}
