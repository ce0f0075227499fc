import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { TriangleAlert } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
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
  const { dueAt, endsAt, date } = occurrence
  const [due, ends] = [Date.parse(dueAt), endsAt === null ? null : Date.parse(endsAt)]
  const own = schedule?.rule.zone ?? zone
  const here = spanWords(zone, due, ends)
  const there = spanWords(own, due, ends)
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-xs text-ink-soft tabular-nums">
      {withDate && <span>{dateWords(date)}</span>}
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
      {label}
    </Button>
  )
}

export function OccurrenceRow(props: OccurrenceRowProps) {
  const { occurrence, nowMs, actions } = props
  const { label, tone, why } = stateWords(occurrence)
  return (
    <div className="grid gap-2 px-4 py-3 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-6 sm:px-6">
      <div className="grid min-w-0 gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <p dir="auto" className="min-w-0 truncate text-sm font-semibold">
            {occurrence.title}
          </p>
          <Badge tone={tone}>{label}</Badge>
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
      </div>
    </div>
  )
}
