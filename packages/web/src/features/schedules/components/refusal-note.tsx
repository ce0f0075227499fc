import { CalendarClock } from 'lucide-react'
import { PlanLink } from '../../../components/plan-link.tsx'
import type { ScheduleRefusal } from '../schedule-permit.ts'

/** Why this cannot be scheduled, and the way up. Nothing went wrong, so it is no alarm. */
export function RefusalNote({ refusal }: { refusal: ScheduleRefusal }) {
  return (
    <div
      role="note"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-line bg-raised px-3.5 py-3"
    >
      <p className="flex min-w-0 items-start gap-2.5 text-sm text-pretty">
        <CalendarClock aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
        {refusal.text}
      </p>
      {refusal.aboutPlan && <PlanLink look="secondary" size="small" />}
    </div>
  )
}
