import type { OnlineSource } from '@siarin/contracts/online'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Say } from '../../lib/message.ts'
import { onlineSourcesQuery, removeOnlineSource } from './api/online-videos.ts'

/** Deletes a saved address after a question. */
export function useRemoveSource(onRemoved: (source: OnlineSource) => void, say: Say) {
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: ({ id }: OnlineSource) => removeOnlineSource(id),
    onSuccess: async (message, source) => {
      onRemoved(source)
      await queryClient.invalidateQueries({ queryKey: onlineSourcesQuery().queryKey })
      say(message || ONLINE_TEXTS.removed)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) say(featureMessage(error, REQUEST_FAILED), 'error')
    },
  })
  return {
    remove: async (source: OnlineSource): Promise<void> => {
      const question = `Yakin mau hapus sumber "${source.name}"?`
      const consequence = 'Siaran yang sedang memakainya tetap berjalan.'
      if (await askConfirmation(question, consequence, 'Hapus')) removal.mutate(source)
    },
    removingId: removal.isPending ? removal.variables.id : null,
  }
}
