import type { ActivityListAnswer } from '@siarin/contracts/activity'
import { queryOptions } from '@tanstack/react-query'
import { featureGet } from '../../../lib/feature-calls.ts'

export const activityQuery = () =>
  queryOptions({
    queryKey: ['activity'],
    queryFn: async ({ signal }) => (await featureGet<ActivityListAnswer>('/fitur/activity', signal)).data,
    refetchOnMount: 'always',
  })
