import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { queryOptions } from '@tanstack/react-query'
import { pageGet } from '../../../lib/feature-calls.ts'
import { type OnlineStream, toOnlineVideo } from '../online-video.ts'

export const onlineVideosQuery = () =>
  queryOptions({
    queryKey: ['online-videos'],
    queryFn: async ({ signal }) => {
      const answer = await pageGet<{ success: boolean; message: string; data?: OnlineStream[] }>(
        '/fitur/bigo/live',
        signal,
      )
      const videos = (answer.data ?? []).filter(({ isLive }) => isLive).map(toOnlineVideo)
      return { videos, message: answer.message || STREAM_TEXTS.found(videos.length) }
    },
  })
