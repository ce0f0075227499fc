import type { AlertChannelKind } from '@siarin/contracts/alert-kinds'
import { ALERT_CHANNEL_LABELS } from '@siarin/contracts/alert-texts'
import type { AlertChannel, AlertChannelState } from '@siarin/contracts/alerts'
import type { BadgeTone } from '../../components/badge.tsx'
import { agoWords } from './alert-words.ts'

export const CHANNEL_LEADS: Record<AlertChannelKind, string> = {
  telegram: 'Pesan dari bot, ke chat pribadi atau grup.',
  discord: 'Pesan ke salah satu kanal server Discord Anda.',
  push: 'Muncul di perangkat ini, juga saat halaman ini tertutup.',
  email: 'Ke alamat email akun Anda.',
}

/** Red is on air and nothing else: what is gone is amber. */
export const CHANNEL_STATES: Record<AlertChannelState, readonly [label: string, tone: BadgeTone]> = {
  on: ['Aktif', 'accent'],
  off: ['Nonaktif', 'neutral'],
  gone: ['Terputus', 'warn'],
}

/** Where nobody gave it a name, it is known by where it goes: several are called like their kind. */
export const channelTitle = ({ kind, name, hint }: AlertChannel): string =>
  name === ALERT_CHANNEL_LABELS[kind] && hint !== '' ? hint : name

const GONE = 'Salurannya sudah tidak ada di sana. Hubungkan lagi, atau hapus.'

/** Why we switched it off, and what to do; null: it is as its owner wants it. */
export const stateNote = ({ state, stateReason }: AlertChannel): string | null =>
  state === 'gone' ? (stateReason ?? GONE) : null

/** 'Pesan terakhir sampai 5 menit lalu.' */
export function lastNote({ state, last, waiting }: AlertChannel, nowMs: number): string {
  const rest = waiting > 0 ? ` ${waiting} pesan menunggu.` : ''
  if (!last) return `Belum ada pesan.${rest}`
  const when = agoWords(last.at, nowMs)
  if (last.ok) return `Pesan terakhir sampai ${when}.${rest}`
  // Why it is gone says the same above.
  const answer = state === 'gone' || last.answer === '' ? '' : `: ${last.answer}`
  return `Pesan terakhir gagal ${when}${/[.!?…]$/.test(answer) ? answer : `${answer}.`}${rest}`
}
