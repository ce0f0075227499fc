import './report.css'
import type { MonthlyReport } from '@siarin/contracts/analytics'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { ReactNode } from 'react'
import { classes } from '../../../lib/classes.ts'
import { formatCalendarDay, formatMoment, formatNumber, formatSpan } from '../../../lib/format.ts'
import { headFigures, hoursWords, shareWords, titleWords } from '../analytics-words.ts'
import { monthWords } from '../report-months.ts'
import { reportScale } from '../report-scale.ts'

/** '+4,2 jam dibanding bulan lalu' */
function changeWords({ totals, before }: MonthlyReport): string | null {
  if (!before || before.wantedSeconds === 0) return null
  const more = totals.onAirSeconds - before.onAirSeconds
  const length = hoursWords(Math.abs(more))
  const hours = more === 0 ? 'jam tayang sama' : `${length} ${more > 0 ? 'lebih banyak' : 'lebih sedikit'}`
  return `Dibanding bulan sebelumnya: ${hours}, persen tayang ${shareWords(before.onAirPercent)} menjadi ${shareWords(totals.onAirPercent)}, gangguan ${formatNumber(before.incidents)} menjadi ${formatNumber(totals.incidents)}.`
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h2 className="text-base font-bold">{title}</h2>
      <div className="mt-3">{children}</div>
    </section>
  )
}

interface RowsProps {
  columns: readonly string[]
  rows: readonly { key: string; cells: readonly string[] }[]
}

function Rows({ columns, rows }: RowsProps) {
  return (
    <table className="w-full border-collapse text-sm tabular-nums">
      <thead>
        <tr className="border-b border-line text-left text-xs text-ink-soft">
          {columns.map((column, index) => (
            <th key={column} scope="col" className={classes('py-2 font-semibold', index > 0 && 'pl-3 text-right')}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [first, ...rest] }) => (
          <tr key={key} className="border-b border-line align-top">
            <th scope="row" className="py-2 pr-3 text-left font-normal wrap-anywhere">
              {first}
            </th>
            {rest.map((cell, index) => (
              <td key={columns[index + 1]} className="py-2 pl-3 text-right sm:whitespace-nowrap">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Bars of paper: a drawing that prints sharply, unlike a canvas. */
function DayBars({ days }: Pick<MonthlyReport, 'days'>) {
  const most = Math.max(0, ...days.map(({ onAirSeconds }) => onAirSeconds))
  const { top, ticks } = reportScale(most)
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  return (
    <figure className="report-figure grid min-w-0 grid-cols-[auto_1fr] gap-x-2">
      <ol
        aria-hidden
        className="flex h-28 flex-col-reverse justify-between text-right text-xs text-ink-soft tabular-nums"
      >
        {ticks.map(({ words }) => (
          // Without height, so that its middle lies at its line.
          <li key={words} className="flex h-0 items-center justify-end whitespace-nowrap">
            {words}
          </li>
        ))}
      </ol>
      <svg
        role="img"
        aria-label={`Jam tayang per hari, paling lama ${hoursWords(most)}`}
        viewBox={`0 0 ${days.length * 10} 60`}
        preserveAspectRatio="none"
        className="h-28 w-full overflow-visible text-accent-ink"
      >
        {ticks.map(({ part, words }) => (
          <line
            key={words}
            x1="0"
            y1={60 - part * 60}
            x2={days.length * 10}
            y2={60 - part * 60}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {days.map(({ date, onAirSeconds }, index) => {
          const height = (onAirSeconds / top) * 60
          return <rect key={date} x={index * 10 + 1.5} y={60 - height} width="7" height={height} fill="currentColor" />
        })}
      </svg>
      <figcaption className="col-start-2 mt-1 flex justify-between text-xs text-ink-soft">
        <span>{formatCalendarDay(first.date)}</span>
        <span>paling lama {hoursWords(most)} sehari</span>
        <span>{formatCalendarDay(last.date)}</span>
      </figcaption>
    </figure>
  )
}

function Tables({ report }: { report: MonthlyReport }) {
  return (
    <>
      <Part title="Platform">
        <Rows
          columns={['Platform', 'Tayang', 'Persen tayang', 'Gangguan']}
          rows={report.platforms.map((each) => ({
            key: each.platform,
            cells: [
              PLATFORM_FACTS[each.platform].label,
              hoursWords(each.onAirSeconds),
              shareWords(each.onAirPercent),
              formatNumber(each.incidents),
            ],
          }))}
        />
      </Part>
      <Part title="Siaran dengan jam tayang terbanyak">
        <Rows
          columns={['Siaran', 'Tayang', 'Persen tayang', 'Gangguan']}
          rows={report.broadcasts.map((each) => ({
            key: each.broadcastId,
            cells: [
              titleWords(each.title),
              hoursWords(each.onAirSeconds),
              shareWords(each.onAirPercent),
              formatNumber(each.incidents),
            ],
          }))}
        />
      </Part>
      {report.reasons.length > 0 && (
        <Part title="Sebab gangguan">
          <Rows
            columns={['Sebab', 'Kali', 'Lamanya']}
            rows={report.reasons.map((each) => ({
              key: each.reasonCode,
              cells: [each.reason, formatNumber(each.count), formatSpan(each.seconds)],
            }))}
          />
        </Part>
      )}
    </>
  )
}

/** One month on paper. */
export function ReportPaper({ report }: { report: MonthlyReport }) {
  const change = changeWords(report)
  return (
    <article className="report rounded-card border border-line bg-card p-4 sm:p-8">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line pb-4 print:flex!">
        <div>
          <p className="text-sm font-semibold text-accent-ink">{report.brand}</p>
          <p className="text-lg font-bold">Laporan siaran {monthWords(report.month)}</p>
        </div>
        <p className="text-xs text-ink-soft">
          <bdi>{report.owner}</bdi> · dibuat {formatMoment(new Date().toISOString())}
          {report.isRunning && ' · bulan ini belum selesai'}
        </p>
      </header>
      <dl className="mt-6 grid grid-cols-2 gap-4 sm:grid-cols-4 print:grid-cols-4">
        {headFigures(report).map(({ name, figure, detail }) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-ink-soft">{name}</dt>
            <dd className="text-lg font-bold tabular-nums">{figure}</dd>
            <dd className="truncate text-xs text-ink-soft">{detail}</dd>
          </div>
        ))}
      </dl>
      {change && <p className="mt-4 max-w-text text-sm text-pretty">{change}</p>}
      {report.totals.streams === 0 ? (
        <p className="mt-8 text-sm text-ink-soft">Tidak ada siaran pada bulan tersebut.</p>
      ) : (
        <>
          <Part title="Jam tayang per hari">
            <DayBars days={report.days} />
          </Part>
          <Tables report={report} />
        </>
      )}
    </article>
  )
}
