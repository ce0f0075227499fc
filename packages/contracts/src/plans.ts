import type { BrandingLevel } from './branding.ts'

/** What is sold. One table for the price list, the profile and the server that holds everyone to it. */
export const PLAN_IDS = ['free-trial', 'starter', 'creator-pro', 'business'] as const
export type PlanId = (typeof PLAN_IDS)[number]

export interface PlanLimits {
  readonly concurrentStreams: number
  /** Nothing above goes on air. */
  readonly maxHeight: number
  readonly maxFps: number
  /** Room for the person's videos, in units of 1024³ bytes. */
  readonly storageGb: number
  /** The most that may have to be re-encoded of one video, in hours of 1080p at 30 pictures a second: meanwhile others wait. */
  readonly makingHours: number
  /** How long recordings are kept. */
  readonly recordingDays: number
  /** none; automatic: once or daily, one time a day; advanced: chosen weekdays and several times a day as well. */
  readonly schedule: 'none' | 'automatic' | 'advanced'
  readonly analytics: 'basic' | 'full' | 'advanced' | 'business'
  /** What of one's own may stand on the picture. Nothing of ours ever does. */
  readonly branding: BrandingLevel
  /** Calls of other programs; those of the page itself are not counted. */
  readonly apiRequestsPerMinute: number
  /** Addresses that are told what happens. */
  readonly webhooks: number
}

export interface Plan {
  readonly id: PlanId
  readonly name: string
  /** Rupiah a month; the trial costs nothing for as long as TRIAL_DAYS says. */
  readonly price: number
  readonly originalPrice: number | null
  readonly badge: string | null
  readonly popular: boolean
  readonly description: string
  readonly recommendedFor: string
  readonly limits: PlanLimits
  /** What it has beyond its limits, in words. */
  readonly extras: readonly string[]
}

export const PLANS: readonly Plan[] = [
  {
    id: 'free-trial',
    name: 'Free Trial',
    price: 0,
    originalPrice: null,
    badge: null,
    popular: false,
    description: 'Siaran sungguhan, bukan demo.',
    recommendedFor: 'Anda yang ingin mencoba siaran pertama',
    limits: {
      concurrentStreams: 1,
      maxHeight: 720,
      maxFps: 30,
      storageGb: 5,
      makingHours: 6,
      recordingDays: 1,
      schedule: 'none',
      analytics: 'basic',
      branding: 'none',
      apiRequestsPerMinute: 60,
      webhooks: 0,
    },
    extras: ['Dukungan lewat email', 'Analitik dasar'],
  },
  {
    id: 'starter',
    name: 'Starter',
    price: 49_000,
    originalPrice: 75_000,
    badge: 'HEMAT 35%',
    popular: false,
    description: 'Satu kanal yang tayang terus.',
    recommendedFor: 'kreator yang baru mulai siaran 24 jam',
    limits: {
      concurrentStreams: 3,
      maxHeight: 1080,
      maxFps: 30,
      storageGb: 20,
      makingHours: 48,
      recordingDays: 7,
      schedule: 'none',
      analytics: 'full',
      branding: 'logo',
      apiRequestsPerMinute: 120,
      webhooks: 0,
    },
    extras: ['Dukungan prioritas', 'Analitik lengkap', 'Watermark sendiri'],
  },
  {
    id: 'creator-pro',
    name: 'Creator Pro',
    price: 99_000,
    originalPrice: 150_000,
    badge: 'TERLARIS',
    popular: true,
    description: 'Beberapa kanal, berjalan sendiri.',
    recommendedFor: 'kreator dengan beberapa kanal dan platform',
    limits: {
      concurrentStreams: 6,
      maxHeight: 1080,
      maxFps: 60,
      storageGb: 60,
      makingHours: 96,
      recordingDays: 30,
      schedule: 'automatic',
      analytics: 'advanced',
      branding: 'full',
      apiRequestsPerMinute: 300,
      webhooks: 5,
    },
    extras: [
      'Dukungan prioritas 24/7',
      'Siaran terjadwal otomatis',
      'Analitik real-time lanjutan',
      'Branding sendiri penuh',
      'Integrasi API dasar',
      'Moderasi chat dengan AI',
    ],
  },
  {
    id: 'business',
    name: 'Business',
    price: 169_000,
    originalPrice: 225_000,
    badge: 'HEMAT 25%',
    popular: false,
    description: 'Banyak kanal, satu tim.',
    recommendedFor: 'agensi, brand, dan stasiun siaran',
    limits: {
      concurrentStreams: 10,
      maxHeight: 2160,
      maxFps: 60,
      storageGb: 200,
      makingHours: 192,
      recordingDays: 365,
      schedule: 'advanced',
      analytics: 'business',
      branding: 'full',
      apiRequestsPerMinute: 1200,
      webhooks: 20,
    },
    extras: [
      'Dukungan khusus 24/7',
      'Akses API penuh',
      'White label',
      'Akses banyak pengguna',
      'Penjadwalan lanjutan',
      'Analitik dan laporan bisnis',
    ],
  },
]

export const planName = (id: PlanId): string => PLANS.find((plan) => plan.id === id)?.name ?? id

const resolution = ({ maxHeight, maxFps }: PlanLimits): string => {
  if (maxHeight >= 2160) return '4K'
  return maxFps > 30 ? `${maxHeight}p ${maxFps}fps` : `${maxHeight}p`
}

/** How long recordings are kept. */
export const recordingWords = ({ recordingDays }: PlanLimits): string => {
  if (recordingDays >= 365) return '1 tahun'
  return recordingDays === 1 ? '24 jam' : `${recordingDays} hari`
}

export const planOf = (id: PlanId): Plan => {
  const plan = PLANS.find((each) => each.id === id)
  if (!plan) throw new Error(`there is no plan ${id}`)
  return plan
}

/** The one with the next higher limits; null: there is none. */
export const nextPlan = (id: PlanId): Plan | null => PLANS[PLAN_IDS.indexOf(id) + 1] ?? null

export const resolutionWords = resolution

/** All that a plan has, a line each; its limits first. */
export const planFeatures = ({ limits, extras }: Plan): string[] => [
  `${limits.concurrentStreams} siaran bersamaan`,
  `Hingga ${resolution(limits)}`,
  `Rekaman disimpan ${recordingWords(limits)}`,
  `Ruang video ${limits.storageGb} GB`,
  ...extras,
]
