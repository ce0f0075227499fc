import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../../lib/classes.ts'

interface NoteProps {
  /** True: something is lost by who does not know it. */
  warning?: boolean
  children: ReactNode
}

/** What a reader should not miss. */
export function Note({ warning = false, children }: NoteProps) {
  const Icon = warning ? TriangleAlert : Info
  return (
    <div className={classes('note', warning ? 'bg-warn-wash' : 'bg-accent-wash')}>
      <Icon
        aria-hidden
        size={20}
        strokeWidth={1.75}
        className={classes('mt-0.5 shrink-0', warning ? 'text-warn-ink' : 'text-accent-ink')}
      />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
