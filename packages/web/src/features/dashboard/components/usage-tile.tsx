import { type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../../components/card.tsx'
import { classes } from '../../../lib/classes.ts'

interface UsageTileProps {
  name: string
  icon: LucideIcon
  /** Null: nothing is known yet. */
  figure: string | null
  /** One line below the figure. */
  detail?: string | undefined
  /** Close to its end; never red, which is kept for what is on air. */
  high?: boolean
  /** A drawing of it. */
  children?: ReactNode
}

/** One measure of the machine. Its height is the same before and after the figure has come. */
export function UsageTile({ name, icon: Icon, figure, detail, high = false, children }: UsageTileProps) {
  return (
    <Card className="grid min-w-0 content-start gap-1 p-4 sm:p-5" aria-label={name}>
      <h3 className="flex h-5 items-center gap-2 text-xs font-semibold whitespace-nowrap sm:text-sm text-ink-soft">
        {high ? (
          <TriangleAlert aria-label="Tinggi" size={18} strokeWidth={1.75} className="shrink-0 text-warn-ink" />
        ) : (
          <Icon aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />
        )}
        {name}
      </h3>
      {figure === null ? (
        <p className="text-base leading-9 text-ink-soft">Loading...</p>
      ) : (
        <p className={classes('text-xl font-bold tabular-nums', high && 'text-warn-ink')}>{figure}</p>
      )}
      <p className="min-h-5 truncate text-sm text-ink-soft tabular-nums">{detail}</p>
      <div className="mt-2 flex h-10 items-end">{children}</div>
    </Card>
  )
}
