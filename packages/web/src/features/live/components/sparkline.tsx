import { sparkPoints } from '../bitrates.ts'

const WIDTH = 96
const HEIGHT = 20

/** The last minute drawn; the figure beside it says the same in words. */
export function Sparkline({ samples }: { samples: readonly number[] }) {
  const points = sparkPoints(samples, WIDTH, HEIGHT)
  if (points === null) return null
  return (
    <svg
      aria-hidden="true"
      data-testid="sparkline"
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      className="h-5.5 w-24 shrink-0 overflow-visible text-healthy"
    >
      <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} className="stroke-line" />
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
