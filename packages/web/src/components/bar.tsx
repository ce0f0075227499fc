import { classes } from '../lib/classes.ts'

interface BarProps {
  /** 0 to 100, with decimals. */
  percent: number
  warning?: boolean
  className?: string
}

/** How much of something, drawn; what it is and how much is said beside it. */
export function Bar({ percent, warning = false, className }: BarProps) {
  return (
    <div aria-hidden className={classes('overflow-hidden rounded-full bg-pressed', className)}>
      <div
        className={classes('h-full rounded-full transition-[width]', warning ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
