import { formatBytes } from '@siarin/contracts/format'
import { Radio } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { FactLine } from '../../components/fact-line.tsx'
import { classes } from '../../lib/classes.ts'
import { formatDuration } from '../../lib/format.ts'

interface OnlineRowProps {
  /** Shown where the service has one. */
  id?: string
  title: string
  size: number
  duration: number | null
  current: boolean
  onPick: () => void
}

export function OnlineRow({ id, title, size, duration, current, onPick }: OnlineRowProps) {
  const facts = [id && `ID ${id}`, formatBytes(size), duration !== null && formatDuration(duration)].filter(
    (fact) => typeof fact === 'string',
  )
  return (
    <li className={current ? 'bg-accent-wash' : 'hover:bg-raised'}>
      <button
        type="button"
        aria-pressed={current}
        className="flex w-full items-center gap-3 px-4 py-3 text-left -outline-offset-2"
        onClick={onPick}
      >
        <span
          className={classes(
            'grid h-[54px] w-24 shrink-0 place-items-center rounded-[8px] bg-pressed',
            current ? 'text-accent-ink' : 'text-ink-soft',
          )}
        >
          <Radio aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-left text-sm font-semibold" title={title}>
            {title || 'Tanpa nama'}
          </span>
          <FactLine facts={facts} />
        </span>
        <Badge tone="accent">Online</Badge>
      </button>
    </li>
  )
}
