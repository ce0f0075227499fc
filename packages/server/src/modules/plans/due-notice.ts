const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A paid plan is renewed by a person: once with time to think, and once on the last day. */
const AHEAD_MS = [3 * DAY_MS, DAY_MS]
/** For what is too short for that. */
const SHORT_AHEAD_MS = 3 * HOUR_MS
/** An end that lies further back is no news: the program was away, or the settings are new. */
const NEWS_MS = 8 * DAY_MS
const ENDED_STEP = AHEAD_MS.length + 1

export interface PlanSpan {
  readonly since: number
  readonly endsAt: number
}

/** `step` rises towards the end: who was told a later one needs no earlier one. */
export interface PlanNotice {
  readonly fact: 'plan.ending' | 'plan.ended'
  readonly step: number
}

/** Ends between these moments may have to be told now. */
export const endsToTell = (now: number) => ({ from: now - NEWS_MS, to: now + Math.max(...AHEAD_MS) })

/** What there is to tell about the end of a plan at this moment, whatever was told before. */
export function dueNotice({ since, endsAt }: PlanSpan, now: number): PlanNotice | null {
  if (now >= endsAt) return now - endsAt <= NEWS_MS ? { fact: 'plan.ended', step: ENDED_STEP } : null
  // Ahead of an end whose plan has hardly begun it would be no notice.
  const fitting = AHEAD_MS.filter((ms) => endsAt - since >= 2 * ms)
  const step = (fitting.length > 0 ? fitting : [SHORT_AHEAD_MS]).filter((ms) => now >= endsAt - ms).length
  return step === 0 ? null : { fact: 'plan.ending', step }
}
