import type { Place } from '../../playlists/next-item.ts'
import type { Following, PassedClip } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { BroadcastProcess } from './broadcast-process.ts'

export interface StartedBroadcast {
  readonly process: BroadcastProcess
  readonly clip: Clip
  /** Which item of the sequence that is. */
  readonly item: number
  /** Where in a playlist that is; null: it plays none. */
  readonly place: Place | null
  /** What it was told to play next; null: the same again, or nobody knows. */
  readonly next?: Following | null
  /** What a process that is taken over comes to once more where nobody says in time what follows. */
  readonly before?: { readonly clip: Clip; readonly place: Place } | null
  /** What a process that is taken over has played since the row was written. */
  readonly passed?: readonly PassedClip[]
  /** In a loop that is taken over: the clip has taken the place of the one that its row names. */
  readonly isSwapped?: boolean
  /** In a loop that is taken over: what its slots were pointed at, and its row asks for. */
  readonly asked?: Clip | null
  /** Where in the clip it began. */
  readonly fromMs: number
  /** The video that stands in for an online source. */
  readonly onFallback: boolean
  /** Something its owner should know while all is well. */
  readonly note: string | null
}
