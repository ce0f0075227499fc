import { useMemo } from 'react'
import { readRule, type ScheduleForm } from '../schedule-form.ts'
import { momentWords, nextTimes, planWords } from '../schedule-words.ts'
import { useMinute } from '../use-minute.ts'
import { zoneWords } from '../zones.ts'

/** What will happen and when, in words, as long as the form is typed into. */
export function PlanWords({ form, isNew }: { form: ScheduleForm; isNew: boolean }) {
  const now = useMinute()
  const read = useMemo(() => readRule(form, now, isNew), [form, now, isNew])
  const next = useMemo(() => (read.ok ? nextTimes(read.rule, now) : []), [read, now])
  return (
    <div
      role="status"
      data-testid="schedule-words"
      className="grid gap-2 rounded-control bg-raised px-3.5 py-3 text-sm text-pretty tabular-nums"
    >
      {read.ok ? <p>{planWords(read.rule, form.endAtPass)}</p> : <p className="text-ink-soft">{read.text}</p>}
      {next.length > 0 && (
        <div className="text-xs text-ink-soft">
          <p>Berikutnya ({zoneWords(form.zone)}):</p>
          <ol className="mt-0.5">
            {next.map(({ dueAt }) => (
              <li key={dueAt}>{momentWords(form.zone, dueAt)}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
