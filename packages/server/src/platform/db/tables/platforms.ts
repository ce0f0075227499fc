import type { Generated } from 'kysely'

/** HLS addresses that a user has given us. */
export interface OnlineSourceTable {
  id: string
  user_id: string
  name: string
  url_sealed: string
  url_mark: string
  created_at: number
}

/** What was begun at a platform by us, and has to be ended there. */
export interface PlatformBroadcastTable {
  id: string
  user_id: string
  token_sealed: string
  /** As the platform calls it. */
  broadcast_id: string
  /** By which the stream that goes there is known. */
  target_mark: string
  stream_id: string | null
  created_at: number
  tries: Generated<number>
  next_try_at: Generated<number>
  ended_at: number | null
}

/** Accounts on other platforms that a user has given us. */
export interface PlatformAccountTable {
  id: string
  user_id: string
  platform: string
  name: string
  /** The siteId of Bigo or the token of TikTok. */
  credential_sealed: string
  /** Tells whether the user has given this one already, and nothing else about it. */
  credential_mark: string
  created_at: number
}
