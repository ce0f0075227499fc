const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const oneDecimal = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 })

/** '1,2 GB', '10 GB': where a glance is enough. Lists use the specification's two decimals (`formatBytes` of the contracts). */
export function formatShortBytes(sizeBytes: number): string {
  if (!Number.isFinite(sizeBytes) || sizeBytes <= 0) return '0 B'
  const step = Math.min(Math.max(0, Math.floor(Math.log2(sizeBytes) / 10)), UNITS.length - 1)
  return `${oneDecimal.format(sizeBytes / 1024 ** step)} ${UNITS[step]}`
}

export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.round(seconds))
  return `${Math.floor(total / 60)}m ${total % 60}s`
}

/** 'sisa 1 mnt 20 dtk'; above an hour nobody needs the seconds. */
export function formatTimeLeft(seconds: number): string {
  const total = Math.max(1, Math.ceil(seconds))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  if (hours > 0) return `sisa ${hours} jam ${minutes} mnt`
  return minutes > 0 ? `sisa ${minutes} mnt ${total % 60} dtk` : `sisa ${total} dtk`
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
