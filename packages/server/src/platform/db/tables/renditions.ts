/** A master of a video: what is played and broadcast, loop-safe. Its files never change; a new preparation makes another rendition. */
export interface RenditionTable {
  id: string
  video_id: string
  /** What was to be made of the video (contracts/recipes); 'as-is': the video itself and nothing added. Each recipe has one that is ready. */
  recipe: string
  /** The original's own where that loops already. */
  key: string
  /** Room that it takes beside the original. */
  bytes: number
  content_type: string
  /** How its end meets its beginning, as JSON (`LoopList` of media); null: it loops by itself. */
  loop: string | null
  /** What is played behind it before it begins anew; null: nothing. */
  tail_key: string | null
  /** A picture of it; null: none could be made. */
  thumbnail_key: string | null
  /**
   * 'preparing': its files are on their way to their keys, and what a crash leaves of them is found by this row. 'replaced': another one is
   * ready, and its files stay for as long as a broadcast may be playing them.
   */
  state: 'preparing' | 'ready' | 'replaced'
  created_at: number
}

/** What is to be made of a video besides 'as-is', until it is ready. */
export interface RenditionOrderTable {
  video_id: string
  recipe: string
  /** 'failed': its owner has read why, and may ask again. */
  state: 'waiting' | 'preparing' | 'failed'
  /** In per cent; null: nobody is at it yet. */
  progress: number | null
  seconds_left: number | null
  /** As `videos.reason`. */
  reason: string | null
  created_at: number
}
