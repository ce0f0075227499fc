import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { videosQuery } from '../api/videos.ts'
import type { Say } from '../state.ts'
import { ListFrame } from './list-frame.tsx'
import { VideoRow } from './video-row.tsx'

interface LocalTabProps {
  currentSource: string | null
  retryingName: string | null
  onPick: (video: Video) => void
  onDelete: (video: Video) => void
  onRetry: (video: Video) => void
  say: Say
}

export function LocalTab({ currentSource, retryingName, onPick, onDelete, onRetry, say }: LocalTabProps) {
  const { data, error, refetch } = useQuery(videosQuery())
  const videos = data?.videos
  const failure = error && !(error instanceof SessionEndedError) ? featureMessage(error, REQUEST_FAILED) : null

  useEffect(() => {
    if (failure) say(failure, true)
  }, [failure, say])

  return (
    <ListFrame
      label="Video lokal"
      state={videos ? (videos.length > 0 ? 'filled' : 'empty') : failure ? 'failed' : 'loading'}
      emptyText="Anda belum mengupload video."
      failedText={failure ?? ''}
      onRetry={() => void refetch()}
    >
      {videos?.map((video) => (
        <VideoRow
          key={video.filename}
          video={video}
          current={video.filename === currentSource}
          retrying={video.filename === retryingName}
          onPick={() => (video.filename ? onPick(video) : say(VIDEO_TEXTS.invalid, true))}
          onDelete={() => onDelete(video)}
          onRetry={() => onRetry(video)}
        />
      ))}
    </ListFrame>
  )
}
