import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatMoment } from '../../../lib/format.ts'
import type { StreamRowData } from '../api/active-streams.ts'
import { ListFrame } from './list-frame.tsx'
import { PlatformBadge } from './platform-mark.tsx'
import { StreamState } from './stream-state.tsx'

interface StreamRowProps {
  stream: StreamRowData
  number: number
  current: boolean
  stopping: boolean
  onPlay: () => void
  onStop: () => void
}

function StreamRow({ stream, number, current, stopping, onPlay, onStop }: StreamRowProps) {
  return (
    <li className={classes('flex items-center gap-2 pr-4', current ? 'bg-accent-wash' : 'hover:bg-raised')}>
      <button
        type="button"
        aria-pressed={current}
        className="flex min-w-0 flex-1 gap-3 py-3 pl-4 text-left -outline-offset-2"
        onClick={onPlay}
      >
        <span className="w-6 shrink-0 pt-0.5 text-right text-sm font-semibold text-ink-soft tabular-nums">
          {number}.
        </span>
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <PlatformBadge platform={stream.platform} />
            {stream.state && <StreamState phase={stream.state} />}
          </span>
          <span className="truncate text-sm font-semibold">{stream.title || stream.source || 'Tanpa nama'}</span>
          {stream.reason && <span className="text-xs text-warn-ink">{stream.reason}</span>}
          <span className="text-xs text-ink-soft tabular-nums">Mulai {formatMoment(stream.startedAt)}</span>
          <span className="truncate font-mono text-xs text-ink-soft">ID {stream.streamId ?? 'N/A'}</span>
        </span>
      </button>
      <Button look="danger" size="small" disabled={stopping || stream.state === 'stopping'} onClick={onStop}>
        Stop
      </Button>
    </li>
  )
}

interface LiveTabProps {
  streams: readonly StreamRowData[] | undefined
  failure: string | null
  currentStreamId: string | null
  stoppingId: string | null
  onRetry: () => void
  onPlay: (stream: StreamRowData) => void
  onStop: (stream: StreamRowData) => void
}

export function LiveTab({ streams, failure, currentStreamId, stoppingId, onRetry, onPlay, onStop }: LiveTabProps) {
  return (
    <ListFrame
      label="Siaran aktif"
      state={streams ? (streams.length > 0 ? 'filled' : 'empty') : failure ? 'failed' : 'loading'}
      emptyText="Tidak ada live stream yang aktif saat ini."
      failedText={failure ?? STREAM_TEXTS.noneActive}
      onRetry={onRetry}
    >
      {streams?.map((stream, index) => (
        <StreamRow
          key={stream.streamId ?? index}
          stream={stream}
          number={index + 1}
          current={stream.streamId !== undefined && stream.streamId === currentStreamId}
          stopping={stream.streamId !== undefined && stream.streamId === stoppingId}
          onPlay={() => onPlay(stream)}
          onStop={() => onStop(stream)}
        />
      ))}
    </ListFrame>
  )
}
