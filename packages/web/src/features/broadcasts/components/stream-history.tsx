import type { EndedStream } from '@siarin/contracts/streams'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, RotateCw } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { PlatformBadge } from '../../../components/platform-mark.tsx'
import { ScrollList } from '../../../components/scroll-list.tsx'
import { classes } from '../../../lib/classes.ts'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { formatMoment } from '../../../lib/format.ts'
import { streamHistoryQuery } from '../api/past-streams.ts'
import { endWord, onAirWords, sourceWords } from '../stream-words.ts'
import { AnalyticsLink } from './analytics-link.tsx'
import { StreamTimeline } from './stream-timeline.tsx'

const SHOWN_AT_FIRST = 5

function EndedRow({ stream, onRetry }: { stream: EndedStream; onRetry: () => void }) {
  const [opened, setOpened] = useState(false)
  const timelineId = useId()
  const failed = stream.ended === 'failed'
  // It was on air when it was last seen: to begin it again is what its owner most likely wants.
  const wanted = failed || stream.restored
  const word = endWord(stream)
  return (
    <li className="grid gap-2 py-3 pr-4 pl-4">
      <button
        type="button"
        aria-expanded={opened}
        aria-controls={opened ? timelineId : undefined}
        className="flex items-start gap-3 rounded-control text-left"
        onClick={() => setOpened(!opened)}
      >
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <PlatformBadge platform={stream.platform} />
            <Badge tone={word === 'Selesai' ? 'neutral' : 'warn'}>{word}</Badge>
          </span>
          <span dir="auto" className="truncate text-left text-sm font-semibold">
            {stream.title || sourceWords(stream)}
          </span>
          {stream.reason && (
            <span className={classes('text-xs break-words', word === 'Selesai' ? 'text-ink-soft' : 'text-warn-ink')}>
              {stream.reason}
            </span>
          )}
          <span className="flex flex-wrap gap-x-3 text-xs text-ink-soft tabular-nums">
            <span className="whitespace-nowrap">{formatMoment(stream.endedAt)}</span>
            <span className="whitespace-nowrap">{onAirWords(stream)}</span>
          </span>
        </span>
        <ChevronDown
          aria-hidden
          size={18}
          strokeWidth={1.75}
          className={classes('mt-0.5 shrink-0 text-ink-soft transition-transform', opened && 'rotate-180')}
        />
      </button>
      <Button
        look={wanted ? 'secondary' : 'quiet'}
        size="small"
        className={classes('justify-self-start', !wanted && '-ml-3.5')}
        onClick={onRetry}
      >
        <RotateCw aria-hidden size={16} strokeWidth={1.75} />
        {failed ? 'Coba lagi' : 'Siarkan lagi'}
      </Button>
      {opened && (
        <>
          <StreamTimeline id={timelineId} streamId={stream.streamId} stage="ended" ended={stream.ended} />
          <AnalyticsLink id={stream.broadcastId} />
        </>
      )}
    </li>
  )
}

interface StreamHistoryProps {
  /** The ids of the active streams in one word: when it changes, one may have ended. */
  activeIds: string
  onRetry: (stream: EndedStream) => void
}

export function StreamHistory({ activeIds, onRetry }: StreamHistoryProps) {
  const headingId = useId()
  const [all, setAll] = useState(false)
  const queryClient = useQueryClient()
  const { data: streams, error, refetch } = useQuery({ ...streamHistoryQuery(), refetchOnMount: 'always' })

  const known = useRef(activeIds)
  useEffect(() => {
    if (known.current === activeIds) return
    known.current = activeIds
    void queryClient.invalidateQueries({ queryKey: streamHistoryQuery().queryKey })
  }, [activeIds, queryClient])

  if (!streams && !error) return null
  if (streams?.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="border-t border-line">
      <h2 id={headingId} className="px-4 pt-4 pb-1 text-sm font-bold">
        Riwayat siaran
      </h2>
      {streams ? (
        <>
          <ScrollList aria-labelledby={headingId}>
            {(all ? streams : streams.slice(0, SHOWN_AT_FIRST)).map((stream) => (
              <EndedRow key={stream.streamId} stream={stream} onRetry={() => onRetry(stream)} />
            ))}
          </ScrollList>
          {streams.length > SHOWN_AT_FIRST && (
            <div className="border-t border-line p-2 text-center">
              <Button look="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? 'Tampilkan sedikit' : 'Tampilkan semua'}
              </Button>
            </div>
          )}
        </>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-4">
          <p className="text-sm text-ink-soft">{featureMessage(error, 'Riwayat belum bisa dimuat.')}</p>
          <Button look="secondary" size="small" onClick={() => void refetch()}>
            Coba lagi
          </Button>
        </div>
      )}
    </section>
  )
}
