import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { groupOccurrences } from '../occurrence-groups.ts'
import { dateWords } from '../schedule-words.ts'
import type { ScheduleActions } from '../use-schedule-actions.ts'
import { keyOf } from '../week-grid.ts'
import { OccurrenceRow } from './occurrence-row.tsx'

interface OccurrenceListProps {
  occurrences: readonly ScheduledOccurrence[]
  schedules: readonly Schedule[]
  zone: string
  nowMs: number
  today: string
  actions: ScheduleActions
}

const HEAD = 'bg-raised px-4 py-2 text-xs font-semibold text-ink-soft sm:px-6'

/** What is to come, day by day, and below it what has been. */
export function OccurrenceList({ occurrences, schedules, zone, nowMs, today, actions }: OccurrenceListProps) {
  const { coming, past } = groupOccurrences(occurrences, zone, nowMs)
  const row = (occurrence: ScheduledOccurrence, withDate: boolean) => (
    <li key={keyOf(occurrence)}>
      <OccurrenceRow
        {...{ occurrence, zone, nowMs, withDate, actions }}
        schedule={schedules.find(({ id }) => id === occurrence.scheduleId)}
      />
    </li>
  )
  return (
    <>
      {coming.length === 0 && (
        <p className="px-4 py-8 text-center text-sm text-ink-soft sm:px-6">
          Tidak ada siaran terjadwal dalam tujuh hari ini.
        </p>
      )}
      {coming.map(({ date, list }) => (
        <section key={date} aria-label={dateWords(date)}>
          <h3 className={HEAD}>{date === today ? `Hari ini, ${dateWords(date)}` : dateWords(date)}</h3>
          <ul aria-label={`Siaran ${dateWords(date)}`} className="divide-y divide-line">
            {list.map((occurrence) => row(occurrence, false))}
          </ul>
        </section>
      ))}
      {past.length > 0 && (
        <section aria-label="Sudah lewat">
          <h3 className={HEAD}>Sudah lewat</h3>
          <ul aria-label="Siaran yang sudah lewat" className="divide-y divide-line">
            {past.map((occurrence) => row(occurrence, true))}
          </ul>
        </section>
      )}
    </>
  )
}
