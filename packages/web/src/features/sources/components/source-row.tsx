import type { OnlineSource } from '@siarin/contracts/online'
import { Link2, Trash2 } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import { hostOf } from '../../../lib/online-address.ts'

interface SourceRowProps {
  source: OnlineSource
  current: boolean
  removing: boolean
  onPick: () => void
  onRemove: () => void
}

/** An HLS address that the person has given us. Whether it sends anything shows when it is played. */
export function SourceRow({ source, current, removing, onPick, onRemove }: SourceRowProps) {
  return (
    <li className={classes('group flex items-center', current ? 'bg-accent-wash' : 'hover:bg-raised')}>
      <button
        type="button"
        aria-pressed={current}
        className="flex min-w-0 flex-1 items-center gap-3 py-3 pl-4 text-left -outline-offset-2"
        onClick={onPick}
      >
        <span
          className={classes(
            'grid h-[54px] w-24 shrink-0 place-items-center rounded-[8px] bg-pressed',
            current ? 'text-accent-ink' : 'text-ink-soft',
          )}
        >
          <Link2 aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-left text-sm font-semibold" title={source.name}>
            {source.name}
          </span>
          <span className="mt-0.5 block truncate font-mono text-xs text-ink-soft">{hostOf(source.url)}</span>
        </span>
      </button>
      <button
        type="button"
        aria-label={`Hapus ${source.name}`}
        disabled={removing}
        className="mx-2 grid size-11 shrink-0 place-items-center rounded-control text-ink-soft transition-opacity hover:bg-pressed hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 pointer-fine:opacity-60"
        onClick={onRemove}
      >
        <Trash2 aria-hidden size={18} strokeWidth={1.75} />
      </button>
    </li>
  )
}
