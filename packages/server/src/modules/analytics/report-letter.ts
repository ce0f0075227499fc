import type { MonthlyReport } from '@siarin/contracts/analytics'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { Letter } from '../../platform/mail/mailer.ts'

interface ReportLetter {
  readonly to: string
  readonly brand: string
  readonly publicUrl: string | null
  readonly report: MonthlyReport
}

const monthWords = (month: string): string =>
  new Intl.DateTimeFormat('id-ID', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )

const hours = (seconds: number): string =>
  `${(seconds / 3600).toLocaleString('id-ID', { maximumFractionDigits: 1 })} jam`
const percent = (value: number | null): string =>
  value === null ? '-' : `${value.toLocaleString('id-ID', { maximumFractionDigits: 2 })}%`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Names and values, the most important first. */
function lines({ totals, platforms, before }: MonthlyReport): [string, string][] {
  return [
    ['Jam tayang', hours(totals.onAirSeconds)],
    ['Persen tayang', percent(totals.onAirPercent)],
    ['Siaran', String(totals.broadcasts)],
    ['Gangguan', String(totals.incidents)],
    ['Tayang terlama', totals.longestRun ? hours(totals.longestRun.seconds) : '-'],
    ...platforms.map(({ platform, onAirSeconds }): [string, string] => [
      PLATFORM_FACTS[platform].label,
      hours(onAirSeconds),
    ]),
    ...(before ? [['Jam tayang bulan sebelumnya', hours(before.onAirSeconds)] satisfies [string, string]] : []),
  ]
}

/** Figures alone, and no title that somebody typed. */
export function reportLetter({ to, brand, publicUrl, report }: ReportLetter): Letter & { html: string } {
  const month = monthWords(report.month)
  const rows = lines(report)
  const address = publicUrl === null ? null : `${publicUrl}/fitur/analytics/laporan?bulan=${report.month}`
  const more = address === null ? '' : `\n\nLaporan lengkap:\n${address}`
  const table = rows
    .map(([name, value]) => `<tr><td>${escaped(name)}</td><td align="right"><b>${escaped(value)}</b></td></tr>`)
    .join('')
  const link = address === null ? '' : `<p><a href="${escaped(address)}">Buka laporan lengkap</a></p>`
  return {
    to,
    subject: `Laporan siaran ${month} - ${brand}`,
    text: `Halo,\n\nLaporan siaran Anda untuk ${month}:\n\n${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}${more}\n\nSalam,\n${brand}\n`,
    html: `<p>Halo,</p><p>Laporan siaran Anda untuk <b>${escaped(month)}</b>:</p><table cellpadding="6">${table}</table>${link}<p>Salam,<br>${escaped(brand)}</p>`,
  }
}
