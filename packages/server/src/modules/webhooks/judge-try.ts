/** What one try came to. */
export interface TryResult {
  /** Null: there was no answer. */
  readonly status: number | null
  /** A code of contracts/webhook-texts; null: it was taken. */
  readonly code: string | null
  readonly retryAfterMs: number | null
  readonly answer: string | null
  readonly durationMs: number
}

export type Verdict =
  | { readonly is: 'delivered' }
  | { readonly is: 'again'; readonly atMs: number }
  /** `disable`: the endpoint takes nothing any more. */
  | { readonly is: 'failed'; readonly disable: 'gone' | null }

interface Tried {
  /** With this one. */
  readonly tries: number
  /** When the first of these tries was due. */
  readonly sinceMs: number
}

const DAY_MS = 86_400_000
/** Receivers that ask for patience again and again: what is older is of no use to anybody. */
const GIVE_UP_MS = 3 * DAY_MS
/** An endpoint for which nothing has worked for so long. */
const FAILING_MS = 3 * DAY_MS
const SPREAD = 0.1

/** What to do after a try. `random`: 0 to 1, so that what failed together is not tried again together. */
export function judgeTry(
  { code, retryAfterMs }: Pick<TryResult, 'code' | 'retryAfterMs'>,
  { tries, sinceMs }: Tried,
  { now, random, retriesMs }: { now: number; random: number; retriesMs: readonly number[] },
): Verdict {
  if (code === null) return { is: 'delivered' }
  if (code === 'gone') return { is: 'failed', disable: 'gone' }
  const usualMs = retriesMs[tries - 1]
  if (usualMs === undefined) return { is: 'failed', disable: null }
  const spreadMs = Math.round(usualMs * (1 - SPREAD + 2 * SPREAD * random))
  const waitMs = Math.max(spreadMs, Math.min(retryAfterMs ?? 0, DAY_MS))
  return now + waitMs - sinceMs > GIVE_UP_MS ? { is: 'failed', disable: null } : { is: 'again', atMs: now + waitMs }
}

export const isFailingTooLong = (failingSinceMs: number | null, now: number): boolean =>
  failingSinceMs !== null && now - failingSinceMs >= FAILING_MS

const MAY_ASK_FOR_PATIENCE = new Set([429, 503])

/** What an answer of this status means: null, or what was wrong. */
export function codeOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 410) return 'gone'
  return MAY_ASK_FOR_PATIENCE.has(status) ? 'slow-down' : 'bad-status'
}

/** Reads the header Retry-After: seconds, or a date. Null: none that can be read, or none that counts. */
export function readRetryAfter(status: number, header: string | undefined, now: number): number | null {
  if (header === undefined || !MAY_ASK_FOR_PATIENCE.has(status)) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
