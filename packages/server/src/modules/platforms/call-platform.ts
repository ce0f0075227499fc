import { readBounded } from './read-bounded.ts'

export interface PlatformAnswer {
  readonly status: number
  readonly text: string
}

interface PlatformCall {
  readonly method: 'GET' | 'POST'
  readonly timeoutMs: number
  readonly headers?: Record<string, string>
  readonly body?: FormData | URLSearchParams | null
}

const ANSWER_MAX_BYTES = 256 * 1024
const USER_AGENT = 'Mozilla/5.0 (compatible; Siarin)'

/** One call to a platform whose address the operator has set. Null: it did not answer. A redirect is an answer, and is not followed. */
export async function callPlatform(url: URL, call: PlatformCall): Promise<PlatformAnswer | null> {
  const { method, body = null, timeoutMs } = call
  try {
    const headers = { accept: 'application/json', 'user-agent': USER_AGENT, ...call.headers }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method, body, headers, signal, redirect: 'manual' })
    const bytes = response.body ? await readBounded(response.body, ANSWER_MAX_BYTES) : null
    return { status: response.status, text: bytes?.toString('utf8') ?? '' }
  } catch {
    return null
  }
}
