import type { Platform } from '@siarin/contracts/platforms'
import type { EndedStream } from '@siarin/contracts/streams'

export const ROOM_GROUPS = ['attention', 'live', 'waiting', 'ended'] as const
export type RoomGroup = (typeof ROOM_GROUPS)[number]

export const GROUP_WORDS: Record<RoomGroup, string> = {
  attention: 'Perlu perhatian',
  live: 'Tayang',
  waiting: 'Menunggu',
  ended: 'Selesai hari ini',
}

/** `live` is red and breathes, `trouble` amber, the others are quiet. */
export type Lamp = 'live' | 'trouble' | 'waiting' | 'ended'

export interface RoomTarget {
  readonly streamId: string
  readonly platform: Platform
  /** As its owner called it, else the platform's name. */
  readonly name: string
  readonly lamp: Lamp
  readonly word: string
}

/** A line of the control room. It holds only what is shown: a row that looks the same is equal to the one before. */
export interface RoomRow {
  readonly id: string
  readonly group: RoomGroup
  /** It is wanted, and can be stopped; otherwise it is over, and can be started again. */
  readonly isOpen: boolean
  readonly name: string
  /** What is sent, where the name does not say it. */
  readonly source: string
  /** The video whose picture is shown; null: there is none. */
  readonly picture: string | null
  readonly targets: readonly RoomTarget[]
  /** Since when it is on air; null while it is not. */
  readonly onAirSince: string | null
  /** Its state in a word, where no clock runs. */
  readonly word: string
  readonly playing: {
    readonly now: string
    readonly next: string | null
    /** The stream that tells where in a playlist we are. Its clock is not part of the row, which would change with every second. */
    readonly listedBy: string | null
  } | null
  readonly trouble: string | null
  readonly nextTryAt: string | null
  /** Something to know while nothing is wrong, as how far its video is. */
  readonly note: string | null
  readonly stopping: boolean
  readonly startedAt: string
  readonly endedAt: string | null
  /** The ended streams that are started again. */
  readonly again: readonly EndedStream[]
}
