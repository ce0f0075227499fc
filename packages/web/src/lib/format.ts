const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const
const twoDecimals = new Intl.NumberFormat('id-ID', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 })

export function formatBytes(sizeBytes: number): string {
  if (!Number.isFinite(sizeBytes) || sizeBytes <= 0) return '0 Bytes'
  const step = Math.min(Math.floor(Math.log2(sizeBytes) / 10), UNITS.length - 1)
  if (step <= 0) return `${whole.format(sizeBytes)} Bytes`
  return `${twoDecimals.format(sizeBytes / 1024 ** step)} ${UNITS[step]}`
}

export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.round(seconds))
  return `${Math.floor(total / 60)}m ${total % 60}s`
}

export const formatNumber = (value: number): string => new Intl.NumberFormat('id-ID').format(value)

const day = new Intl.DateTimeFormat('id-ID', { day: 'numeric', month: 'short', year: 'numeric' })
const time = new Intl.DateTimeFormat('id-ID', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })

function read(iso: string | null | undefined): Date | null {
  if (!iso) return null
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? null : date
}

/** '15 Nov 2026'; a date that cannot be read is a dash. */
export function formatDay(iso: string | null | undefined): string {
  const date = read(iso)
  return date ? day.format(date) : '–'
}

/** '15 Nov 2026 19.30 WIB' */
export function formatMoment(iso: string | null | undefined): string {
  const date = read(iso)
  return date ? `${day.format(date)} ${time.format(date)}` : '–'
}
