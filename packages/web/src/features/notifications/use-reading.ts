import type { Unread } from '@siarin/contracts/alerts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifyWarning } from '../../lib/notify.ts'
import { ALERTS_KEY, markAllRead, markRead, unreadQuery } from './api/alerts.ts'

const tellFailure = (error: unknown): void => {
  if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
}

/** Marks alerts as read; the bell and every list follow. */
export function useReading() {
  const queryClient = useQueryClient()
  const onSuccess = async (unread: Unread): Promise<void> => {
    queryClient.setQueryData(unreadQuery().queryKey, unread)
    await queryClient.invalidateQueries({ queryKey: ALERTS_KEY })
  }
  const one = useMutation({ mutationFn: markRead, onSuccess, onError: tellFailure })
  const all = useMutation({ mutationFn: markAllRead, onSuccess, onError: tellFailure })
  return { read: one.mutate, readAll: all.mutate, busy: one.isPending || all.isPending }
}
