import { type RefObject, useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { PlotArea } from '../../../components/mark-strip.tsx'
import { logError } from '../../../lib/log.ts'
import { useTheme } from '../../../lib/theme.ts'

type Library = typeof uPlot

interface Plot {
  /** Null until it is drawn. */
  readonly area: PlotArea | null
  /** The index of the point that the pointer is at. */
  readonly pointed: number | null
  /** It cannot be drawn here: the table has to do. */
  readonly failed: boolean
}

interface PlotNeeds {
  readonly host: RefObject<HTMLDivElement | null>
  readonly height: number
  /** Called anew with each theme; keep it the same as long as the chart is. */
  readonly options: (library: Library, host: HTMLElement) => Omit<uPlot.Options, 'width' | 'height'>
  readonly data: uPlot.AlignedData
}

const canDraw = (): boolean => {
  try {
    return document.createElement('canvas').getContext('2d') !== null
  } catch {
    return false
  }
}

const same = (a: PlotArea | null, b: PlotArea): boolean =>
  a !== null && a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height

function areaOf({ bbox }: uPlot, pxRatio: number): PlotArea {
  return {
    left: bbox.left / pxRatio,
    top: bbox.top / pxRatio,
    width: bbox.width / pxRatio,
    height: bbox.height / pxRatio,
  }
}

/** Draws with uPlot, which is fetched when the first chart is shown, and follows the width of its host and the theme. */
export function usePlot({ host, height, options, data }: PlotNeeds): Plot {
  const { dark } = useTheme()
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(data)
  const [area, setArea] = useState<PlotArea | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [failed, setFailed] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies(dark): the colours are read from the styles, which the theme changes
  useEffect(() => {
    const element = host.current
    if (!element) return
    let gone = false
    let made: uPlot | null = null
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth
      if (made && width > 0 && width !== made.width) made.setSize({ width, height })
    })
    async function draw(place: HTMLElement): Promise<void> {
      const { default: library } = await import('uplot')
      if (gone) return
      const { hooks, ...rest } = options(library, place)
      made = new library(
        {
          ...rest,
          width: Math.max(place.clientWidth, 1),
          height,
          hooks: {
            ...hooks,
            draw: [
              ...(hooks?.draw ?? []),
              (self) => {
                const next = areaOf(self, library.pxRatio)
                setArea((known) => (same(known, next) ? known : next))
              },
            ],
            setCursor: [({ cursor }) => setPointed(cursor.idx ?? null)],
          },
        },
        latest.current,
        place,
      )
      plot.current = made
      resized.observe(place)
    }
    if (canDraw()) {
      draw(element).catch((error: unknown) => {
        logError('The chart could not be drawn', error)
        if (!gone) setFailed(true)
      })
    } else {
      setFailed(true)
    }
    return () => {
      gone = true
      resized.disconnect()
      made?.destroy()
      plot.current = null
    }
  }, [host, height, options, dark])

  useEffect(() => {
    latest.current = data
    plot.current?.setData(data)
  }, [data])

  return { area, pointed, failed }
}
