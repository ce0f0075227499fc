import type { Standing } from '@siarin/contracts/standing'
import type { Video } from '@siarin/contracts/videos'
import { Button } from '../../components/button.tsx'
import { ListFrame } from '../../components/list-frame.tsx'
import { VideoRow } from './components/video-row.tsx'

interface LocalTabProps {
  videos: readonly Video[] | undefined
  failure: string | null
  currentSource: string | null
  onReload: () => void
  onUpload: () => void
  onPick: (video: Video) => void
  onDelete: (video: Video) => void
  /** Prepares one again that failed; absent where the service has no such call. */
  onRetry?: (video: Video) => void
  retryingName?: string | null
  /** Absent where the service knows no plans. */
  standing?: Standing | undefined
}

export function LocalTab(props: LocalTabProps) {
  const { videos, failure, currentSource, onReload, onUpload, onPick, onDelete, onRetry, retryingName, standing } =
    props
  return (
    <ListFrame
      label="Video lokal"
      count={videos?.length}
      failure={failure}
      onReload={onReload}
      emptyText="Anda belum mengupload video."
      emptyAction={
        <Button look="secondary" size="small" onClick={onUpload}>
          Upload video
        </Button>
      }
    >
      {videos?.map((video) => (
        <VideoRow
          key={video.filename}
          video={video}
          current={video.filename === currentSource}
          retrying={video.filename === retryingName}
          standing={standing}
          onPick={() => onPick(video)}
          onDelete={() => onDelete(video)}
          onRetry={onRetry && (() => onRetry(video))}
        />
      ))}
    </ListFrame>
  )
}
