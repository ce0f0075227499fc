import { HOUR_MS, MINUTE_MS } from './sample-rules.ts'
import type { Span } from './spans.ts'

/** Where what a span comes to stands. */
export const SPAN_COUNTED = {
  /** Nowhere: it lasts, or it is from before there were sums and its turn is still to come. */
  no: 0,
  /** In the sums and in the totals of its stream. */
  inSums: 1,
  /** In the totals of its stream alone. It is so long that there are few of its kind: each is read as it is. */
  asItIs: 2,
} as const

/** A span that is shorter touches 5 hours and 17 quarters at most: a hundred that end together are written at once. Longer ones are few. */
export const LONG_MS = 4 * HOUR_MS
export const QUARTER_MS = 15 * MINUTE_MS
/** Days begin on the hour in most zones, and on a quarter of an hour in all of them. */
export const GRAINS = [
  { minutes: 60, ms: HOUR_MS },
  { minutes: 15, ms: QUARTER_MS },
] as const

export const RUNS = ''
export const reasonOf = (reason: string | null): string => reason || 'unknown'

export type EndedSpan = Pick<Span, 'kind' | 'beganAt' | 'reason' | 'times' | 'offAirMs'> & { readonly endedAt: number }

/** A part of a span within one hour or quarter. */
interface SpanPart {
  readonly grain: number
  readonly at: number
  readonly reason: string
  readonly onAirMs: number
  readonly offAirMs: number
  readonly incidents: number
  /** The length of the whole run, where it began; 0 elsewhere. */
  readonly runMs: number
}

export const lengthOf = ({ beganAt, endedAt }: Pick<EndedSpan, 'beganAt' | 'endedAt'>): number =>
  Math.max(0, endedAt - beganAt)
export const isLong = (span: EndedSpan): boolean => lengthOf(span) >= LONG_MS
/** How long it was off air: also a folded one, in which it was on air in between. */
export const offAirOf = (span: EndedSpan): number => Math.min(span.offAirMs ?? lengthOf(span), lengthOf(span))

/** What a span comes to in each hour and quarter that it touches. All of them together are the span, to the millisecond. */
export function* partsOf(span: EndedSpan): Generator<SpanPart> {
  for (const { minutes: grain, ms } of GRAINS) {
    if (span.times > 1) yield* foldedParts(span, grain, Math.floor(span.beganAt / ms))
    else yield* singleParts(span, grain, ms)
  }
}

function* singleParts(span: EndedSpan, grain: number, grainMs: number): Generator<SpanPart> {
  const isRun = span.kind === 'run'
  const first = Math.floor(span.beganAt / grainMs)
  for (let at = first; at === first || at * grainMs < span.endedAt; at++) {
    const ms = Math.max(0, Math.min(span.endedAt, (at + 1) * grainMs) - Math.max(span.beganAt, at * grainMs))
    yield {
      ...{ grain, at, reason: isRun ? RUNS : reasonOf(span.reason) },
      ...{ onAirMs: isRun ? ms : 0, offAirMs: isRun ? 0 : ms },
      incidents: !isRun && at === first ? 1 : 0,
      runMs: isRun && at === first ? lengthOf(span) : 0,
    }
  }
}

/** It lies within one quarter. */
function* foldedParts(span: EndedSpan, grain: number, at: number): Generator<SpanPart> {
  const offAirMs = offAirOf(span)
  yield { grain, at, reason: reasonOf(span.reason), onAirMs: 0, offAirMs, incidents: span.times, runMs: 0 }
  yield { grain, at, reason: RUNS, onAirMs: lengthOf(span) - offAirMs, offAirMs: 0, incidents: 0, runMs: 0 }
}
