import { useQuery } from '@tanstack/react-query'
import { REQUEST_FAILED } from '../../lib/feature-calls.ts'
import type { Say } from '../../lib/message.ts'
import { useSayFailure } from '../../lib/say-failure.ts'
import { videosPoll, videosQuery } from './api/videos.ts'

/** The videos and their room, fresh while one of them is being prepared. */
export function useVideoList(say: Say) {
  const videos = useQuery({ ...videosQuery(), refetchInterval: (query) => videosPoll(query.state.data) })
  const failure = useSayFailure(videos.error, REQUEST_FAILED, say)
  const loading = !videos.data && videos.isFetching
  return { ...videos.data, failure: loading ? null : failure, reload: () => void videos.refetch() }
}
