/** A stretch of a stream's life: on air, or off air and to come back. One follows the other, and only the last may be open. */
export interface Span {
  /** Null: it has no row yet. */
  readonly id: number | null
  readonly kind: 'run' | 'incident'
  readonly beganAt: number
  readonly endedAt: number | null
  readonly reason: string | null
  readonly planned: boolean
  readonly outcome: 'recovered' | 'ended' | 'failed' | null
  /** Where what it comes to stands: see SPAN_COUNTED of span-sums. */
  readonly counted: number
  /** How many incidents it stands for, and how long they lasted together: see fold-flaps. Null: it is one. */
  readonly times: number
  readonly offAirMs: number | null
}

export interface Life {
  readonly knownFrom: number
  readonly firstLiveAt: number | null
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly endCause: string | null
  /** The last one, those that end later than the facts that follow, and those that came since they were read. */
  readonly spans: readonly Span[]
}

/** What happened to a stream, as far as it concerns its time on air. */
export type LifeFact =
  | { readonly type: 'live'; readonly at: number; readonly offAirMs: number | null }
  /** `seenAt`: when it was last seen on air, where that is all that is known of when it went. */
  | {
      readonly type: 'interrupted'
      readonly at: number
      readonly reason: string
      readonly planned: boolean
      readonly seenAt: number | null
    }
  /** The reason is another one now. */
  | { readonly type: 'still-off'; readonly at: number; readonly reason: string }
  | {
      readonly type: 'ended'
      readonly at: number
      readonly reason: string
      readonly cause: string | null
      readonly seenAt: number | null
    }

const UNKNOWN = 'unknown'

const begin = (kind: Span['kind'], beganAt: number, more: Partial<Span> = {}): Span => ({
  ...{ id: null, kind, beganAt, endedAt: null, reason: null, planned: false, outcome: null },
  ...{ counted: 0, times: 1, offAirMs: null },
  ...more,
})

/** Where the next stretch may begin. */
const lastEdge = ({ spans, knownFrom }: Life): number => {
  const last = spans.at(-1)
  return last ? (last.endedAt ?? last.beganAt) : knownFrom
}

/** Not before what came before it. */
const notBefore = (life: Life, at: number): number => Math.max(at, lastEdge(life))

/**
 * Somebody may have set the clock back since: what lies after this moment was written by a clock that was ahead, and moves back to it. Left
 * there, nothing would last any time until the clock has caught up, which may take a year. A clock that shows a time before the stream was
 * asked for is the wrong one itself, and moves nothing.
 */
function setBackTo(life: Life, at: number): Life {
  if (at < life.knownFrom || lastEdge(life) <= at) return life
  const spans = life.spans.map((span) => {
    if ((span.endedAt ?? span.beganAt) <= at) return span
    return { ...span, beganAt: Math.min(span.beganAt, at), endedAt: span.endedAt && Math.min(span.endedAt, at) }
  })
  return { ...life, firstLiveAt: life.firstLiveAt && Math.min(life.firstLiveAt, at), spans }
}

const replaceLast = (spans: readonly Span[], ...by: Span[]): Span[] => [...spans.slice(0, -1), ...by]

/**
 * What a fact makes of a life. Facts come in order, but what the rows said at the beginning may be ahead of the first ones: a fact that
 * changes nothing any more is left out.
 */
export function follow(before: Life, fact: LifeFact): Life {
  if (before.endedAt !== null || changesNothing(openOf(before), fact)) return before
  const life = setBackTo(before, fact.at)
  const open = openOf(life)
  switch (fact.type) {
    case 'live':
      return wentLive(life, open, fact)
    case 'interrupted':
      return wasInterrupted(life, open, fact)
    case 'still-off':
      return open ? { ...life, spans: replaceLast(life.spans, { ...open, reason: fact.reason }) } : life
    case 'ended':
      return hasEnded(life, open, fact)
  }
}

function openOf({ spans }: Life): Span | null {
  const last = spans.at(-1)
  return last?.endedAt === null ? last : null
}

const changesNothing = (open: Span | null, { type }: LifeFact): boolean =>
  (type === 'live' && open?.kind === 'run') ||
  (type === 'interrupted' && open?.kind === 'incident') ||
  (type === 'still-off' && open?.kind !== 'incident')

function wentLive(life: Life, open: Span | null, fact: Extract<LifeFact, { type: 'live' }>): Life {
  const at = notBefore(life, fact.at)
  const firstLiveAt = life.firstLiveAt ?? at
  if (open) {
    const over: Span = { ...open, endedAt: at, outcome: 'recovered' }
    return { ...life, firstLiveAt, spans: replaceLast(life.spans, over, begin('run', at)) }
  }
  // It was off air, and nobody told us when that began.
  const awayFrom = fact.offAirMs ? notBefore(life, at - fact.offAirMs) : at
  const away =
    awayFrom < at
      ? [begin('incident', awayFrom, { endedAt: at, reason: UNKNOWN, outcome: 'recovered' } satisfies Partial<Span>)]
      : []
  return { ...life, firstLiveAt, spans: [...life.spans, ...away, begin('run', at)] }
}

function wasInterrupted(life: Life, run: Span | null, fact: Extract<LifeFact, { type: 'interrupted' }>): Life {
  const { reason, planned } = fact
  const at = notBefore(life, Math.min(fact.at, fact.seenAt ?? fact.at))
  const incident = begin('incident', at, { reason, planned })
  const spans = run ? replaceLast(life.spans, { ...run, endedAt: at }, incident) : [...life.spans, incident]
  return { ...life, spans }
}

function hasEnded(life: Life, open: Span | null, fact: Extract<LifeFact, { type: 'ended' }>): Life {
  const at = notBefore(life, Math.min(fact.at, fact.seenAt ?? fact.at))
  const isFailure = fact.reason === 'failed'
  const outcome = isFailure ? 'failed' : 'ended'
  const ended = { ...life, endedAt: at, endReason: fact.reason, endCause: fact.cause }
  if (open) {
    const over = { ...open, endedAt: at, outcome: open.kind === 'incident' ? outcome : null } satisfies Span
    return { ...ended, spans: replaceLast(life.spans, over) }
  }
  if (!isFailure || life.firstLiveAt !== null) return ended
  // It never got on air: the whole of it is one incident.
  const incident = begin('incident', life.knownFrom, { endedAt: at, reason: fact.cause ?? UNKNOWN, outcome })
  return { ...ended, spans: [...life.spans, incident] }
}

/** What a row says of a stream that was there before us. */
export interface KnownLife {
  readonly askedAt: number
  readonly firstLiveAt: number | null
  readonly liveSince: number | null
  readonly offAirSince: number | null
  readonly reason: string | null
  readonly reconnects: number
}

/** How the life of such a stream begins. If it was interrupted before, only the stretch that runs now is known. */
export function lifeOf(known: KnownLife, now: number): Life {
  const { askedAt, firstLiveAt, liveSince, reason } = known
  const none = { firstLiveAt, endedAt: null, endReason: null, endCause: null }
  if (firstLiveAt === null) return { ...none, knownFrom: askedAt, spans: [] }
  if (liveSince !== null) {
    const knownFrom = known.reconnects === 0 ? Math.min(askedAt, liveSince) : liveSince
    return { ...none, knownFrom, spans: [begin('run', liveSince)] }
  }
  const awayFrom = Math.max(askedAt, known.offAirSince ?? now)
  return { ...none, knownFrom: awayFrom, spans: [begin('incident', awayFrom, { reason: reason ?? UNKNOWN })] }
}
