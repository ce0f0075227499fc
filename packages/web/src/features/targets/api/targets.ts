import type {
  AddTargetBody,
  ChangedTargetAnswer,
  ChangeTargetBody,
  Target,
  TargetAnswer,
  TargetCheck,
  TargetListAnswer,
  TargetTestAnswer,
} from '@siarin/contracts/targets'
import { queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePatch, featurePost } from '../../../lib/feature-calls.ts'

/** More than anybody may have: one page is all of them. */
const ALL = '/fitur/target?limit=100'

const pathOf = (id: string): string => `/fitur/target/${encodeURIComponent(id)}`

/** Where the person's broadcasts may go, by name. */
export const targetsQuery = () =>
  queryOptions({
    queryKey: ['targets'],
    queryFn: async ({ signal }): Promise<readonly Target[]> => (await featureGet<TargetListAnswer>(ALL, signal)).data,
    refetchOnMount: 'always',
  })

export const addTarget = (body: AddTargetBody): Promise<TargetAnswer> =>
  featurePost<TargetAnswer>('/fitur/target', body)

export const changeTarget = (id: string, body: ChangeTargetBody): Promise<ChangedTargetAnswer> =>
  featurePatch<ChangedTargetAnswer>(pathOf(id), body)

export const removeTarget = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message

/** Takes some seconds: the platform is sent a test picture. */
export const testTarget = async (id: string): Promise<TargetCheck> =>
  (await featurePost<TargetTestAnswer>(`${pathOf(id)}/test`)).data
