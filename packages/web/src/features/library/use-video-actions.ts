import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation, showAlert } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import type { Say } from '../../lib/message.ts'
import { sayFailure } from '../../lib/say-failure.ts'
import { deleteVideo, retryVideo, videosQuery } from './api/videos.ts'
import { DELETE_CONSEQUENCE, DELETE_FAILED, deleteQuestion } from './delete-texts.ts'

/** What can be done to a video of the list; each action says how it went. */
export function useVideoActions(onDeleted: (filename: string) => void, say: Say) {
  const queryClient = useQueryClient()
  const reloadVideos = () => queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })

  const remove = useMutation({
    mutationFn: ({ filename }: Video) => deleteVideo(filename),
    onSuccess: async (message, { filename }) => {
      onDeleted(filename)
      await reloadVideos()
      say(message || VIDEO_TEXTS.deleted)
    },
    onError: (error) => {
      // What to do about it is too long for a message that goes by itself.
      const isKept = featureMessage(error, '') === RECORDING_TEXTS.keepsVideo
      if (isKept) void showAlert(DELETE_FAILED, RECORDING_TEXTS.keepsVideo)
      else sayFailure(error, DELETE_FAILED, say)
    },
  })

  const retry = useMutation({
    mutationFn: ({ filename }: Video) => retryVideo(filename),
    onSuccess: async (message) => {
      await reloadVideos()
      say(message || VIDEO_TEXTS.retried)
    },
    onError: (error) => sayFailure(error, REQUEST_FAILED, say),
  })

  return {
    remove: async (video: Video): Promise<void> => {
      if (await askConfirmation(deleteQuestion(video.filename), DELETE_CONSEQUENCE, 'Hapus')) remove.mutate(video)
    },
    retry: (video: Video): void => retry.mutate(video),
    retryingName: retry.isPending ? retry.variables.filename : null,
  }
}
