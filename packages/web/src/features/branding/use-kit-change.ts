import type { BrandKitAnswer } from '@siarin/contracts/branding'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess } from '../../lib/notify.ts'
import { brandKitQuery } from './api/brand-kit.ts'

/** Changes the kit by one of its calls; `failure` says why not, until the next try or `forget`. */
export function useKitChange<T>(call: (given: T) => Promise<BrandKitAnswer>) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: call,
    onSuccess: ({ kit, message }) => {
      queryClient.setQueryData(brandKitQuery().queryKey, kit)
      notifySuccess(message)
    },
  })
  const { error } = change
  return {
    change: change.mutate,
    busy: change.isPending,
    failure: error && !(error instanceof SessionEndedError) ? featureMessage(error, REQUEST_FAILED) : null,
    forget: change.reset,
  }
}
