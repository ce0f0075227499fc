import type { AnalyticsSummary, Incident, LiveHealth } from '@siarin/contracts/analytics'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import type { BadgeTone } from '../../components/badge.tsx'
import { formatNumber, formatSpan } from '../../lib/format.ts'

const oneDecimal = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 })
const twoDecimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

/** '123,4 jam', and '12 menit 5 detik' below one: there a part of a minute is a part that counts. */
export function hoursWords(seconds: number): string {
  const total = Math.round(seconds)
  return total >= 3600 ? `${oneDecimal.format(total / 3600)} jam` : formatSpan(total)
}

/** '99,98%'. Cut, not rounded: 100% means that nothing was missing. */
export const shareWords = (percent: number | null): string =>
  percent === null ? '–' : `${twoDecimals.format(Math.floor(percent * 100 + 1e-6) / 100)}%`

/** 'Kanal utama (YouTube)', 'YouTube' */
export function targetWords({ platform, targetName }: { platform: Platform; targetName: string | null }): string {
  const { label } = PLATFORM_FACTS[platform]
  return targetName ? `${targetName} (${label})` : label
}

export const titleWords = (title: string): string => title || 'Tanpa nama'

/** 'masih berlangsung', 'tayang lagi setelah 12 detik' */
export function outcomeWords({ outcome, seconds }: Pick<Incident, 'outcome' | 'seconds'>): string {
  switch (outcome) {
    case 'open':
      return 'masih berlangsung'
    case 'recovered':
      return `tayang lagi setelah ${formatSpan(seconds)}`
    case 'ended':
      return `berakhir setelah ${formatSpan(seconds)}`
    case 'failed':
      return 'tidak berhasil tayang'
  }
}

type OnAirHealth = Exclude<LiveHealth, 'off'>

export const HEALTH_WORDS: Record<OnAirHealth, string> = {
  good: 'Lancar',
  weak: 'Agak lambat',
  bad: 'Tersendat',
}

export const HEALTH_TONES: Record<OnAirHealth, BadgeTone> = { good: 'accent', weak: 'warn', bad: 'warn' }

/** '30 fps', 'kecepatan 0,98x'; null: it is not known. */
export const fpsWords = (fps: number | null): string | null =>
  fps === null ? null : `${formatNumber(Math.round(fps))} fps`
export const speedWords = (speed: number | null): string | null =>
  speed === null ? null : `kecepatan ${twoDecimals.format(speed)}x`

export interface Figure {
  readonly name: string
  readonly figure: string
  readonly detail: string
  /** A broadcast that it is about; null: none. */
  readonly broadcastId: string | null
}

/** The four numbers that stand first. */
export function headFigures({ totals }: Pick<AnalyticsSummary, 'totals'>): Figure[] {
  const { onAirSeconds, wantedSeconds, onAirPercent, incidents, offAirSeconds, longestRun } = totals
  return [
    {
      name: 'Jam tayang',
      figure: hoursWords(onAirSeconds),
      detail: `dari ${hoursWords(wantedSeconds)} yang diminta`,
      broadcastId: null,
    },
    {
      name: 'Persen tayang',
      figure: shareWords(onAirPercent),
      detail: onAirPercent === null ? 'belum ada siaran' : 'dari waktu yang diminta',
      broadcastId: null,
    },
    {
      name: 'Gangguan',
      figure: formatNumber(incidents),
      detail: offAirSeconds > 0 ? `total ${formatSpan(offAirSeconds)}` : 'tidak ada yang terputus',
      broadcastId: null,
    },
    {
      name: 'Tayang terlama',
      figure: longestRun ? hoursWords(longestRun.seconds) : '–',
      detail: longestRun ? titleWords(longestRun.title) : 'belum ada siaran',
      broadcastId: longestRun?.broadcastId ?? null,
    },
  ]
}
