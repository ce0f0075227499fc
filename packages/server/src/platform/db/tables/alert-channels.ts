/** A code that somebody sends to a bot, so that we learn which chat is theirs. */
export interface TelegramLinkTable {
  id: string
  user_id: string
  /** The number of the bot that it is for. */
  bot_id: string
  bot_name: string
  code_hash: string
  /** The token of the user's own bot, and empty once the code was used; always empty for the operator's bot. */
  token_sealed: string
  created_at: number
  expires_at: number
  /** When it came back; null: not yet. */
  used_at: number | null
}

/** A bot whose messages are read, how far, and by whom. */
export interface TelegramBotTable {
  /** Its number, as it stands in its token before the colon. */
  id: string
  /** What is to be asked for next: everything before it was taken. */
  next_update: number
  /** The program that reads them now, and until when it may. */
  lease_owner: string
  lease_until: number
  /** 'conflict' or 'token_refused'; null: all is well. */
  problem: string | null
}

/** The keys by which push services know this installation: one row. */
export interface PushKeyTable {
  id: string
  public_key: string
  private_sealed: string
  created_at: number
}
