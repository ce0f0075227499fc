import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { wallTimeAt } from '@siarin/contracts/schedules/wall-time'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { dateWords, spanWords, stateWords } from '../schedule-words.ts'
import type { ScheduleActions } from '../use-schedule-actions.ts'
import { zoneWords } from '../zones.ts'
import { TargetNames } from './target-names.tsx'

interface OccurrenceRowProps {
  occurrence: ScheduledOccurrence
  schedule: Schedule | undefined
  /** Where it is read. */
  zone: string
  nowMs: number
  /** Its day is not above it. */
  withDate?: boolean
  actions: ScheduleActions
}

/** By the reader's clock, and by the schedule's own where that is another. */
function TimeWords({ occurrence, schedule, zone, withDate }: Omit<OccurrenceRowProps, 'nowMs' | 'actions'>) {
  const { dueAt, endsAt } = occurrence
  const [due, ends] = [Date.parse(dueAt), endsAt === null ? null : Date.parse(endsAt)]
  const own = schedule?.rule.zone ?? zone
  const here = spanWords(zone, due, ends)
  const there = spanWords(own, due, ends)
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-xs text-ink-soft tabular-nums">
      {/* As the time beside it: the date of the schedule's own zone may be another one. */}
      {withDate && <span>{dateWords(wallTimeAt(zone, due).date)}</span>}
      <span className="font-semibold text-ink">{here}</span>
      {here !== there && (
        <span>
          ({there} {zoneWords(own)})
        </span>
      )}
      <TargetNames targets={occurrence.targets} />
    </p>
  )
}

function SkipButton({ occurrence, nowMs, actions }: Pick<OccurrenceRowProps, 'occurrence' | 'nowMs' | 'actions'>) {
  const { state, reasonCode, dueAt, scheduleId, title, date } = occurrence
  const isAhead = Date.parse(dueAt) > nowMs
  const isSkipped = state === 'skipped' && reasonCode === 'skipped'
  if (!isAhead || !(state === 'due' || isSkipped)) return null
  const label = isSkipped ? 'Jangan lewati' : 'Lewati tanggal ini'
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`${label}: ${title}, ${dateWords(date)}`}
      disabled={actions.busyId === scheduleId}
      onClick={() => actions.skip(occurrence, !isSkipped)}
    >
      {/* On a phone the date stands above, and there is room for a word. */}
      {isSkipped ? (
        label
      ) : (
        <span>
          Lewati<span className="max-sm:hidden"> tanggal ini</span>
        </span>
      )}
    </Button>
  )
}

/** It is on air, as far as its schedule knows: there it is seen and stopped. */
function BroadcastLink({ occurrence, nowMs }: Pick<OccurrenceRowProps, 'occurrence' | 'nowMs'>) {
  const { state, streamId, endsAt, title } = occurrence
  if (state !== 'started' || streamId === null || (endsAt !== null && Date.parse(endsAt) < nowMs)) return null
  return (
    <Link
      to={`/fitur/siaran?siaran=${encodeURIComponent(streamId)}`}
      aria-label={`Lihat siaran ${title}`}
      className={buttonStyle('secondary', 'small')}
    >
      Lihat siaran
    </Link>
  )
}

export function OccurrenceRow(props: OccurrenceRowProps) {
  const { occurrence, nowMs, withDate, actions } = props
  const { label, tone, why } = stateWords(occurrence)
  // In a list of what is to come, nothing has to be said of what only waits for its time.
  const isUsual = !withDate && occurrence.state === 'due' && tone === 'neutral'
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-2 px-4 py-3 sm:gap-6 sm:px-6">
      <div className="grid min-w-0 gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <p dir="auto" className="min-w-0 truncate text-sm font-semibold">
            {occurrence.title}
          </p>
          {!isUsual && <Badge tone={tone}>{label}</Badge>}
        </div>
        <TimeWords {...props} />
        {why && (
          <p className="flex max-w-text items-start gap-1.5 text-xs text-pretty text-warn-ink">
            {tone === 'warn' && <TriangleAlert aria-hidden size={14} strokeWidth={1.75} className="mt-px shrink-0" />}
            {why}
          </p>
        )}
      </div>
      <div className="flex justify-end empty:hidden">
        <SkipButton {...{ occurrence, nowMs, actions }} />
        <BroadcastLink {...{ occurrence, nowMs }} />
      </div>
    </div>
  )
}
