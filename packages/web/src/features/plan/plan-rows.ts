import { type Plan, type PlanLimits, recordingWords, resolutionWords } from '@siarin/contracts/plans'
import { formatNumber } from '../../lib/format.ts'

interface PlanRow {
  readonly name: string
  /** Null: the plan does not have it. */
  readonly of: (limits: PlanLimits) => string | null
}

const SCHEDULES: Record<PlanLimits['schedule'], string | null> = {
  none: null,
  automatic: 'Otomatis',
  advanced: 'Otomatis dan berulang',
}
const ANALYTICS: Record<PlanLimits['analytics'], string> = {
  basic: 'Dasar',
  full: 'Lengkap',
  advanced: 'Lanjutan',
  business: 'Bisnis',
}
const BRANDING: Record<PlanLimits['branding'], string | null> = {
  none: null,
  logo: 'Logo',
  full: 'Penuh',
}

const PLAN_ROWS: readonly PlanRow[] = [
  { name: 'Siaran bersamaan', of: ({ concurrentStreams }) => formatNumber(concurrentStreams) },
  { name: 'Resolusi tertinggi', of: resolutionWords },
  { name: 'Ruang video', of: ({ storageGb }) => `${formatNumber(storageGb)} GB` },
  { name: 'Rekaman disimpan', of: recordingWords },
  { name: 'Siaran terjadwal', of: ({ schedule }) => SCHEDULES[schedule] },
  { name: 'Analitik', of: ({ analytics }) => ANALYTICS[analytics] },
  { name: 'Logo dan branding sendiri', of: ({ branding }) => BRANDING[branding] },
  { name: 'Permintaan API per menit', of: ({ apiRequestsPerMinute }) => formatNumber(apiRequestsPerMinute) },
  { name: 'Webhook', of: ({ webhooks }) => (webhooks > 0 ? formatNumber(webhooks) : null) },
]

/** What can be compared, a row each; the values stand in the order of the plans. */
export const comparisonRows = (plans: readonly Plan[]): { name: string; values: (string | null)[] }[] =>
  PLAN_ROWS.map(({ name, of }) => ({ name, values: plans.map(({ limits }) => of(limits)) }))
