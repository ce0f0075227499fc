import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../../platform/clock.ts'
import type { Changes } from '../../../platform/db/changes.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import type { Log } from '../../../platform/log.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { ChannelKind, Send } from './channel.ts'

/** What the operator has set. */
export interface ChannelSettings {
  readonly telegram: {
    /** Null: there is no bot of the operator's, and everybody needs one of their own. */
    readonly bot: { readonly token: Secret; readonly name: string } | null
    readonly apiUrl: string
  }
  readonly discordApiUrl: string
  /** Null: no mails are sent. */
  readonly mail: { readonly smtpUrl: Secret; readonly from: string } | null
  /** Whom a push service may write to about us: `mailto:…` or `https://…`. */
  readonly pushContact: string
  readonly allowPrivateNetwork: boolean
  readonly publicUrl: string | null
  readonly brand: string
}

export interface ChannelsDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
  readonly egress: Pick<Egress, 'parse' | 'resolve'>
  readonly timings: Pick<Timings, 'telegram'>
  readonly settings: ChannelSettings
  /** No other program polls bots on this database. */
  readonly isAlone: boolean
  /** The account's own address, if a link that was sent there came back. */
  readonly verifiedMailOf: (userId: string) => Promise<string | null>
  /** The user is no longer logged in there, by their wish or somebody else's. One that nobody has used for long is not over by that. */
  readonly isSessionOver: (sessionId: string) => Promise<boolean>
  /** A chat was linked: keeps it as the user's channel, through `inside`. What it writes and the end of the code come together or not at all. */
  readonly keepLinked: (inside: Db, chat: LinkedChat) => Promise<void>
}

export interface LinkedChat {
  readonly userId: string
  /** As `senders.telegram` takes it. Seal it: it may hold the token of the user's own bot. */
  readonly destination: string
  /** For the owner's eyes, such as `Rina (@rina) · @siarin_bot`. No secret. */
  readonly shown: string
}

/** What a user gave, judged. `destination` is as the sender takes it, to be sealed; `shown` holds no secret. */
export type CheckedDestination =
  | { readonly ok: true; readonly destination: string; readonly shown: string }
  /** `invalid`: it is not such an address. `forbidden`: it leads to somebody's inside. `unreachable`: its name is unknown. */
  | { readonly ok: false; readonly why: 'invalid' | 'forbidden' | 'unreachable' }

export type TelegramLinkRefusal =
  /** The operator has no bot: give a token of one's own. */
  | 'no_bot'
  /** It does not look like a token, or Telegram does not know it. */
  | 'token_refused'
  /** The bot is at work for another program, which would miss its messages. */
  | 'bot_busy'
  | 'unreachable'

interface TelegramLinkOffer {
  /** For `/start CODE`. Shown once; we keep its hash. */
  readonly code: string
  readonly url: string
  readonly botName: string
  readonly expiresAt: number
}

export interface TelegramLinkState {
  /** `none`: nothing was begun lately. */
  readonly state: 'none' | 'waiting' | 'linked' | 'expired'
  readonly botName: string | null
  readonly expiresAt: number | null
  /** Why it may take longer: another program polls the bot, or its token counts no more. */
  readonly problem: 'conflict' | 'token_refused' | null
}

export interface TelegramLinks {
  /** The name of the operator's bot, without `@`. */
  readonly operatorBot: string | null
  /** A new code; the one before counts no more. `token`: of the user's own bot; null: the operator's. */
  begin(
    userId: string,
    token: Secret | null,
  ): Promise<
    { readonly ok: true; readonly offer: TelegramLinkOffer } | { readonly ok: false; readonly why: TelegramLinkRefusal }
  >
  stateOf(userId: string): Promise<TelegramLinkState>
  cancel(userId: string): Promise<void>
}

export interface Channels {
  /**
   * Null: the operator has not set it up (e-mail without SMTP). Destinations: telegram as `keepLinked` and `moved` give it; discord and push
   * as `check` gives it; email the id of the user, whose own verified address it goes to.
   */
  readonly senders: Readonly<Record<ChannelKind, Send | null>>
  readonly check: {
    discord(address: string): CheckedDestination
    /** As `PushSubscription.toJSON()` of the browser gives it. `sessionId`: whose end is the end of these pushes; null: of none. */
    push(subscription: unknown, sessionId: string | null): Promise<CheckedDestination>
  }
  readonly telegramLinks: TelegramLinks
  /** For `pushManager.subscribe`: the same for the life of the installation. */
  vapidPublicKey(): Promise<string>
  /** In the worker role: waits for `/start CODE`. */
  start(): Promise<void> | void
  /** Also called where it was not started. */
  stop(): Promise<void>
}
