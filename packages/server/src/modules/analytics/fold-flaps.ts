import { type EndedSpan, offAirOf, QUARTER_MS, SPAN_COUNTED } from './span-sums.ts'
import type { Span } from './spans.ts'

/** So many rows of one stream in a quarter of an hour are kept one by one: with the two that may be open, less than 60 an hour. */
const MOST_PER_QUARTER = 12

type Ended = Span & EndedSpan
const quarterOf = (ms: number): number => Math.floor(ms / QUARTER_MS)
const isCounted = (span: Span): span is Ended => span.endedAt !== null && span.counted === SPAN_COUNTED.inSums

/**
 * A line that breaks every few seconds makes tens of thousands of spans a day. Those beyond the first ones of each quarter of an hour become
 * one incident, with how many they were and how long they lasted together. Only what is in the sums is folded, and never beyond its quarter:
 * so no day, no month and no stream comes to anything else than before. `spans` follow each other in time.
 */
export function foldFlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = []
  for (const span of spans) {
    kept.push(span)
    const [first, run, last] = kept.slice(-3)
    if (kept.length <= MOST_PER_QUARTER || !first || !run || !last) continue
    if (!areFoldable(first, run, last) || !isCrowded(kept)) continue
    kept.splice(-3, 3, fold(first as Ended, last as Ended))
  }
  return kept
}

function areFoldable(first: Span, run: Span, last: Span): boolean {
  if (first.kind !== 'incident' || run.kind !== 'run' || last.kind !== 'incident') return false
  if (!isCounted(first) || !isCounted(run) || !isCounted(last)) return false
  return quarterOf(first.beganAt) === quarterOf(Math.max(last.beganAt, last.endedAt - 1))
}

/** The last ones all began in the same quarter. */
const isCrowded = (kept: readonly Span[]): boolean =>
  quarterOf(kept.at(-1)?.beganAt ?? 0) === quarterOf(kept.at(-1 - MOST_PER_QUARTER)?.beganAt ?? -1)

const fold = (first: Ended, last: Ended): Span => ({
  ...first,
  endedAt: last.endedAt,
  outcome: last.outcome,
  planned: first.planned && last.planned,
  times: first.times + last.times,
  offAirMs: offAirOf(first) + offAirOf(last),
})
