/** One thing to tell, in the words of its reader. */
export interface AlertMessage {
  /** The same for every try, and for no other message. */
  readonly id: string
  readonly title: string
  readonly text: string
  /** Where to look, at our own address. Null where the operator has set none. */
  readonly url: string | null
  readonly isImportant: boolean
  /** What it is about: a later message on the same topic makes an earlier one worthless. */
  readonly topic: string
}

/** What came of a try. `answer` is for the owner's eyes: what the other side said, without secrets, at most 300 characters. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly answer: string }
  /** Not now. `afterMs`: where the other side says when. */
  | { readonly kind: 'later'; readonly afterMs: number | null; readonly answer: string }
  /** Never again: blocked, deleted, revoked. The channel is to be switched off, and its owner told. */
  | { readonly kind: 'gone'; readonly answer: string }
  /** Not this message, whatever is tried; the channel is fine. */
  | { readonly kind: 'refused'; readonly answer: string }
  /** The channel has moved and is to be kept under this new destination; then it is tried again. */
  | { readonly kind: 'moved'; readonly destination: string; readonly answer: string }

const CHANNEL_KINDS = ['telegram', 'discord', 'push', 'email'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** `destination`: as the row keeps it, unsealed: JSON or plain text, as the channel likes. Never throws for what the other side does. */
export type Send = (destination: string, message: AlertMessage, signal: AbortSignal) => Promise<SendOutcome>
