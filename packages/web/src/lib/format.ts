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

/** 'sisa 1 menit 20 detik'; above an hour nobody needs the seconds. */
export function formatTimeLeft(seconds: number): string {
  const total = Math.max(1, Math.ceil(seconds))
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  if (hours > 0) return `sisa ${hours} jam ${minutes} menit`
  return minutes > 0 ? `sisa ${minutes} menit ${total % 60} detik` : `sisa ${total} detik`
}

/** 'kira-kira 6 menit': where nobody can know it better. */
export function formatAbout(seconds: number): string {
  const minutes = Math.ceil(Math.max(0, seconds) / 60)
  if (seconds < 60) return 'kurang dari 1 menit'
  if (minutes < 60) return `kira-kira ${minutes} menit`
  const rest = minutes % 60
  return `kira-kira ${Math.floor(minutes / 60)} jam${rest > 0 ? ` ${rest} menit` : ''}`
}

/** 'H:MM:SS': the clock of something that runs. */
export function formatClock(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${Math.floor(total / 3600)}:${two(Math.floor((total % 3600) / 60))}:${two(total % 60)}`
}

/** 'M:SS', and 'H:MM:SS' from an hour on: where in something that has an end. */
export const formatPosition = (seconds: number): string => formatClock(seconds).replace(/^0:0?/, '')

/** '2,3 detik', '12 menit 5 detik', '3 jam 12 menit', '4 hari 3 jam': two parts are enough for any length. */
export function formatSpan(seconds: number): string {
  if (seconds < 59.95) return `${oneDecimal.format(Math.max(0, seconds))} detik`
  const total = Math.round(seconds)
  const [days, hours, minutes] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ]
  if (days > 0) return `${days} hari ${hours} jam`
  return hours > 0 ? `${hours} jam ${minutes} menit` : `${minutes} menit ${total % 60} detik`
}

/** '2,7 Mbps', and '840 kbps' below one. */
export const formatBitrate = (kbps: number): string =>
  kbps >= 999.5 ? `${oneDecimal.format(kbps / 1000)} Mbps` : `${Math.max(0, Math.round(kbps))} kbps`

/** '99,8%' */
export const formatPercent = (percent: number): string => `${oneDecimal.format(percent)}%`

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

const calendarDay = new Intl.DateTimeFormat('id-ID', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** '15 Nov 2026' for '2026-11-15': a day of the calendar, the same one wherever it is read. */
export const formatCalendarDay = (isoDay: string): string => calendarDay.format(new Date(isoDay))

const timeOfDay = new Intl.DateTimeFormat('id-ID', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortDay = new Intl.DateTimeFormat('id-ID', { day: 'numeric', month: 'short' })

/** '15 Nov 19.30.05': a line of a timeline. */
export function formatInstant(iso: string | null | undefined): string {
  const date = read(iso)
  return date ? `${shortDay.format(date)} ${timeOfDay.format(date)}` : '–'
}

/** '15 Nov 2026 19.30 WIB' */
export function formatMoment(iso: string | null | undefined): string {
  const date = read(iso)
  return date ? `${day.format(date)} ${time.format(date)}` : '–'
}

const hourAndMinute = new Intl.DateTimeFormat('id-ID', { hour: '2-digit', minute: '2-digit' })

/** '19.30.05', and '19.30' where seconds say nothing. */
export const formatTime = (atMs: number, withSeconds = true): string =>
  (withSeconds ? timeOfDay : hourAndMinute).format(atMs)
