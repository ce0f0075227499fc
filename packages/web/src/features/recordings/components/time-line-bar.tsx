import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { MarkStrip } from '../../../components/mark-strip.tsx'
import { formatTime } from '../../../lib/format.ts'
import { type Choice, moveEdge, partOf } from '../choice.ts'
import { clockTicks } from '../clock-ticks.ts'
import { gapWords } from '../recording-words.ts'
import { placeOf, secondsAt, type TimeLine, wallAt, wallAtPlace } from '../time-line.ts'
import { TimeSlider } from './time-slider.tsx'

const TRACK_PX = 48
/** Below the track, where the marks of the interruptions stand. */
const MARKS_PX = 22
/** A label of a time needs so much room. */
const TICK_PX = 88
const PLAY_STEP_S = 5
const EDGE_STEP_S = 1

const percent = (place: number): string => `${place * 100}%`

function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const track = element.current
    if (!track) return
    const observer = new ResizeObserver(() => setWidth(track.clientWidth))
    observer.observe(track)
    setWidth(track.clientWidth)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

/** The parts that were sent, and what lies between them. */
function Stretches({ line }: { line: TimeLine }) {
  const span = (begin: number, end: number) => ({
    left: percent(placeOf(line, begin)),
    width: percent(placeOf(line, end) - placeOf(line, begin)),
  })
  return (
    <>
      {line.stretches.map(({ begin, end }) => (
        <span key={begin} className="absolute inset-y-1.5 bg-pressed" style={span(begin, end)} />
      ))}
      {line.gaps.map((gap) => (
        <span
          key={gap.seconds}
          title={gapWords(gap)}
          className="absolute inset-y-1.5 min-w-0.5 border-y border-dashed border-warn-line bg-warn-wash"
          style={span(gap.begin, gap.end)}
        />
      ))}
    </>
  )
}

function Ticks({ line, width }: { line: TimeLine; width: number }) {
  const { stepMs, at } = clockTicks(line.begin, line.end, Math.max(1, Math.floor(width / TICK_PX)))
  const isInside = (tick: number): boolean => Math.abs(placeOf(line, tick) - 0.5) * width < width / 2 - TICK_PX / 4
  return (
    <div aria-hidden className="relative h-4 text-xs text-ink-soft tabular-nums">
      {at.filter(isInside).map((tick) => (
        <span key={tick} className="absolute -translate-x-1/2" style={{ left: percent(placeOf(line, tick)) }}>
          {formatTime(tick, stepMs < 60_000)}
        </span>
      ))}
    </div>
  )
}

const Grip = () => (
  <span className="grid h-full w-3 place-items-center rounded-[4px] bg-accent">
    <span className="h-4 w-0.5 rounded-full bg-on-accent" />
  </span>
)

interface TimeLineBarProps {
  line: TimeLine
  /** Where it plays. */
  position: number
  choice: Choice
  onSeek: (seconds: number) => void
  onChoice: (choice: Choice) => void
}

/** The recording on the wall clock: where it plays, what is chosen, and where it was off air. */
export function TimeLineBar({ line, position, choice, onSeek, onChoice }: TimeLineBarProps) {
  const { element, width } = useWidth()
  const total = line.seconds
  const { from, to } = partOf(choice, total)
  const [beginWall, endWall, playWall] = [wallAt(line, from), wallAt(line, to, 'end'), wallAt(line, position)]
  const [beginPlace, endPlace] = [placeOf(line, beginWall), placeOf(line, endWall)]

  const secondsUnder = ({ clientX }: PointerEvent): number => {
    const { left, width: wide } = element.current?.getBoundingClientRect() ?? { left: 0, width: 0 }
    return secondsAt(line, wallAtPlace(line, wide > 0 ? (clientX - left) / wide : 0))
  }
  const dragging = (move: (seconds: number) => void, atOnce: boolean) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return
      // A handle lies on the track, which would go there too.
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      if (atOnce) move(secondsUnder(event))
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) move(secondsUnder(event))
    },
  })
  const moveBegin = (seconds: number): void => onChoice(moveEdge(choice, 'from', seconds, total))
  const moveEnd = (seconds: number): void => onChoice(moveEdge(choice, 'to', seconds, total))
  const edge = { total, step: EDGE_STEP_S }
  const handle = 'z-10 flex w-6 cursor-ew-resize touch-none rounded-[6px] pointer-coarse:w-11'

  return (
    <div className="relative mx-3 pointer-coarse:mx-5">
      <div
        ref={element}
        data-testid="time-line"
        className="relative cursor-pointer touch-pan-y select-none"
        style={{ height: TRACK_PX }}
        {...dragging(onSeek, true)}
      >
        <Stretches line={line} />
        <span
          className="pointer-events-none absolute inset-y-0 border-y-2 border-accent bg-accent/20"
          style={{ left: percent(beginPlace), width: percent(endPlace - beginPlace) }}
        />
        <TimeSlider
          label="Posisi putar"
          {...{ seconds: Math.min(position, total), total, wall: playWall, place: placeOf(line, playWall) }}
          step={PLAY_STEP_S}
          onSeconds={onSeek}
          className="pointer-events-none z-5 -ml-2 flex w-4 justify-center rounded-[6px]"
        >
          <span className="relative h-full w-0.5 bg-ink">
            <span className="absolute -top-1.5 left-1/2 size-3 -translate-x-1/2 rounded-full border-2 border-card bg-ink" />
          </span>
        </TimeSlider>
        <TimeSlider
          label="Awal bagian"
          {...{ ...edge, seconds: from, wall: beginWall, place: beginPlace }}
          onSeconds={moveBegin}
          pointer={dragging(moveBegin, false)}
          className={`${handle} -translate-x-full justify-end`}
        >
          <Grip />
        </TimeSlider>
        <TimeSlider
          label="Akhir bagian"
          {...{ ...edge, seconds: to, wall: endWall, place: endPlace }}
          onSeconds={moveEnd}
          pointer={dragging(moveEnd, false)}
          className={`${handle} justify-start`}
        >
          <Grip />
        </TimeSlider>
      </div>
      <div style={{ height: MARKS_PX }} />
      <MarkStrip
        marks={line.gaps.map((gap) => ({ at: (gap.begin + gap.end) / 2, tone: 'trouble', words: gapWords(gap) }))}
        from={line.begin}
        to={line.end}
        area={{ left: 0, top: 0, width, height: TRACK_PX + 14 }}
      />
      <Ticks line={line} width={width} />
    </div>
  )
}
