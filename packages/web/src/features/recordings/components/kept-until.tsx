import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { classes } from '../../../lib/classes.ts'
import { keptWords } from '../recording-words.ts'

/** Until when it is kept; what goes soon stands out, and is no alarm. */
export function KeptUntil({ until, className }: { until: string | null; className?: string }) {
  const [now] = useState(Date.now)
  const kept = keptWords(until, now)
  if (!kept) return null
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 text-xs tabular-nums',
        kept.soon ? 'font-semibold text-warn-ink' : 'text-ink-soft',
        className,
      )}
    >
      {kept.soon && <Hourglass aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />}
      {kept.words}
    </span>
  )
}
