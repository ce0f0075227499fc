const DAY_MS = 86_400_000

/** A session ends a week after it was last used, and after a month in any case. */
export const IDLE_MS = 7 * DAY_MS
export const ABSOLUTE_MS = 30 * DAY_MS

/** The time of last use is written at most this often: a write per request would be wasted. */
export const TOUCH_EVERY_MS = 60_000

export interface SessionTimes {
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly endedAt: number | null
}

export type SessionVerdict = 'valid' | 'invalidated' | 'expired'

export function judgeSession({ createdAt, lastSeenAt, endedAt }: SessionTimes, now: number): SessionVerdict {
  if (endedAt !== null) return 'invalidated'
  return now - lastSeenAt >= IDLE_MS || now - createdAt >= ABSOLUTE_MS ? 'expired' : 'valid'
}
