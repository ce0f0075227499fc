import type uPlot from 'uplot'
import { chartColours, finishedColours } from './colours.ts'

const FONT_PX = 11
/** Round figures of hours and minutes: a quarter of a day is one of them. */
const STEPS = [1, 2, 3, 6, 12, 24, 48, 72, 120, 168, 240, 480, 960, 1920, 3840]
const WIDEST_PX = 36
const HEADROOM = 1.08

interface BarNeeds {
  /** The lowest of the stack first. */
  readonly colours: readonly string[]
  /** Asked with each drawing. */
  readonly words: () => readonly string[]
  readonly unit: string
}

/** Stacked bars, one for each place on the axis. */
export const barOptions =
  ({ colours, words, unit }: BarNeeds) =>
  (library: typeof uPlot, host: HTMLElement): Omit<uPlot.Options, 'width' | 'height'> => {
    const { card, grid, words: ink } = chartColours(host, 'healthy')
    const font = `${FONT_PX}px ${getComputedStyle(host).fontFamily}`
    const axis = { stroke: ink, font, ticks: { show: false } }
    const bars = library.paths.bars?.({ size: [0.72, WIDEST_PX], radius: [0.12, 0] })
    // The highest of the stack is drawn first.
    const fills = finishedColours(host, colours).reverse()
    return {
      legend: { show: false },
      padding: [8, 8, 0, 0],
      cursor: { y: false, x: false, drag: { x: false, y: false, setScale: false }, points: { show: false } },
      scales: {
        x: { time: false, range: () => [-0.6, words().length - 0.4] },
        y: { range: (_self, _min, max) => [0, Math.max(1, (max ?? 0) * HEADROOM)] },
      },
      axes: [
        {
          ...axis,
          space: 56,
          size: 28,
          incrs: [1, 2, 3, 5, 7, 10, 14, 20],
          grid: { show: false },
          values: (_self, splits) => splits.map((index) => (Number.isInteger(index) ? (words()[index] ?? '') : '')),
        },
        {
          ...axis,
          space: 36,
          size: 64,
          incrs: STEPS,
          grid: { stroke: grid, width: 1 },
          values: (_self, splits) => splits.map((value) => `${value} ${unit}`),
        },
      ],
      series: [
        {},
        ...fills.map(
          (fill): uPlot.Series => ({
            fill,
            stroke: card,
            width: 1,
            points: { show: false },
            ...(bars && { paths: bars }),
          }),
        ),
      ],
    }
  }
