import 'uplot/dist/uPlot.min.css'
import { useEffect, useMemo, useRef } from 'react'
import type { ChartMark } from '../../../components/mark-groups.ts'
import { MarkStrip, type PlotArea } from '../../../components/mark-strip.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import type { LineTone } from './colours.ts'
import { lineOptions } from './line-options.ts'
import { NoChart } from './no-chart.tsx'
import { lineData, pointWords, type TimePoint } from './time-points.ts'
import { pointTime } from './time-words.ts'
import { usePlot } from './use-plot.ts'

interface TimeChartProps {
  /** What is drawn, for those who do not see it. */
  label: string
  points: readonly TimePoint[]
  from: number
  to: number
  format: (value: number) => string
  height: number
  tone?: LineTone
  /** Without axes and pointer: a figure beside its number. */
  quiet?: boolean
  /** The height of the axis where all is lower. */
  least?: number
  marks?: readonly ChartMark[]
}

const NO_MARKS: readonly ChartMark[] = []
const READING_PX = 150

/** The value at the pointer, above the chart's edge. */
function Reading({ point, area, span, format }: ReadingProps) {
  const x = area.left + ((point.at - span.from) / (span.to - span.from)) * area.width
  const left = Math.max(area.left, Math.min(x - READING_PX / 2, area.left + area.width - READING_PX))
  return (
    <p
      aria-hidden
      className="pointer-events-none absolute top-0 z-10 truncate rounded-[8px] bg-ink px-2 py-1 text-center text-xs font-medium text-ground tabular-nums shadow-soft"
      style={{ left, width: READING_PX }}
    >
      {pointTime(point.at, span.to - span.from)} · {pointWords(point, format)}
    </p>
  )
}

interface ReadingProps {
  point: TimePoint
  area: PlotArea
  span: { from: number; to: number }
  format: (value: number) => string
}

/** One line over time. What it shows stands in words beside it, or in a table (`ChartFrame`). */
export function TimeChart(props: TimeChartProps) {
  const { label, points, from, to, format, height, tone = 'healthy', quiet = false, least = 1 } = props
  const marks = props.marks ?? NO_MARKS
  const host = useRef<HTMLDivElement>(null)
  const span = useRef<readonly [number, number]>([from, to])
  const options = useMemo(
    () => lineOptions({ tone, axisWords: quiet ? null : format, span: () => span.current, least }),
    [tone, quiet, format, least],
  )
  // A new window of time is new data too: it is drawn anew.
  const drawn = useMemo(() => ({ span: [from, to] as const, data: lineData(points) }), [points, from, to])
  useEffect(() => {
    span.current = drawn.span
  }, [drawn])
  const { area, pointed, failed } = usePlot({ host, height, options, data: drawn.data })
  const point = pointed === null || quiet ? undefined : points[pointed]
  if (failed) return <NoChart height={height} />
  return (
    <div className="relative min-w-0" style={{ height }}>
      {!area && <Skeleton className="absolute inset-0" />}
      <div
        ref={host}
        role="img"
        aria-label={label}
        data-testid="chart"
        data-points={points.length}
        className="h-full overflow-hidden"
      />
      {area && point && <Reading point={point} area={area} span={{ from, to }} format={format} />}
      {area && <MarkStrip marks={marks} from={from} to={to} area={area} />}
    </div>
  )
}
