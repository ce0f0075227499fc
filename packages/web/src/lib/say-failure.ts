import { useEffect } from 'react'
import { featureMessage, isAboutPlan } from './feature-calls.ts'
import { SessionEndedError } from './http.ts'
import type { Say } from './message.ts'

/** Says why a call failed; the end of a session has words of its own. */
export function sayFailure(error: unknown, fallback: string, say: Say): void {
  if (!(error instanceof SessionEndedError)) say(featureMessage(error, fallback), 'error', isAboutPlan(error))
}

/** Said once when it begins, however often a poll meets it again. */
export function useSayFailure(error: Error | null, fallback: string, say: Say): string | null {
  const failure = error && !(error instanceof SessionEndedError) ? featureMessage(error, fallback) : null
  useEffect(() => {
    if (failure !== null) say(failure, 'error')
  }, [failure, say])
  return failure
}
