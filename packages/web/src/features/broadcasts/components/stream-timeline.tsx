import type { EndedStream, StreamEventKind } from '@siarin/contracts/streams'
import { useQuery } from '@tanstack/react-query'
import { classes } from '../../../lib/classes.ts'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { formatInstant } from '../../../lib/format.ts'
import { streamEventsQuery } from '../api/past-streams.ts'
import { incidentWords, isAsPlanned } from '../stream-words.ts'

interface StreamTimelineProps {
  id: string
  streamId: string
  /** Changes when something has happened to the stream. */
  stage: string
  ended?: EndedStream['ended']
}

const isTrouble = (kind: StreamEventKind, reason: string | null): boolean =>
  kind === 'lost' || kind === 'passed-over' || (kind === 'ended' && reason !== null && !isAsPlanned(reason))

export function StreamTimeline({ id, streamId, stage, ended }: StreamTimelineProps) {
  const { data: events, error } = useQuery(streamEventsQuery(streamId, stage))
  if (!events) {
    return (
      <p id={id} role="status" className="text-xs text-ink-soft">
        {error ? featureMessage(error, 'Riwayat belum bisa dimuat.') : 'Memuat…'}
      </p>
    )
  }
  return (
    <ol id={id} aria-label="Kejadian" className="grid gap-1.5 border-l border-line pl-3">
      {events.map((event) => (
        <li key={`${event.at} ${event.kind}`} className="grid gap-x-3 text-xs sm:grid-cols-[6.5rem_1fr]">
          <time dateTime={event.at} className="whitespace-nowrap text-ink-soft tabular-nums">
            {formatInstant(event.at)}
          </time>
          <span className={classes('min-w-0 break-words', isTrouble(event.kind, event.reason) && 'text-warn-ink')}>
            {incidentWords(event, ended)}
          </span>
        </li>
      ))}
    </ol>
  )
}
