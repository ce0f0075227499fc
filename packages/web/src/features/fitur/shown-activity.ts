import type { ActivityEntry, ActivityStatus } from '@siarin/contracts/activity'
import { deviceWords } from '@siarin/contracts/device-words'

export interface ShownEntry {
  readonly id: string
  readonly text: string
  /** What it was about, or who it was; null: nothing more is known. */
  readonly detail: string | null
  readonly status: ActivityStatus
  /** Null: an example, which never happened. */
  readonly at: string | null
}

const FEWEST = 5

const example = (text: string, status: ActivityStatus): ShownEntry => ({
  id: `contoh-${text}`,
  text,
  detail: null,
  status,
  at: null,
})

/** The specification's own entries: they fill the list of somebody who has not done much yet. */
const EXAMPLES: readonly ShownEntry[] = [
  example('Profil diperbarui', 'Berhasil'),
  example('Login gagal dari perangkat tak dikenal', 'Gagal'),
  example('Password diganti', 'Berhasil'),
  example('Menunggu konfirmasi email', 'Pending'),
  example('Membuka halaman Live', 'Berhasil'),
]

const visitorWords = (device: string | null, address: string | null): string | null =>
  [device !== null && deviceWords(device), address].filter(Boolean).join(' · ') || null

const toShown = ({ id, text, detail, status, at, device, address }: ActivityEntry): ShownEntry => ({
  id,
  text,
  detail: detail ?? visitorWords(device, address),
  status,
  at,
})

/** What really happened and, below five, examples that say that they are such. */
export function shownActivity(entries: readonly ActivityEntry[]): ShownEntry[] {
  const happened = entries.map(toShown)
  return [...happened, ...EXAMPLES.slice(0, Math.max(0, FEWEST - happened.length))]
}
