import type { SwitchableKind } from '@siarin/contracts/alerts'
import { formatMoment } from '../../lib/format.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 'baru saja', '5 menit lalu', '3 jam lalu', and the date from a day on. A clock that is behind sees things of the future. */
export function agoWords(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < MINUTE_MS) return 'baru saja'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} menit lalu`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} jam lalu`
  return formatMoment(iso)
}

const MOST_SHOWN = 99

/** On the bell: '99+' above what has room. */
export const countWords = (unread: number): string => (unread > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unread))

export const bellLabel = (unread: number): string =>
  unread === 0 ? 'Notifikasi' : `Notifikasi, ${countWords(unread)} belum dibaca`

/** What can be told, beside its name, for who chooses. */
export const KIND_DETAILS: Record<SwitchableKind, string> = {
  'stream.failed': 'Platform tidak pernah menerimanya, jadi kami berhenti mencoba.',
  'stream.offair': 'Tidak tayang lebih lama dari batas di bawah.',
  'stream.back': 'Sesudah terputus, beserta berapa lamanya.',
  'stream.flapping': 'Melebihi batas per jam di bawah.',
  'schedule.missed': 'Server tidak menyala saat waktunya tiba.',
  'schedule.failed': 'Waktunya habis sebelum siaran bisa dimulai.',
  'schedule.blocked': 'Terlihat sebelum waktunya, selagi bisa diperbaiki.',
  'video.failed': 'Tidak bisa disiarkan sebelum diperbaiki.',
  'room.low': 'Penyimpanan paket Anda hampir terpakai semua.',
  'recording.expiring': 'Selagi masih bisa diunduh.',
  'plan.ending': 'Beberapa hari sebelumnya, dan di hari terakhir.',
  'plan.ended': 'Siaran berhenti sampai paket diperpanjang.',
}

/** What can be chosen. */
export const KIND_GROUPS: readonly { readonly label: string; readonly kinds: readonly SwitchableKind[] }[] = [
  { label: 'Siaran', kinds: ['stream.failed', 'stream.offair', 'stream.back', 'stream.flapping'] },
  { label: 'Jadwal', kinds: ['schedule.missed', 'schedule.failed', 'schedule.blocked'] },
  { label: 'Video dan ruang', kinds: ['video.failed', 'room.low', 'recording.expiring'] },
  { label: 'Paket', kinds: ['plan.ending', 'plan.ended'] },
]
