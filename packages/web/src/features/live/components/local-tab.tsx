import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { Film, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { classes } from '../../../lib/classes.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatBytes, formatDuration, formatMoment } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { videosQuery } from '../api/videos.ts'
import type { Say } from '../state.ts'
import { ListFrame } from './list-frame.tsx'

interface LocalTabProps {
  currentSource: string | null
  onPick: (video: Video) => void
  onDelete: (video: Video) => void
  say: Say
}

const STATUS_WORDS: Record<Video['status'], string | null> = {
  processing: 'Diproses',
  ready: null,
  failed: 'Gagal diproses',
}

function VideoRow({
  video,
  current,
  onPick,
  onDelete,
}: {
  video: Video
  current: boolean
  onPick: () => void
  onDelete: () => void
}) {
  const facts = [
    formatBytes(video.size),
    video.duration !== null && video.duration !== undefined && formatDuration(video.duration),
    formatMoment(video.createdAt),
  ].filter(Boolean)
  const status = STATUS_WORDS[video.status]

  return (
    <li className={classes('group flex items-center', current ? 'bg-accent-wash' : 'hover:bg-raised')}>
      <button
        type="button"
        aria-pressed={current}
        className="flex min-w-0 flex-1 items-center gap-3 py-3 pl-4 text-left -outline-offset-2"
        onClick={onPick}
      >
        <span className="grid h-[54px] w-24 shrink-0 place-items-center rounded-[8px] bg-pressed text-ink-soft">
          <Film aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-semibold" title={video.filename}>
            {video.filename}
          </span>
          <span className="mt-0.5 block text-xs text-ink-soft tabular-nums">{facts.join(' · ')}</span>
          {status && (
            <span className="mt-1 inline-block rounded-full bg-warn-wash px-2 py-0.5 text-xs font-semibold text-warn-ink">
              {status}
            </span>
          )}
        </span>
      </button>
      <button
        type="button"
        aria-label={`Hapus ${video.filename}`}
        className="mx-2 grid size-11 shrink-0 place-items-center rounded-control text-ink-soft transition-opacity hover:bg-pressed hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 pointer-fine:opacity-60"
        onClick={onDelete}
      >
        <Trash2 aria-hidden size={18} strokeWidth={1.75} />
      </button>
    </li>
  )
}

export function LocalTab({ currentSource, onPick, onDelete, say }: LocalTabProps) {
  const { data: videos, error, refetch } = useQuery(videosQuery())
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
          onPick={() => (video.filename ? onPick(video) : say(VIDEO_TEXTS.invalid, true))}
          onDelete={() => onDelete(video)}
        />
      ))}
    </ListFrame>
  )
}
