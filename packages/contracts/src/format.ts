const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const
const twoDecimals = new Intl.NumberFormat('id-ID', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 })

/** Sizes as the specification has them: base 1024, two decimals, written the Indonesian way. */
export function formatBytes(sizeBytes: number): string {
  if (!Number.isFinite(sizeBytes) || sizeBytes <= 0) return '0 Bytes'
  const step = Math.min(Math.floor(Math.log2(sizeBytes) / 10), UNITS.length - 1)
  if (step <= 0) return `${whole.format(sizeBytes)} Bytes`
  return `${twoDecimals.format(sizeBytes / 1024 ** step)} ${UNITS[step]}`
}
