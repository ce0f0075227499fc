import { useState } from 'react'
import { classes } from '../lib/classes.ts'
import { type ChartMark, groupMarks, type MarkGroup } from './mark-groups.ts'

/** Where the plot lies within its host, in CSS pixels. */
export interface PlotArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const MOST_WORDS = 4
/** A box this wide is kept within the chart. */
const WORDS_PX = 256

const summary = ({ marks }: MarkGroup): string => marks.map(({ words }) => words).join('; ')

function Words({ group, area }: { group: MarkGroup; area: PlotArea }) {
  const width = Math.min(WORDS_PX, area.left + area.width)
  const left = Math.max(0, Math.min(area.left + group.x - width / 2, area.left + area.width - width))
  return (
    <div
      role="tooltip"
      className="pointer-events-none absolute z-10 grid w-max animate-appear gap-1 rounded-[8px] bg-ink px-2.5 py-1.5 text-xs font-medium text-ground shadow-soft"
      style={{ left, maxWidth: width, bottom: `calc(100% - ${area.top + area.height - 14}px)` }}
    >
      {group.marks.slice(0, MOST_WORDS).map(({ at, words }) => (
        <p key={`${at} ${words}`} className="break-words text-pretty">
          {words}
        </p>
      ))}
      {group.marks.length > MOST_WORDS && <p>dan {group.marks.length - MOST_WORDS} lagi di daftar</p>}
    </div>
  )
}

interface MarkStripProps {
  marks: readonly ChartMark[]
  from: number
  to: number
  area: PlotArea
}

/** Ticks on the axis, each with its words on hover, on focus and on tap. */
export function MarkStrip({ marks, from, to, area }: MarkStripProps) {
  const [shown, setShown] = useState<number | null>(null)
  const groups = groupMarks(marks, { from, to, width: area.width })
  const current = shown === null ? undefined : groups[shown]
  return (
    <>
      {groups.map((group, index) => (
        <button
          key={group.marks[0]?.at}
          type="button"
          data-testid="chart-mark"
          aria-label={summary(group)}
          className="group absolute grid h-8 w-6 -translate-x-1/2 cursor-default place-items-center rounded-[6px] pointer-coarse:w-11"
          style={{ left: area.left + group.x, top: area.top + area.height - 18 }}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setShown(index)}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setShown(null)}
          onFocus={() => setShown(index)}
          onBlur={() => setShown(null)}
          onClick={() => setShown(index)}
          onKeyDown={({ key }) => key === 'Escape' && setShown(null)}
        >
          <span
            className={classes(
              'block rounded-full transition-transform group-hover:scale-y-125',
              group.tone === 'trouble' ? 'h-3.5 w-[3px] bg-warn' : 'h-2.5 w-[2px] bg-line-strong',
            )}
          />
        </button>
      ))}
      {current && <Words group={current} area={area} />}
    </>
  )
}
