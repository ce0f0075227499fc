import { z } from 'zod'
import { ALERT_CHANNEL_KINDS, ALERT_KINDS, type AlertKind, SWITCHABLE_KINDS } from './alert-kinds.ts'
import { ALERT_TEXTS } from './alert-texts.ts'
import { Answer } from './answers.ts'
import { parseAddress } from './parse-address.ts'
import { DEFAULT_ZONE } from './schedules/schedule-rule.ts'
import { isZone } from './schedules/wall-time.ts'

/*
 * GET    /fitur/alert                        ListAlertsQuery -> AlertListAnswer      newest first, with the count of unread ones
 * GET    /fitur/alert/unread                                 -> UnreadAnswer         for the bell: ask every 30 s while the page is seen
 * POST   /fitur/alert/:id/read                               -> UnreadAnswer
 * POST   /fitur/alert/read-all               ReadAllBody     -> UnreadAnswer
 * GET    /fitur/alert/settings                               -> AlertSettingsAnswer
 * PUT    /fitur/alert/settings               AlertSettings   -> AlertSettingsAnswer
 * GET    /fitur/alert/channel                                -> AlertChannelListAnswer
 * POST   /fitur/alert/channel/discord        AddDiscordBody  -> AlertChannelAnswer
 * POST   /fitur/alert/channel/telegram       AddTelegramBody -> TelegramLinkAnswer   a code to send to the bot; once it has come, the
 *                                                                                    chat is a channel of the list
 * GET    /fitur/alert/channel/telegram                       -> TelegramLinkStateAnswer  ask every 2 s while the code is shown
 * DELETE /fitur/alert/channel/telegram                       -> Answer               the code counts no more
 * POST   /fitur/alert/channel/push           AddPushBody     -> AlertChannelAnswer
 * POST   /fitur/alert/channel/push/remove    RemovePushBody  -> Answer               by its endpoint: all that a browser knows
 * POST   /fitur/alert/channel/email                          -> AlertChannelAnswer   to the account's own address
 * PATCH  /fitur/alert/channel/:id            ChangeAlertChannelBody -> AlertChannelAnswer
 * DELETE /fitur/alert/channel/:id                            -> Answer
 * POST   /fitur/alert/channel/:id/test                       -> AlertTestAnswer      what the other side said
 */

export const ALERT_CHANNELS_MAX = 20
export const ALERTS_PER_PAGE_MAX = 100
export const ALERTS_KEPT_MAX = 1_000
export const ALERTS_KEPT_DAYS = 90
export const ALERT_MESSAGES_PER_HOUR = 60
export const CHANNEL_NAME_MAX = 60

export const Alert = z.object({
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  important: z.boolean(),
  /** When it happened. */
  at: z.iso.datetime(),
  title: z.string(),
  text: z.string(),
  read: z.boolean(),
  /** A path of the page, where more is to be seen. */
  path: z.string().nullable(),
  /** What it is about: a stream, a video, a schedule. */
  subjectId: z.string().nullable(),
})
export type Alert = z.infer<typeof Alert>

export const ListAlertsQuery = z.object({
  /** The `nextCursor` of the page before. */
  cursor: z
    .string({ error: ALERT_TEXTS.cursorInvalid })
    .regex(/^\d{1,15}$/, ALERT_TEXTS.cursorInvalid)
    .optional(),
  limit: z.coerce
    .number({ error: ALERT_TEXTS.limitInvalid })
    .int(ALERT_TEXTS.limitInvalid)
    .min(1, ALERT_TEXTS.limitInvalid)
    .max(ALERTS_PER_PAGE_MAX, ALERT_TEXTS.limitInvalid)
    .default(30),
  unread: z.enum(['true', 'false'], { error: ALERT_TEXTS.flagInvalid }).default('false'),
})
export type ListAlertsQuery = z.infer<typeof ListAlertsQuery>

/** `newestId`: of the newest alert, read or not; where it has changed, the list has too. */
export const Unread = z.object({ unread: z.int(), newestId: z.string().nullable() })
export type Unread = z.infer<typeof Unread>

export const AlertListAnswer = Answer.extend({
  data: z.array(Alert),
  nextCursor: z.string().nullable(),
  unread: z.int(),
})
export type AlertListAnswer = z.infer<typeof AlertListAnswer>
export const UnreadAnswer = Answer.extend({ data: Unread })
export type UnreadAnswer = z.infer<typeof UnreadAnswer>

/** `upTo`: the id of the newest alert that was seen; later ones stay unread. */
export const ReadAllBody = z.object({
  upTo: z.string({ error: ALERT_TEXTS.idInvalid }).regex(/^\d{1,15}$/, ALERT_TEXTS.idInvalid),
})
export type ReadAllBody = z.infer<typeof ReadAllBody>

const Flag = z.boolean({ error: ALERT_TEXTS.flagInvalid })
const KindSwitches = z.object({ app: Flag, telegram: Flag, discord: Flag, push: Flag, email: Flag })
export type KindSwitches = z.infer<typeof KindSwitches>
export type SwitchableKind = Exclude<AlertKind, 'channel.gone'>

const switches = Object.fromEntries(SWITCHABLE_KINDS.map((kind) => [kind, KindSwitches])) as Record<
  SwitchableKind,
  typeof KindSwitches
>
const ClockTime = z
  .string({ error: ALERT_TEXTS.timeInvalid })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, ALERT_TEXTS.timeInvalid)
const bounded = (most: number, error: string) => z.int({ error }).min(1, error).max(most, error)

export const QuietHours = z
  .object({ on: Flag, from: ClockTime, to: ClockTime })
  .refine(({ on, from, to }) => !on || from !== to, { error: ALERT_TEXTS.quietEmpty, path: ['to'] })

export const AlertSettings = z.object({
  /** For each kind: in the app, and by which channels. */
  kinds: z.object(switches, { error: ALERT_TEXTS.kindsInvalid }),
  /** How long a broadcast has to be off air before that is told. */
  offAirMinutes: bounded(1440, ALERT_TEXTS.offAirInvalid),
  /** More restarts than this within an hour are told. */
  restartsPerHour: bounded(100, ALERT_TEXTS.restartsInvalid),
  /** An end at or before the start is on the next day. */
  quiet: QuietHours,
  /** IANA: of the quiet hours, and of the times in messages. */
  zone: z.string({ error: ALERT_TEXTS.zoneInvalid }).refine(isZone, { error: ALERT_TEXTS.zoneInvalid }),
})
export type AlertSettings = z.infer<typeof AlertSettings>

const ALL_ON: KindSwitches = { app: true, telegram: true, discord: true, push: true, email: true }
export const DEFAULT_ALERT_SETTINGS: AlertSettings = {
  kinds: Object.fromEntries(SWITCHABLE_KINDS.map((kind) => [kind, ALL_ON])) as AlertSettings['kinds'],
  offAirMinutes: 1,
  restartsPerHour: 5,
  quiet: { on: false, from: '22:00', to: '07:00' },
  zone: DEFAULT_ZONE,
}
/** `saved`: false where they are ours, since nobody has chosen any yet. */
export const AlertSettingsAnswer = Answer.extend({ data: AlertSettings, saved: z.boolean() })
export type AlertSettingsAnswer = z.infer<typeof AlertSettingsAnswer>

/** 'gone': switched off by us, since the other side says that it is no longer there. */
export const AlertChannelState = z.enum(['on', 'off', 'gone'])
export type AlertChannelState = z.infer<typeof AlertChannelState>

/** What the other side said to the last message. `answer` is its own words, without secrets. */
export const AlertChannelAnswerOfOther = z.object({
  at: z.iso.datetime(),
  ok: z.boolean(),
  answer: z.string(),
})

export const AlertChannel = z.object({
  id: z.string(),
  kind: z.enum(ALERT_CHANNEL_KINDS),
  name: z.string(),
  /** What can be shown of where it goes: the name of the bot or the browser, an e-mail address, the end of a webhook's id. */
  hint: z.string(),
  state: AlertChannelState,
  /** Why it was switched off, in words. */
  stateReason: z.string().nullable(),
  last: AlertChannelAnswerOfOther.nullable(),
  /** Messages that still wait: held in quiet hours, or tried again. */
  waiting: z.int(),
  createdAt: z.iso.datetime(),
})
export type AlertChannel = z.infer<typeof AlertChannel>

/** Which channels this server can send by. `telegramBot`: the name of the operator's bot; one's own bot works without it. */
export const ChannelsOffered = z.object({
  telegramBot: z.string().nullable(),
  discord: z.boolean(),
  push: z.boolean(),
  /** For `PushManager.subscribe`. */
  pushPublicKey: z.string().nullable(),
  email: z.boolean(),
  /** The account's own; null: it has none that was verified. */
  emailAddress: z.string().nullable(),
})
export type ChannelsOffered = z.infer<typeof ChannelsOffered>

export const AlertChannelListAnswer = Answer.extend({ data: z.array(AlertChannel), offered: ChannelsOffered })
export type AlertChannelListAnswer = z.infer<typeof AlertChannelListAnswer>
export const AlertChannelAnswer = Answer.extend({ data: AlertChannel })
export type AlertChannelAnswer = z.infer<typeof AlertChannelAnswer>

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_BIDI = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u
const Name = z
  .string({ error: ALERT_TEXTS.nameInvalid })
  .trim()
  .min(1, ALERT_TEXTS.nameInvalid)
  .max(CHANNEL_NAME_MAX, ALERT_TEXTS.nameInvalid)
  .refine((name) => !CONTROL_OR_BIDI.test(name) && name.isWellFormed(), ALERT_TEXTS.nameInvalid)

export const AddDiscordBody = z.object({
  name: Name.optional(),
  /** `https://discord.com/api/webhooks/{id}/{token}` */
  url: z
    .string({ error: ALERT_TEXTS.discordInvalid })
    .trim()
    .min(1, ALERT_TEXTS.discordInvalid)
    .max(500, ALERT_TEXTS.discordInvalid),
})
export type AddDiscordBody = z.infer<typeof AddDiscordBody>

export const AddTelegramBody = z.object({
  /** The token of one's own bot, as @BotFather gives it; left out: the operator's bot. */
  botToken: z
    .string({ error: ALERT_TEXTS.botTokenInvalid })
    .trim()
    .regex(/^\d{3,20}:[\w-]{20,100}$/, ALERT_TEXTS.botTokenInvalid)
    .optional(),
})
export type AddTelegramBody = z.infer<typeof AddTelegramBody>

export const TelegramLinkAnswer = Answer.extend({
  data: z.object({
    /** Without `@`. */
    botName: z.string(),
    /** To be sent to the bot as `/start CODE`; the address does that. Shown once. */
    code: z.string(),
    url: z.string(),
    expiresAt: z.iso.datetime(),
  }),
})
export type TelegramLinkAnswer = z.infer<typeof TelegramLinkAnswer>

/** `problem`: why it may take longer; in words in `message`. */
export const TelegramLinkStateAnswer = Answer.extend({
  data: z.object({
    state: z.enum(['none', 'waiting', 'linked', 'expired']),
    botName: z.string().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    problem: z.enum(['conflict', 'token_refused']).nullable(),
  }),
})
export type TelegramLinkStateAnswer = z.infer<typeof TelegramLinkStateAnswer>

const Endpoint = z
  .string({ error: ALERT_TEXTS.pushInvalid })
  .trim()
  .max(2048, { error: ALERT_TEXTS.pushInvalid, abort: true })
  .refine((text) => /^https?:$/.test(parseAddress(text)?.protocol ?? ''), ALERT_TEXTS.pushInvalid)
  .meta({ format: 'uri' })
const PushKey = (length: number) =>
  z
    .string({ error: ALERT_TEXTS.pushInvalid })
    .regex(/^[\w-]+=*$/, ALERT_TEXTS.pushInvalid)
    .max(length, ALERT_TEXTS.pushInvalid)

export const AddPushBody = z.object({
  name: Name.optional(),
  /** As `PushSubscription.toJSON()` has it. */
  subscription: z.object(
    {
      endpoint: Endpoint,
      keys: z.object({ p256dh: PushKey(100), auth: PushKey(50) }, { error: ALERT_TEXTS.pushInvalid }),
    },
    { error: ALERT_TEXTS.pushInvalid },
  ),
})
export type AddPushBody = z.infer<typeof AddPushBody>
export const RemovePushBody = z.object({ endpoint: Endpoint })
export type RemovePushBody = z.infer<typeof RemovePushBody>

/** What is left out stays as it is. */
export const ChangeAlertChannelBody = z
  .object({ name: Name.optional(), on: Flag.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: ALERT_TEXTS.nothingToChange,
    path: ['name'],
  })
export type ChangeAlertChannelBody = z.infer<typeof ChangeAlertChannelBody>

/** `success` of the answer is true where the other side was asked at all. */
export const AlertTestAnswer = Answer.extend({
  data: z.object({ outcome: z.enum(['sent', 'later', 'gone', 'refused']), answer: z.string(), channel: AlertChannel }),
})
export type AlertTestAnswer = z.infer<typeof AlertTestAnswer>
