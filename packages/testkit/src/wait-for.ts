import { setTimeout as sleep } from 'node:timers/promises'

export type WaitOptions = { timeoutMs?: number; everyMs?: number }

/** Asks `probe` again and again until it answers something; an error counts as 'not yet'. */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  { timeoutMs = 20_000, everyMs = 100 }: WaitOptions = {},
): Promise<T> {
  const until = Date.now() + timeoutMs
  let lastError: unknown
  do {
    try {
      const answer = await probe()
      if (answer !== null && answer !== undefined && answer !== false) return answer
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    await sleep(everyMs)
  } while (Date.now() < until)
  const reason =
    lastError === undefined ? '' : `; last error: ${lastError instanceof Error ? lastError.message : lastError}`
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}${reason}`, { cause: lastError })
}
