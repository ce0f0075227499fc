/** The chosen video: what the player shows and what a broadcast would send. */
export interface Picked {
  readonly name: string
  /** Where the player fetches it; null: not known, or nowhere at the moment. */
  readonly url: string | null
  /** How the server names it: a file's name, or an address. */
  readonly source: string
  /** Set when an active stream was picked to be watched. */
  readonly streamId: string | null
  /** Set when it comes from elsewhere: a room of this Bigo account, or an address (null). */
  readonly online?: { readonly accountId: string | null }
  /** Set when it is a playlist: which one, and the item to begin with (null: the first). */
  readonly playlist?: { readonly id: string; readonly itemId: string | null; readonly facts?: readonly string[] }
}
