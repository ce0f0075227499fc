import type { PlaylistHead, PlaylistItem } from '@siarin/contracts/playlists'
import { formatNumber, formatSpan } from '../../lib/format.ts'

export const playlistPath = (id: string): string => `/fitur/playlist?id=${encodeURIComponent(id)}`

/** Where a broadcast of it is begun; `itemId`: with which item. */
export const goPath = (id: string, itemId?: string): string =>
  `/fitur/live?tab=go&playlist=${encodeURIComponent(id)}${itemId ? `&item=${encodeURIComponent(itemId)}` : ''}`

/** '12 video', '48 menit 5 detik', 'Acak' */
export function playlistFacts({ count, duration, shuffle }: PlaylistHead): string[] {
  return [
    count === 0 ? 'Masih kosong' : `${formatNumber(count)} video`,
    ...(duration > 0 ? [formatSpan(duration)] : []),
    ...(shuffle ? ['Acak'] : []),
  ]
}

interface FitWords {
  readonly text: string
  readonly warns: boolean
}

/** What happens where this item joins the others. */
export function fitWords({ status, fits }: PlaylistItem): FitWords | null {
  if (status === 'failed') return { text: 'Video ini gagal disiapkan. Keluarkan dari playlist.', warns: true }
  if (status === 'processing') {
    return { text: 'Masih disiapkan. Playlist bisa disiarkan setelah video ini siap.', warns: false }
  }
  if (fits === null) return null
  if (fits) return { text: 'Menyambung tanpa jeda', warns: false }
  return {
    text: 'Formatnya berbeda dari kebanyakan video di sini: siaran tersambung ulang sekitar 1 detik sebelum dan sesudahnya.',
    warns: true,
  }
}
