import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { queryOptions } from '@tanstack/react-query'
import { featureGet } from '../../../lib/feature-calls.ts'

interface UpcomingAnswer {
  success: boolean
  message: string
  data: ScheduledOccurrence[]
}

const UPCOMING_POLL_MS = 60_000
const TO_COME: readonly ScheduledOccurrence['state'][] = ['due', 'starting']

/** What the schedules start in the next eight days, soonest first. */
export const upcomingQuery = () =>
  queryOptions({
    queryKey: ['control-room', 'upcoming'],
    queryFn: async ({ signal }): Promise<readonly ScheduledOccurrence[]> =>
      (await featureGet<UpcomingAnswer>('/fitur/schedule/upcoming', signal)).data.filter(({ state }) =>
        TO_COME.includes(state),
      ),
    refetchInterval: UPCOMING_POLL_MS,
    refetchOnMount: 'always',
  })
