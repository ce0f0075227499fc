/** What people can be told. `stream.back` is the end of a `stream.offair`, and comes only after one. */
export const ALERT_KINDS = [
  'stream.failed',
  'stream.offair',
  'stream.back',
  'stream.flapping',
  'schedule.missed',
  'schedule.failed',
  'schedule.blocked',
  'plan.ending',
  'plan.ended',
  'video.failed',
  'room.low',
  'recording.expiring',
  'channel.gone',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** They come through in quiet hours. The end of what was told at night too: it was promised, and else one is left with the bad news. */
const IMPORTANT: ReadonlySet<AlertKind> = new Set([
  'stream.failed',
  'stream.offair',
  'stream.back',
  'schedule.missed',
  'plan.ended',
])
export const isImportantKind = (kind: AlertKind): boolean => IMPORTANT.has(kind)

/** Where messages go beside the list in the app. */
export const ALERT_CHANNEL_KINDS = ['telegram', 'discord', 'push', 'email'] as const
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number]

/** `channel.gone`, of a channel or a webhook, is said in the app, whatever is switched off: nothing else would say it. */
export const SWITCHABLE_KINDS = ALERT_KINDS.filter((kind) => kind !== 'channel.gone')
