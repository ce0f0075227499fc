import type { Standing, StandingAnswer } from '@siarin/contracts/standing'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'
import { isStopped } from '../standing-words.ts'

/** What the operator changes shows within seconds. */
export const STANDING_POLL_MS = 5000
/** A browser that is less than this off keeps its own clock: the server tells its time in whole seconds. */
const CLOCK_TOLERANCE_MS = 60_000

export interface KnownStanding extends Standing {
  /** How far this browser's clock is behind the server's, where that is enough to spoil a countdown. */
  readonly clockBehindMs: number
}

function clockBehind(date: unknown): number {
  const behindMs = typeof date === 'string' ? Date.parse(date) - Date.now() : 0
  return Math.abs(behindMs) > CLOCK_TOLERANCE_MS ? behindMs : 0
}

/** How the person stands with us. Answered also to who is let into nothing else. */
export const standingQuery = () =>
  queryOptions({
    queryKey: ['standing'],
    queryFn: async ({ signal }): Promise<KnownStanding> => {
      const { data, headers } = await http.get<StandingAnswer>('/auth/plan', { signal })
      return { ...data.data, clockBehindMs: clockBehind(headers['date']) }
    },
    staleTime: STANDING_POLL_MS,
  })

/** Undefined until it is known; `useStandingWatch` keeps it up to date. */
export const useStanding = (): KnownStanding | undefined => useQuery(standingQuery()).data

/** The standing of somebody whose every feature call is refused; null: of nobody such. */
export function useStopped(): KnownStanding | null {
  const standing = useStanding()
  return standing && isStopped(standing) ? standing : null
}
