import { classes } from '../lib/classes.ts'

interface BarProps {
  /** 0 to 100, with decimals. */
  percent: number
  warning?: boolean
  /** Names it as a progress bar; without it the bar is decoration beside words that say the same. */
  label?: string
  className?: string
}

/** How much of something, drawn. */
export function Bar({ percent, warning = false, label, className = 'h-1.5' }: BarProps) {
  const said = label
    ? {
        role: 'progressbar',
        'aria-label': label,
        'aria-valuenow': Math.floor(percent),
        'aria-valuemin': 0,
        'aria-valuemax': 100,
      }
    : { 'aria-hidden': true }
  return (
    <div {...said} className={classes('overflow-hidden rounded-full bg-pressed', className)}>
      <div
        className={classes('h-full rounded-full transition-[width]', warning ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
