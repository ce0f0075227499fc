import { z } from 'zod'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import type { StreamEvent, Telling } from './alert-rules.ts'

/** What a fact means for alerts. */
export type AlertFact =
  | { readonly type: 'stream'; readonly event: StreamEvent }
  /** `once`: as `decideOnce` takes it. */
  | { readonly type: 'once'; readonly telling: Telling; readonly once: string | null }

const DAY_MS = 86_400_000
const Interrupted = z.object({ reason: z.string().catch('unknown'), planned: z.boolean().catch(false) })
const StillOff = z.object({ reason: z.string().catch('unknown') })
const Recovered = z.object({ offAirMs: z.number().nullable().catch(null) })
const Failed = z.object({ cause: z.string().nullable().catch(null) })
const Scheduled = z.object({ title: z.string().catch(''), dueAt: z.number(), reason: z.string().catch('unknown') })
const PlanEnd = z.object({ plan: z.string().catch(''), endsAt: z.number() })
const VideoFailed = z.object({ filename: z.string().catch(''), reason: z.string().nullable().catch(null) })
const WebhookDisabled = z.object({ name: z.string().catch(''), reason: z.string().catch('failing') })
const RoomLow = z.object({ usedBytes: z.number(), roomBytes: z.number() })

const RecordingExpiring = z.object({ title: z.string().catch(''), goesAt: z.number() })

type Reader = (payload: unknown, at: number) => AlertFact

const scheduled =
  (kind: 'schedule.missed' | 'schedule.failed' | 'schedule.blocked'): Reader =>
  (payload, at) => {
    const { title, dueAt, reason } = Scheduled.parse(payload)
    // What stands in the way may change; that it did not start happens once.
    const once = kind === 'schedule.blocked' ? `${kind}:${dueAt}:${reason}` : `${kind}:${dueAt}`
    return { type: 'once', telling: { kind, details: { at, name: title, when: dueAt, reason } }, once }
  }

const planEnd =
  (kind: 'plan.ending' | 'plan.ended'): Reader =>
  (payload, at) => {
    const { plan, endsAt } = PlanEnd.parse(payload)
    const daysLeft = Math.ceil((endsAt - at) / DAY_MS)
    const once = kind === 'plan.ending' ? `${kind}:${endsAt}:${daysLeft}` : `${kind}:${endsAt}`
    return { type: 'once', telling: { kind, details: { at, plan, when: endsAt } }, once }
  }

const READERS: Readonly<Record<string, Reader>> = {
  'stream.interrupted': (payload, at) => ({
    type: 'stream',
    event: { type: 'interrupted', at, ...Interrupted.parse(payload) },
  }),
  'stream.still-off': (payload, at) => ({
    type: 'stream',
    event: { type: 'still-off', at, ...StillOff.parse(payload) },
  }),
  'stream.recovered': (payload, at) => ({
    type: 'stream',
    event: { type: 'recovered', at, ...Recovered.parse(payload) },
  }),
  'stream.failed': (payload, at) => ({ type: 'stream', event: { type: 'failed', at, ...Failed.parse(payload) } }),
  'stream.ended': (_, at) => ({ type: 'stream', event: { type: 'ended', at } }),
  'schedule.missed': scheduled('schedule.missed'),
  'schedule.failed': scheduled('schedule.failed'),
  'schedule.blocked': scheduled('schedule.blocked'),
  'plan.ending': planEnd('plan.ending'),
  'plan.ended': planEnd('plan.ended'),
  'video.failed': (payload, at) => {
    const { filename, reason } = VideoFailed.parse(payload)
    return { type: 'once', telling: { kind: 'video.failed', details: { at, name: filename, reason } }, once: null }
  },
  // Said in the app, whatever is switched off, as of a channel that is gone: nothing else would say it.
  'webhook.disabled': (payload, at) => ({
    type: 'once',
    telling: { kind: 'channel.gone', details: { at, channelKind: 'webhook', ...WebhookDisabled.parse(payload) } },
    once: null,
  }),
  'recording.expiring': (payload, at) => {
    const { title, goesAt } = RecordingExpiring.parse(payload)
    const details = { at, name: title, when: goesAt }
    return { type: 'once', telling: { kind: 'recording.expiring', details }, once: `recording.expiring:${goesAt}` }
  },
  'room.low': (payload, at) => ({
    type: 'once',
    telling: { kind: 'room.low', details: { at, ...RoomLow.parse(payload) } },
    // Somebody who uploads and deletes at the limit is told once a day.
    once: `room.low:${Math.floor(at / DAY_MS)}`,
  }),
}

/** Null: nothing that anybody is told. Throws where a payload is not what this version knows. */
export function readAlertFact({ fact, payload, at }: Pick<ToldFact, 'fact' | 'payload' | 'at'>): AlertFact | null {
  return Object.hasOwn(READERS, fact) ? (READERS[fact]?.(JSON.parse(payload), at) ?? null) : null
}
