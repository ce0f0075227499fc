import 'uplot/dist/uPlot.min.css'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type uPlot from 'uplot'
import { Skeleton } from '../../../components/skeleton.tsx'
import { barOptions } from './bar-options.ts'
import { NoChart } from './no-chart.tsx'
import { usePlot } from './use-plot.ts'

interface BarChartProps {
  label: string
  /** Heights as `stackedRows` makes them. */
  rows: readonly (readonly (number | null)[])[]
  /** Under the axis, one for each bar. */
  words: readonly string[]
  unit: string
  /** The lowest of the stack first; keep the array the same as long as the colours are. */
  colours: readonly string[]
  height: number
  /** What is said of the bar at the pointer. */
  reading: (index: number) => ReactNode
}

const READING_PX = 208

export function BarChart({ label, rows, words, unit, colours, height, reading }: BarChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const wordsNow = useRef(words)
  const options = useMemo(() => barOptions({ colours, words: () => wordsNow.current, unit }), [colours, unit])
  const data = useMemo(
    (): uPlot.AlignedData => [words.map((_, index) => index), ...rows.map((row) => [...row])],
    [rows, words],
  )
  useEffect(() => {
    wordsNow.current = words
  }, [words])
  const { area, pointed, failed } = usePlot({ host, height, options, data })
  if (failed) return <NoChart height={height} />
  const step = area ? area.width / (words.length + 0.2) : 0
  const x = area && pointed !== null ? area.left + (pointed + 0.6) * step : 0
  return (
    <div className="relative min-w-0" style={{ height }}>
      {!area && <Skeleton className="absolute inset-0" />}
      <div ref={host} role="img" aria-label={label} data-testid="bars" className="h-full overflow-hidden" />
      {area && pointed !== null && (
        <div
          aria-hidden
          className="pointer-events-none absolute top-0 z-10 rounded-[8px] bg-ink px-2.5 py-1.5 text-xs font-medium text-ground tabular-nums shadow-soft"
          style={{
            left: Math.max(0, Math.min(x - READING_PX / 2, area.left + area.width - READING_PX)),
            width: READING_PX,
          }}
        >
          {reading(pointed)}
        </div>
      )}
    </div>
  )
}
