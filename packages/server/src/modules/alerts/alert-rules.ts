import type { AlertKind } from '@siarin/contracts/alert-kinds'
import type { AlertDetails } from '@siarin/contracts/alert-texts'
import type { AlertSettings } from '@siarin/contracts/alerts'

/** What the rules need of what the owner has set. */
export type RuleSettings = Pick<AlertSettings, 'offAirMinutes' | 'restartsPerHour'>

/** One thing to tell. Names are put in by who writes it down. */
export interface Telling {
  readonly kind: AlertKind
  readonly details: AlertDetails
}

export type StreamEvent =
  | { readonly type: 'interrupted'; readonly at: number; readonly reason: string; readonly planned: boolean }
  /** The reason is another one now. */
  | { readonly type: 'still-off'; readonly at: number; readonly reason: string }
  | { readonly type: 'recovered'; readonly at: number; readonly offAirMs: number | null }
  | { readonly type: 'failed'; readonly at: number; readonly cause: string | null }
  | { readonly type: 'ended'; readonly at: number }
  /** Nothing has happened; time has passed. */
  | { readonly type: 'time-passed'; readonly at: number }

/** What is remembered of a stream that was interrupted. Null: nothing. */
export interface StreamIncident {
  readonly off: { readonly since: number; readonly reason: string; readonly isTold: boolean } | null
  /** The unplanned interruptions of the last hour. */
  readonly restarts: readonly number[]
  readonly isFlappingTold: boolean
}

export interface Decision<State> {
  readonly state: State | null
  readonly tell: readonly Telling[]
  /** When time alone will have something to tell. */
  readonly dueAt: number | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** More than anybody can set as their limit. */
const RESTARTS_KEPT = 101
const CALM: StreamIncident = { off: null, restarts: [], isFlappingTold: false }

/**
 * What a stream's owner is told. The answer depends on the events alone, never on when somebody looked: an interruption that was too long
 * is told also where its end is known already, and then first.
 */
export function decideStream(
  before: StreamIncident | null,
  event: StreamEvent,
  settings: RuleSettings,
): Decision<StreamIncident> {
  const { incident, tell } = letTimePass(before ?? CALM, lastedUntil(before, event), settings)
  switch (event.type) {
    case 'interrupted': {
      const flapping = countRestart(incident, event, settings)
      const since = incident.off?.since ?? event.at
      const off = { since, reason: event.reason, isTold: incident.off?.isTold ?? false }
      return answer({ ...flapping.incident, off }, [...tell, ...flapping.tell], settings)
    }
    case 'still-off':
      // What is told later says what stands in the way then: with the reason from the beginning one would mend the wrong thing.
      return answer(before && withReason(incident, event.reason), tell, settings)
    case 'recovered':
      return answer({ ...incident, off: null }, [...tell, ...endOf(incident, event)], settings)
    case 'failed':
      return { state: null, tell: [...tell, failure(event)], dueAt: null }
    case 'ended':
      return { state: null, tell, dueAt: null }
    case 'time-passed':
      return answer(before ? incident : null, tell, settings)
  }
}

const withReason = (incident: StreamIncident, reason: string): StreamIncident =>
  incident.off ? { ...incident, off: { ...incident.off, reason } } : incident

const dueOf = ({ since }: { since: number }, { offAirMinutes }: RuleSettings): number =>
  since + offAirMinutes * MINUTE_MS

function answer(
  state: StreamIncident | null,
  tell: readonly Telling[],
  settings: RuleSettings,
): Decision<StreamIncident> {
  return { state, tell, dueAt: state?.off && !state.off.isTold ? dueOf(state.off, settings) : null }
}

/** Up to when it was off air. Who brought it back knows that best: its clock may have been set meanwhile. */
function lastedUntil(before: StreamIncident | null, event: StreamEvent): number {
  if (event.type !== 'recovered' || event.offAirMs === null || !before?.off) return event.at
  return before.off.since + event.offAirMs
}

function letTimePass(incident: StreamIncident, until: number, settings: RuleSettings) {
  const { off } = incident
  if (!off || off.isTold || until < dueOf(off, settings)) return { incident, tell: [] }
  const details = { at: dueOf(off, settings), when: off.since, reason: off.reason }
  return {
    incident: { ...incident, off: { ...off, isTold: true } },
    tell: [{ kind: 'stream.offair', details }] as const,
  }
}

/** Only what was told has an end to tell. */
function endOf(
  { off }: StreamIncident,
  { at, offAirMs }: Extract<StreamEvent, { type: 'recovered' }>,
): readonly Telling[] {
  if (!off?.isTold) return []
  const details = { at, when: off.since, lengthMs: Math.max(0, offAirMs ?? at - off.since) }
  return [{ kind: 'stream.back', details }]
}

const failure = ({ at, cause }: Extract<StreamEvent, { type: 'failed' }>): Telling => ({
  kind: 'stream.failed',
  details: { at, reason: cause },
})

/** Told once when there are too many, and again only after it has been much calmer: else a rate at the limit would be told for ever. */
function countRestart(
  incident: StreamIncident,
  { at, reason, planned }: Extract<StreamEvent, { type: 'interrupted' }>,
  { restartsPerHour }: RuleSettings,
): { incident: StreamIncident; tell: readonly Telling[] } {
  if (planned) return { incident, tell: [] }
  const restarts = [...incident.restarts.filter((each) => each > at - HOUR_MS && each <= at), at].slice(-RESTARTS_KEPT)
  const count = restarts.length
  const isCalm = count <= Math.max(1, Math.floor(restartsPerHour / 2))
  const wasTold = incident.isFlappingTold && !isCalm
  const isTooMany = count > restartsPerHour
  return {
    incident: { ...incident, restarts, isFlappingTold: wasTold || isTooMany },
    tell: isTooMany && !wasTold ? [{ kind: 'stream.flapping', details: { at, count, reason } }] : [],
  }
}

/** What was told of something that has no length: each once. */
export interface Told {
  readonly told: readonly string[]
}
/** An occurrence, a plan's end: older ones are over. */
const TOLD_KEPT = 50

/** `once`: what it is, as a key; null: each is one of its own. */
export function decideOnce(before: Told | null, telling: Telling, once: string | null): Decision<Told> {
  if (once === null) return { state: before, tell: [telling], dueAt: null }
  const told = before?.told ?? []
  if (told.includes(once)) return { state: { told }, tell: [], dueAt: null }
  return { state: { told: [...told, once].slice(-TOLD_KEPT) }, tell: [telling], dueAt: null }
}
