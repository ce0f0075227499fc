import type { Generated } from 'kysely'

/** Videos that are played one after the other. */
export interface PlaylistTable {
  id: string
  user_id: string
  name: string
  /** 1: in another order each round. */
  shuffle: Generated<number>
  /** What its videos were made alike by; null: each plays as it is. */
  recipe: Generated<string | null>
  /** Raised by each change of it or of its items. */
  version: Generated<number>
  /** How many items it has and how long they last together: kept by the database itself, see migrations/0052-playlist-totals. */
  item_count: Generated<number>
  duration_ms: Generated<number>
  created_at: number
  updated_at: number
}

export interface PlaylistItemTable {
  id: string
  playlist_id: string
  /** Sorts the items. An item that is moved gets a value between its new neighbours, and the others keep theirs. */
  position: number
  /** Null only where it was removed. */
  video_id: string | null
  /** It may still play: what follows it is found by where it was. Null: it belongs to the list. */
  removed_at: number | null
}
