import type { Recording } from '@siarin/contracts/recordings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { RECORDINGS_KEY, recordingQuery, removeRecording } from './api/recordings.ts'
import { nameWords } from './recording-words.ts'

/** Asks first: nobody can bring it back. */
export function useRemoveRecording(onRemoved: () => void) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: removeRecording,
    onSuccess: async (message, id) => {
      onRemoved()
      queryClient.removeQueries({ queryKey: recordingQuery(id).queryKey })
      await queryClient.invalidateQueries({ queryKey: RECORDINGS_KEY })
      notifySuccess(message)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  return {
    removing: remove.isPending,
    async askRemove(recording: Pick<Recording, 'recordingId' | 'title' | 'sourceName'>): Promise<void> {
      const consequence = `"${nameWords(recording)}" tidak bisa dikembalikan. Video di perpustakaan Anda tetap ada.`
      if (await askConfirmation('Hapus rekaman ini?', consequence, 'Hapus')) remove.mutate(recording.recordingId)
    },
  }
}
