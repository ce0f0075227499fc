import { useMutation, useQueryClient } from '@tanstack/react-query'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifyWarning } from '../../lib/notify.ts'
import { orderRendition, removeRendition, videosQuery } from './api/videos.ts'

/** Makes a version of a video for a platform, or takes one back. */
export function useRenditionActions(filename: string) {
  const queryClient = useQueryClient()
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
  const onError = (error: Error): void => {
    if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
  }
  const order = useMutation({ mutationFn: (preset: string) => orderRendition(filename, preset), onSuccess, onError })
  const remove = useMutation({ mutationFn: (recipe: string) => removeRendition(filename, recipe), onSuccess, onError })
  return { order: order.mutate, remove: remove.mutate, busy: order.isPending || remove.isPending }
}
