import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classes } from '../../../lib/classes.ts'
import type { StreamRowData } from '../api/active-streams.ts'
import { AnalyticsLink } from './analytics-link.tsx'
import { StreamTimeline } from './stream-timeline.tsx'

interface StreamMoreProps {
  stream: StreamRowData
  streamId: string
  /** What can be done with it besides stopping it. */
  children?: ReactNode
}

/** What happens to a playlist's items is told when another one begins. */
const stageOf = ({ state, restarts, since, source, onFallback, playlist }: StreamRowData): string =>
  [state, restarts, since, source, onFallback, playlist?.itemId, playlist?.round].join(' ')

/** Further actions, and what happened so far, once that is asked for. */
export function StreamMore({ stream, streamId, children }: StreamMoreProps) {
  const [opened, setOpened] = useState(false)
  const timelineId = useId()
  return (
    <>
      <div className="mt-1 flex items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
        <button
          type="button"
          aria-expanded={opened}
          aria-controls={opened ? timelineId : undefined}
          className="z-1 -mr-2 inline-flex h-8 shrink-0 items-center gap-1 rounded-control px-2 text-xs font-semibold text-ink-soft hover:bg-pressed hover:text-ink pointer-coarse:h-11"
          onClick={() => setOpened(!opened)}
        >
          Riwayat
          <ChevronDown
            aria-hidden
            size={14}
            strokeWidth={1.75}
            className={classes('transition-transform', opened && 'rotate-180')}
          />
        </button>
      </div>
      {opened && (
        <div className="grid justify-items-start gap-1 pt-1">
          <StreamTimeline id={timelineId} streamId={streamId} stage={stageOf(stream)} />
          <AnalyticsLink id={stream.broadcastId ?? streamId} />
        </div>
      )}
    </>
  )
}
