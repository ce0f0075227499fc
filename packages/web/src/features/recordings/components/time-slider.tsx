import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { classes } from '../../../lib/classes.ts'
import { formatInstant, formatPosition } from '../../../lib/format.ts'
import { keyTarget } from '../choice.ts'

interface TimeSliderProps {
  label: string
  /** Where it stands in the recording. */
  seconds: number
  total: number
  /** When that was sent. */
  wall: number
  /** Where it stands on the line, from 0 to 1. */
  place: number
  /** What an arrow key moves it by. */
  step: number
  onSeconds: (seconds: number) => void
  pointer?: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
  }
  className: string
  children: ReactNode
}

/** '15 Nov 19.30.05 (1:20:05 dari 3:00:00)' */
const valueWords = (wall: number, seconds: number, total: number): string =>
  `${formatInstant(new Date(wall).toISOString())} (${formatPosition(seconds)} dari ${formatPosition(total)})`

/** Something on the time line that is moved, by keys as any slider. */
export function TimeSlider(props: TimeSliderProps) {
  const { label, seconds, total, wall, place, step, onSeconds, pointer, className, children } = props
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = keyTarget(event.key, seconds, total, step)
    if (target === null) return
    event.preventDefault()
    onSeconds(target)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(total)}
      aria-valuenow={Math.round(seconds)}
      aria-valuetext={valueWords(wall, seconds, total)}
      className={classes('absolute inset-y-0', className)}
      style={{ left: `${place * 100}%` }}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      {children}
    </div>
  )
}
