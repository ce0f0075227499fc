import { setTimeout as sleep } from 'node:timers/promises'

export type WaitOptions = { timeoutMs?: number; everyMs?: number }

/** Where a test says nothing: soon at first, and then less often. Asking ten times a second for a minute is work for two programs. */
const USUALLY = { soonMs: 100, laterMs: 200, afterMs: 2_000 }

/**
 * Asks `probe` again and again until it answers something; an error counts as 'not yet', a failed assertion does not. It is patient: a machine
 * that does other work beside a test is no defect, and a test that asserts a time does so by itself.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  { timeoutMs = 120_000, everyMs }: WaitOptions = {},
): Promise<T> {
  const late = new AbortController()
  // Also a probe that hangs, say on a server that accepts and never answers, must not outlast the time-out.
  const tooLate = sleep(timeoutMs, null, { signal: late.signal })
  tooLate.catch(() => {})
  const begun = Date.now()
  const until = begun + timeoutMs
  const pauseMs = () => everyMs ?? (Date.now() - begun < USUALLY.afterMs ? USUALLY.soonMs : USUALLY.laterMs)
  let lastError: unknown
  try {
    do {
      try {
        const answer = await Promise.race([probe(), tooLate])
        if (answer !== null && answer !== undefined && answer !== false) return answer
        lastError = undefined
      } catch (error) {
        if (isFailedAssertion(error)) throw error
        lastError = error
      }
      await sleep(pauseMs())
    } while (Date.now() < until)
  } finally {
    late.abort()
  }
  const reason =
    lastError === undefined ? '' : `; last error: ${lastError instanceof Error ? lastError.message : lastError}`
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}${reason}`, { cause: lastError })
}

/** What must hold at every look: waiting on would hide that it once did not. */
const isFailedAssertion = (error: unknown): boolean => error instanceof Error && error.name === 'AssertionError'
