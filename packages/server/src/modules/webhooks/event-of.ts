import type { WebhookEvent } from '@siarin/contracts/webhooks'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'

/** What people know a stream by: see `StreamLabel` of broadcasts. */
export interface StreamWords {
  readonly broadcastId: string
  readonly title: string
  readonly platform: string
  readonly targetName: string | null
}

type Payload = Readonly<Record<string, unknown>>

/** Which event tells of which fact. A schedule that could not be started in its window was missed, whatever the reason. */
const EVENTS: Readonly<Record<string, WebhookEvent>> = {
  'stream.started': 'stream.started',
  'stream.live': 'stream.live',
  'stream.interrupted': 'stream.interrupted',
  'stream.recovered': 'stream.recovered',
  'stream.failed': 'stream.failed',
  'stream.ended': 'stream.ended',
  'video.ready': 'video.ready',
  'video.failed': 'video.failed',
  'schedule.started': 'schedule.started',
  'schedule.missed': 'schedule.missed',
  'schedule.failed': 'schedule.missed',
  'recording.ready': 'recording.ready',
  'plan.ending': 'plan.ending',
}

/** What of a payload is told. What another version adds to it is not told before somebody has thought about it here. */
const FIELDS: Readonly<Record<WebhookEvent, readonly string[]>> = {
  'stream.started': [],
  'stream.live': [],
  'stream.interrupted': ['reason', 'planned'],
  'stream.recovered': ['offAirMs'],
  'stream.failed': ['cause'],
  'stream.ended': ['reason', 'cause'],
  'video.ready': ['filename'],
  'video.failed': ['filename', 'reason'],
  'schedule.started': ['scheduleId', 'title', 'dueAt', 'streamId'],
  'schedule.missed': ['scheduleId', 'title', 'dueAt', 'reason'],
  'recording.ready': ['streamId', 'title', 'durationMs', 'sizeBytes'],
  'plan.ending': ['plan', 'endsAt'],
}

const INSTANTS = new Set(['dueAt', 'endsAt'])
/** Titles and names are shorter; so is a body, however they grow. */
const LONGEST_TEXT = 1000

export const eventOf = ({ fact }: Pick<ToldFact, 'fact'>): WebhookEvent | null =>
  Object.hasOwn(EVENTS, fact) ? (EVENTS[fact] ?? null) : null

/** Deliveries about one subject go one after the other. */
export const subjectOf = ({ subjectKind, subjectId }: Pick<ToldFact, 'subjectKind' | 'subjectId'>): string =>
  `${subjectKind}:${subjectId}`

/** The body as it is sent, and signed: `type`, `timestamp` and `data`, as Standard Webhooks has it. */
export function bodyOf(told: ToldFact, event: WebhookEvent, words: StreamWords | null): string {
  return toBody(event, told.at, {
    ...subjectData(told, words),
    ...Object.fromEntries(FIELDS[event].map((name) => [name, tellable(name, payloadOf(told)[name])])),
  })
}

export const testBody = (at: number, endpointId: string): string =>
  toBody('webhook.test', at, { webhookId: endpointId, message: 'Ini uji coba dari Siarin.' })

const toBody = (type: string, at: number, data: Payload): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })

function payloadOf({ payload }: ToldFact): Payload {
  const parsed: unknown = JSON.parse(payload)
  return typeof parsed === 'object' && parsed !== null ? (parsed as Payload) : {}
}

function subjectData({ subjectKind, subjectId }: ToldFact, words: StreamWords | null): Payload {
  if (subjectKind === 'video') return { videoId: subjectId }
  if (subjectKind === 'recording') return { recordingId: subjectId }
  if (subjectKind !== 'stream') return {}
  return {
    streamId: subjectId,
    broadcastId: words?.broadcastId ?? null,
    title: words && cut(words.title),
    platform: words?.platform ?? null,
    targetName: words?.targetName ?? null,
  }
}

function tellable(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (INSTANTS.has(name)) return typeof value === 'number' ? new Date(value).toISOString() : null
  if (typeof value === 'string') return cut(value)
  return ['number', 'boolean'].includes(typeof value) ? value : null
}

const cut = (text: string): string => text.slice(0, LONGEST_TEXT)
