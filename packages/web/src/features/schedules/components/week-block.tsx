import { lateWords } from '@siarin/contracts/schedules/schedule-texts'
import { TriangleAlert } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import { spanWords, stateWords } from '../schedule-words.ts'
import { type Block, DAY_MINUTES } from '../week-grid.ts'

interface WeekBlockProps {
  block: Block
  zone: string
  chosen: boolean
  onChoose: () => void
}

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`

const isOver = (state: string): boolean => state !== 'due' && state !== 'starting' && state !== 'started'

/** One colour for what happens, grey for what has happened or will not; trouble has a sign and words. */
export function WeekBlock({ block, zone, chosen, onChoose }: WeekBlockProps) {
  const { occurrence, from, to, lane, lanes, goesOn, fromBefore } = block
  const { title, state, dueAt, endsAt } = occurrence
  const { label, tone } = stateWords(occurrence)
  const late = occurrence.lateMinutes === null ? null : lateWords(occurrence.lateMinutes)
  const time = spanWords(zone, Date.parse(dueAt), endsAt === null ? null : Date.parse(endsAt))
  return (
    <li
      className="absolute p-px"
      style={{
        top: share(from, DAY_MINUTES),
        height: share(to - from, DAY_MINUTES),
        left: share(lane, lanes),
        width: share(1, lanes),
      }}
    >
      <button
        type="button"
        aria-pressed={chosen}
        className={classes(
          'flex size-full min-w-0 flex-col overflow-hidden rounded-[8px] border px-1.5 py-1 text-left text-xs',
          isOver(state) ? 'border-line bg-raised text-ink-soft' : 'border-accent-line bg-accent-wash text-accent-ink',
          chosen && 'border-accent ring-1 ring-accent',
          endsAt === null && 'border-b-2 border-b-current [border-bottom-style:dashed]',
          goesOn && 'rounded-b-none',
          fromBefore && 'rounded-t-none',
        )}
        onClick={onChoose}
      >
        <span className="flex min-w-0 items-center gap-1 font-semibold">
          {tone === 'warn' && (
            <TriangleAlert aria-hidden size={12} strokeWidth={2} className="shrink-0 text-warn-ink" />
          )}
          <span dir="auto" className="truncate">
            {title}
          </span>
        </span>
        <span className="truncate tabular-nums">{time}</span>
        {late && <span className="truncate">{late}</span>}
        <span className="sr-only">{label}</span>
      </button>
    </li>
  )
}
