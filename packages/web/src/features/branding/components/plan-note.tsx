import { Stamp } from 'lucide-react'
import { PlanLink } from '../../../components/plan-link.tsx'

/** What a larger plan has. Nothing went wrong, so it is no alarm. */
export function PlanNote({ text }: { text: string }) {
  return (
    <div
      role="note"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-line bg-raised px-3.5 py-3"
    >
      <p className="flex min-w-0 flex-1 basis-60 items-start gap-2.5 text-sm text-pretty">
        <Stamp aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
        {text}
      </p>
      <PlanLink look="secondary" size="small" />
    </div>
  )
}
