import type { ActivityListAnswer, ReportActivityBody } from '@siarin/contracts/activity'
import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { featureGet, featurePost } from '../../../lib/feature-calls.ts'
import { logError } from '../../../lib/log.ts'

export const activityQuery = () =>
  queryOptions({
    queryKey: ['activity'],
    queryFn: async ({ signal }) => (await featureGet<ActivityListAnswer>('/fitur/activity', signal)).data,
    refetchOnMount: 'always',
  })

/** Tells the server that this screen is being looked at. Nobody waits for it. */
export function useReportView(kind: ReportActivityBody['kind']): void {
  useEffect(() => {
    featurePost('/fitur/activity', { kind }, 'load').catch((error: unknown) =>
      logError('A view could not be noted', error),
    )
  }, [kind])
}
