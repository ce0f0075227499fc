/** What stopped an upload: an answer of the server, or (status null) no answer at all. */
export interface UploadFailure {
  readonly method: string
  readonly status: number | null
  /** The server's sentence. */
  readonly message: string | null
  readonly code?: string | null
  readonly reasonCode?: string | null
}

const DELAYS_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const
const LONGEST_DELAY_MS = 30_000

/** What a proxy says while the server behind it is away. */
const SERVER_AWAY: ReadonlySet<number> = new Set([502, 503, 504])
/** Locked or at another offset (tus), too slow, too many: asking again with the server's offset usually mends it. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 409, 423, 425, 429, 500])
const ANSWERED_TRIES = 8

/** The server does not know the upload any more. */
export const isGone = (status: number | null): boolean => status === 404 || status === 410

export const retryDelayMs = (attempt: number): number => DELAYS_MS[attempt] ?? LONGEST_DELAY_MS

/** No answer is waited out for as long as the person lets it; a refusal is final; what lies between gets some tries. */
export function mayRetry({ method, status }: UploadFailure, attempt: number): boolean {
  if (status === null || SERVER_AWAY.has(status)) return true
  // The upload itself is gone: the next try finds that out and begins a new one.
  const gone = method === 'PATCH' && isGone(status)
  return (gone || MAY_PASS.has(status)) && attempt < ANSWERED_TRIES
}
