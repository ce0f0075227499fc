import type uPlot from 'uplot'
import { chartColours, type LineTone } from './colours.ts'
import { axisTimes } from './time-words.ts'

const LINE_PX = 1.5
const FONT_PX = 11
/** A quiet figure has no axes: its number stands beside it. */
const FIGURE_PADDING: uPlot.Padding = [4, 2, 2, 2]
/** At the right, half of the widest time stands out over the plot: '19.30.05' under its last point. */
const CHART_PADDING: uPlot.Padding = [8, 28, 0, 0]
/** Room above the highest point, so that the line does not touch the edge. */
const HEADROOM = 1.15

interface LineNeeds {
  readonly tone: LineTone
  /** Null: without axes. */
  readonly axisWords: ((value: number) => string) | null
  /** Asked with each drawing: the times of the left and the right edge, in ms. */
  readonly span: () => readonly [from: number, to: number]
  /** At least as high, so that noise of a few kbps does not look like a storm. */
  readonly least: number
}

/** Charts with the same key point at the same time together. */
const SYNC_KEY = 'analytics'

export const lineOptions =
  ({ tone, axisWords, span, least }: LineNeeds) =>
  (_library: typeof uPlot, host: HTMLElement): Omit<uPlot.Options, 'width' | 'height'> => {
    const colours = chartColours(host, tone)
    const font = `${FONT_PX}px ${getComputedStyle(host).fontFamily}`
    const axis = { stroke: colours.words, font, ticks: { show: false } }
    return {
      ms: 1,
      legend: { show: false },
      padding: axisWords ? CHART_PADDING : FIGURE_PADDING,
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        points: { size: 6, fill: colours.line, stroke: colours.card, width: 1.5 },
        ...(axisWords ? { sync: { key: SYNC_KEY } } : { show: false }),
      },
      scales: {
        x: { time: true, range: () => [...span()] },
        y: { range: (_self, _min, max) => [0, Math.max(least, (max ?? 0) * HEADROOM)] },
      },
      axes: [
        {
          ...axis,
          show: axisWords !== null,
          space: 64,
          size: 28,
          grid: { show: false },
          values: (_self, splits, _axis, _space, step) => axisTimes(splits, step),
        },
        {
          ...axis,
          show: axisWords !== null,
          space: 36,
          size: 64,
          grid: { stroke: colours.grid, width: 1 },
          values: (_self, splits) => splits.map((value) => axisWords?.(value) ?? ''),
        },
      ],
      series: [{}, { stroke: colours.line, fill: colours.area, width: LINE_PX, points: { show: false } }],
    }
  }
