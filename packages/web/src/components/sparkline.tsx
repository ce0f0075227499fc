import { classes } from '../lib/classes.ts'
import { sparkPoints } from './spark-points.ts'

const WIDTH = 96
const HEIGHT = 20

interface SparklineProps {
  /** Oldest first; the last 60 fill the width. */
  samples: readonly number[]
  /** What touches the upper edge, such as 100 for percent; without it the highest sample does. */
  top?: number
  /** Tints what lies below the line: for one that stands by itself. */
  filled?: boolean
  /** Amber: more than is healthy. */
  warning?: boolean
  /** Replaces the size of a row's figure. */
  className?: string
}

/** What happened of late, drawn; the figure beside it says the same in words. */
export function Sparkline({ samples, top, filled = false, warning = false, className = 'h-5.5 w-24' }: SparklineProps) {
  const points = sparkPoints(samples, WIDTH, HEIGHT, top)
  return (
    <svg
      aria-hidden="true"
      data-testid="sparkline"
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      className={classes('shrink-0 overflow-visible', warning ? 'text-warn-ink' : 'text-healthy', className)}
    >
      <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} vectorEffect="non-scaling-stroke" className="stroke-line" />
      {points && filled && (
        <polygon
          points={`${points} ${WIDTH},${HEIGHT} ${points.slice(0, points.indexOf(','))},${HEIGHT}`}
          fill="currentColor"
          fillOpacity="0.14"
        />
      )}
      {points && (
        <polyline
          points={points}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}
