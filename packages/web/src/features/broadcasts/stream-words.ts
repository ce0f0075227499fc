import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import type { EndedStream, StreamIncident, StreamPhase } from '@siarin/contracts/streams'
import { formatNumber, formatPercent, formatSpan } from '../../lib/format.ts'
import type { StreamRowData } from './api/active-streams.ts'

/** A stream's state in a word. */
export const PHASE_WORDS: Record<StreamPhase, string> = {
  queued: 'Antre',
  starting: 'Memulai',
  live: 'Tayang',
  waiting: 'Menyambung ulang',
  stopping: 'Menghentikan',
  ended: 'Selesai',
}

/** 'Terputus: …' where the reason is known, else the word alone. */
const because = (words: string, reason: string | null): string => (reason ? `${words}: ${reason}` : words)

/** Its owner has set the end beforehand: that is no trouble. */
export const isAsPlanned = (reason: string | null): boolean => reason === STREAM_REASON_TEXTS['schedule-ended']

/** A line of the timeline; `ended`: how the stream did, which its last line alone does not tell. */
export function incidentWords(
  { kind, reason, offAirSeconds }: StreamIncident,
  ended: EndedStream['ended'] = 'failed',
): string {
  switch (kind) {
    case 'asked':
      return 'Siaran diminta'
    case 'live':
      return 'Tayang'
    case 'lost':
      return because('Terputus', reason)
    case 'back':
      return offAirSeconds === null ? 'Tayang lagi' : `Tayang lagi setelah ${formatSpan(offAirSeconds)}`
    case 'swapped':
      return because('Video diganti', reason)
    case 'renewed':
      return reason ?? 'Sesi diperbarui'
    case 'fallback':
      return 'Sumber terputus; video cadangan tayang'
    case 'source-back':
      return 'Sumber kembali'
    case 'passed-over':
      return because('Item playlist dilewati', reason)
    case 'stop-asked':
      return 'Diminta berhenti'
    case 'ended':
      if (!reason) return 'Selesai'
      return `${endWord({ ended, reason })}: ${reason}`
    default:
      // A server newer than this page may know more.
      return because(kind, reason)
  }
}

/** What is sent, as its owner calls it; a server of the same API may know the source only. */
export const sourceWords = ({ sourceName, source }: Pick<StreamRowData, 'sourceName' | 'source'>): string =>
  sourceName || source || ''

/** Where it goes, as its owner calls it. */
export const targetWords = ({ targetName, platform = 'lain' }: StreamRowData): string =>
  targetName || PLATFORM_FACTS[platform]?.label || platform

/** Each try of an outage is a start of its own for the server; to the person it is all one reconnecting. */
export const shownPhase = ({ state, restarts = 0 }: StreamRowData): StreamPhase | undefined =>
  state === 'starting' && restarts > 0 ? 'waiting' : state

/** How it ended, in a word. Who stops their own gives no reason, and a schedule is its owner's as well: else it was the plan's end or the administrator. */
export function endWord({
  ended,
  reason,
  restored = false,
}: Pick<EndedStream, 'ended' | 'reason'> & Partial<Pick<EndedStream, 'restored'>>):
  | 'Gagal'
  | 'Dipulihkan'
  | 'Dihentikan'
  | 'Selesai' {
  if (restored) return 'Dipulihkan'
  if (ended === 'failed') return 'Gagal'
  return reason && !isAsPlanned(reason) ? 'Dihentikan' : 'Selesai'
}

/** 'Tayang 3 jam 12 menit, 99,8% dari waktu siaran' */
export const onAirWords = ({ onAirSeconds, onAirPercent }: EndedStream): string =>
  onAirSeconds > 0
    ? `Tayang ${formatSpan(onAirSeconds)}, ${formatPercent(onAirPercent)} dari waktu siaran`
    : 'Tidak sempat tayang'

/** 'tersambung ulang 2 kali'; null while it was never interrupted. */
export const reconnectWords = ({ reconnects = 0 }: StreamRowData): string | null =>
  reconnects > 0 ? `tersambung ulang ${formatNumber(reconnects)} kali` : null

/** 'mencoba lagi dalam 3 detik' */
export function nextTryWords(nextTryAt: string | null | undefined, nowMs: number): string | null {
  const at = nextTryAt ? Date.parse(nextTryAt) : Number.NaN
  if (Number.isNaN(at)) return null
  const seconds = Math.ceil((at - nowMs) / 1000)
  return seconds > 0 ? `mencoba lagi dalam ${formatSpan(seconds)}` : 'mencoba lagi sekarang'
}
