import { CircleCheck, TriangleAlert } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'

/** How it went, in the place of the form. */
export function Outcome({ good, text }: { good: boolean; text: string }) {
  const Icon = good ? CircleCheck : TriangleAlert
  return (
    <p
      role={good ? 'status' : 'alert'}
      className={classes(
        'flex gap-2.5 rounded-control border px-3.5 py-3 text-sm font-medium text-pretty',
        good ? 'border-accent-line bg-accent-wash text-accent-ink' : 'border-warn-line bg-warn-wash text-warn-ink',
      )}
    >
      <Icon aria-hidden size={20} strokeWidth={1.75} className="shrink-0" />
      <span className="min-w-0">{text}</span>
    </p>
  )
}
