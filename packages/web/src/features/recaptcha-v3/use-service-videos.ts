import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import type { Say } from '../../lib/message.ts'
import { useSayFailure } from '../../lib/say-failure.ts'
import { videosPoll } from '../library/api/videos.ts'
import { DELETE_CONSEQUENCE, DELETE_FAILED, deleteQuestion } from '../library/delete-texts.ts'
import { deleteFromService, servicePictureUrl, servicePlayUrl, serviceVideosQuery } from './api/service-videos.ts'

interface ServiceVideosNeeds {
  readonly apiKey: string
  readonly say: Say
  readonly onDeleted: (filename: string) => void
}

/** The videos that a key opens, where each is found, and the way to delete one. */
export function useServiceVideos({ apiKey, say, onDeleted }: ServiceVideosNeeds) {
  const videos = useQuery({
    ...serviceVideosQuery(apiKey),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => videosPoll(data),
  })
  const failure = useSayFailure(videos.error, REQUEST_FAILED, say)

  const remove = useMutation({
    mutationFn: ({ filename }: Video) => deleteFromService(apiKey, filename),
    onSuccess: async (text, { filename }) => {
      onDeleted(filename)
      await videos.refetch()
      say(text || VIDEO_TEXTS.deleted)
    },
    onError: (error) => say(featureMessage(error, DELETE_FAILED), 'error'),
  })
  const askToRemove = async (video: Video): Promise<void> => {
    if (await askConfirmation(deleteQuestion(video.filename), DELETE_CONSEQUENCE, 'Hapus')) remove.mutate(video)
  }

  const ticket = videos.data?.ticket ?? ''
  const addresses = useMemo(
    () => ({
      play: (filename: string) => servicePlayUrl(filename, ticket),
      picture: (filename: string) => servicePictureUrl(filename, ticket),
    }),
    [ticket],
  )

  return {
    list: videos.data?.videos,
    failure: videos.isFetching ? null : failure,
    addresses,
    reload: videos.refetch,
    askToRemove,
  }
}

export type ServiceVideos = ReturnType<typeof useServiceVideos>
