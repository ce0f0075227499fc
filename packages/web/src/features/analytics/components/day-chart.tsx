import type { AnalyticsSummary } from '@siarin/contracts/analytics'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { useMemo } from 'react'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { formatCalendarDay, formatNumber } from '../../../lib/format.ts'
import { hoursWords, shareWords } from '../analytics-words.ts'
import { BarChart } from '../chart/bar-chart.tsx'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { barShares, barsOf, barWords, platformsOf, stackedRows, unitOf } from '../day-bars.ts'

const HEIGHT = 240
const shortDay = new Intl.DateTimeFormat('id-ID', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Steps of the accent and of grey: told apart also by who sees no colours. The one with the most hours is the strongest. */
const COLOURS = ['var(--accent-ink)', 'var(--teal-8)', 'var(--slate-9)', 'var(--slate-6)'] as const

/** What the colours mean, with what each comes to. */
function PlatformKey({ platforms }: { platforms: readonly { platform: Platform; seconds: number }[] }) {
  return (
    <ul aria-label="Jam tayang per platform" className="mb-2 flex flex-wrap gap-x-5 gap-y-1 text-xs tabular-nums">
      {platforms.map(({ platform, seconds }, index) => (
        <li key={platform} className="flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: COLOURS[index] }} />
          <PlatformMark platform={platform} className="size-3.5" />
          <span className="font-semibold">{PLATFORM_FACTS[platform].label}</span>
          <span className="text-ink-soft">{hoursWords(seconds)}</span>
        </li>
      ))}
    </ul>
  )
}

function useBars({ days, from, to }: Pick<AnalyticsSummary, 'days' | 'from' | 'to'>) {
  return useMemo(() => {
    const seconds = days.map(({ date, platforms }) => ({
      date,
      platforms: Object.fromEntries(platforms.map(({ platform, onAirSeconds }) => [platform, onAirSeconds])),
    }))
    const bars = barsOf(seconds, { from, to })
    const platforms = platformsOf(bars)
    const unit = unitOf(bars)
    const order = platforms.map(({ platform }) => platform)
    return {
      bars,
      platforms,
      unit,
      rows: stackedRows(bars, order, unit),
      words: bars.map((bar) => shortDay.format(new Date(bar.from))),
      isByWeek: bars.some((bar) => bar.from !== bar.to),
    }
  }, [days, from, to])
}

/** Hours on air for each day, stacked by platform. */
export function DayChart({ summary }: { summary: AnalyticsSummary }) {
  const { bars, platforms, unit, rows, words, isByWeek } = useBars(summary)
  const count = platforms.length
  const colours = useMemo(() => COLOURS.slice(0, count), [count])
  const title = isByWeek ? 'Jam tayang per minggu' : 'Jam tayang per hari'
  const table = barShares(bars, summary.days).map(({ bar, onAirPercent, incidents }) => ({
    key: bar.from,
    cells: [
      formatCalendarDay(bar.from),
      ...platforms.map(({ platform }) => (bar.seconds[platform] > 0 ? hoursWords(bar.seconds[platform]) : '–')),
      shareWords(onAirPercent),
      formatNumber(incidents),
    ],
  }))
  const columns = [
    isByWeek ? 'Minggu mulai' : 'Tanggal',
    ...platforms.map(({ platform }) => PLATFORM_FACTS[platform].label),
    'Persen tayang',
    'Gangguan',
  ]
  return (
    <ChartFrame title={title} columns={columns} rows={table}>
      <PlatformKey platforms={platforms} />
      <BarChart
        label={`${title}: ${platforms.map(({ platform, seconds }) => `${PLATFORM_FACTS[platform].label} ${hoursWords(seconds)}`).join(', ')}`}
        rows={rows}
        words={words}
        unit={unit.word}
        colours={colours}
        height={HEIGHT}
        reading={(index) => {
          const bar = bars[index]
          return (
            bar && (
              <>
                <p>{barWords(bar)}</p>
                {platforms
                  .filter(({ platform }) => bar.seconds[platform] > 0)
                  .map(({ platform }) => (
                    <p key={platform}>
                      {PLATFORM_FACTS[platform].label} {hoursWords(bar.seconds[platform])}
                    </p>
                  ))}
                {bar.total === 0 && <p>tidak ada yang tayang</p>}
              </>
            )
          )
        }}
      />
    </ChartFrame>
  )
}
