import type { PassedOver } from '@siarin/contracts/stream-event-texts'
import type { Place } from '../../playlists/next-item.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { type Clip, type Clips, releasing } from './clips.ts'
import { type PlaylistSequenceDeps, playlistOf } from './playlist-sequence.ts'
import type { SlotEntry } from './slots.ts'

/** Where a broadcast is in its sequence. */
export interface SequencePosition {
  readonly item: number
  readonly ms: number
  /** In a playlist; null: it plays none. */
  readonly place: Place | null
}

export interface Beginning {
  readonly clip: Clip
  readonly item: number
  readonly place: Place | null
  /** A key frame of the clip, or its start. */
  readonly fromSeconds: number
  /** How long a clip lasts on average, where others follow; null: the same one again. */
  readonly meanSeconds: number | null
  /** What follows it. Null: the same one again, or nobody knows yet. */
  readonly next: Following | null
}

/**
 * What follows an item of a playlist, and whether it can do so in the same session. 'end': the broadcast is over then. 'nothing': no item can be
 * played now, nor can the one that plays once more.
 */
export type Following = { readonly clip: Clip; readonly place: Place; readonly follows: boolean } | 'end' | 'nothing'

/** What played while no program was there, and where it was when ffmpeg's time was zero. */
export interface PassedClip {
  readonly clip: Clip
  readonly fromMs: number
}

/** What a broadcast plays, in order. Each way of ordering is a form of it. */
export interface ClipSequence {
  /** Something follows each clip, in the same session. */
  readonly goesOn: boolean
  /** What a session begins with. */
  begin(position: SequencePosition): Promise<Beginning>
  /**
   * What was asked for and does not come next yet, and whether it can follow in the same session; null: nothing. The clip that plays is asked
   * for to withdraw another one.
   */
  change(playing: Clip | null, next: Clip | null): Promise<{ readonly clip: Clip; readonly follows: boolean } | null>
  /**
   * In a playlist: what comes after the item that plays. `told`: what was found before; answers null where that is as it was. Null: it is
   * no playlist, and plays the same again.
   */
  readonly following: ((place: Place, playing: Clip, told?: Clip | null) => Promise<Following | null>) | null
  /** Items of a playlist that cannot be played and that nobody was told of yet; null: none. Each answer is given once. */
  passedOver(): PassedOver | null
  /** In a playlist: what an ffmpeg plays that ran on while no program was there. */
  readonly adopted:
    | ((left: LeftOnAir) => Promise<{
        readonly clip: Clip
        readonly place: Place
        readonly fromMs: number
        readonly passed?: readonly PassedClip[]
        /** What its other slot has was said after what it reads, or before that. */
        readonly next?: Following | null
        readonly before?: { readonly clip: Clip; readonly place: Place } | null
      }>)
    | null
}

/** Where the row says that an ffmpeg is, how far it came since, and what it reads and finds in its slots by now. */
export interface LeftOnAir {
  readonly place: Place
  readonly fromMs: number
  readonly outTimeMs: number
  readonly reads: SlotEntry | null
  readonly told: readonly SlotEntry[]
}

interface SequenceDeps {
  row: StreamRow
  repo: Pick<StreamsRepo, 'byId'>
  clips: Pick<Clips, 'find' | 'keyframeBefore' | 'areAlike' | 'release'>
}

export function clipSequenceOf(deps: PlaylistSequenceDeps): ClipSequence {
  if (deps.row.position_item_id !== null) return playlistOf(deps)
  return deps.row.looping === 1 ? loopOf(deps) : onceOf(deps)
}

/** One video again and again, until another one is asked for, which is then the one. */
function loopOf({ row, repo, clips }: SequenceDeps): ClipSequence {
  return {
    goesOn: true,
    async begin({ ms }) {
      const { clip, isChanged } = await wantedClip({ row, repo, clips })
      return {
        clip,
        item: 0,
        place: null,
        meanSeconds: null,
        next: null,
        fromSeconds: isChanged ? 0 : await clips.keyframeBefore(clip, ms, row.user_id).catch(releasing(clips, clip)),
      }
    },
    async change(playing, next) {
      const { next_video_id: wanted } = (await repo.byId(row.id)) ?? row
      if (!wanted || wanted === next?.videoId) return null
      if (wanted === playing?.videoId && playing.path) return { clip: playing, follows: true }
      const clip = await clips.find(wanted, { recipe: row.recipe })
      const follows = playing !== null && (await clips.areAlike(playing, clip).catch(releasing(clips, clip)))
      return { clip, follows }
    },
    following: null,
    passedOver: () => null,
    adopted: null,
  }
}

/** One video, from its start to its end. */
function onceOf(deps: SequenceDeps): ClipSequence {
  return {
    goesOn: false,
    begin: async () => ({
      clip: (await wantedClip(deps)).clip,
      item: 0,
      place: null,
      meanSeconds: null,
      next: null,
      fromSeconds: 0,
    }),
    // It has no slots: whatever comes behind its only pass needs a new session.
    async change(playing, next) {
      const wanted = await loopOf(deps).change(playing, next)
      return wanted && { ...wanted, follows: false }
    },
    following: null,
    passedOver: () => null,
    adopted: null,
  }
}

/** The row is asked each time: another video may have been chosen since. */
async function wantedClip({ row, repo, clips }: SequenceDeps): Promise<{ clip: Clip; isChanged: boolean }> {
  const now = (await repo.byId(row.id).catch(() => null)) ?? row
  const clip = await clips.find(now.next_video_id ?? now.video_id, { recipe: now.recipe })
  return { clip, isChanged: clip.videoId !== now.video_id }
}
