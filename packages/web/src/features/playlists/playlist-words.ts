import type { Playlist, PlaylistAlike, PlaylistHead, PlaylistItem } from '@siarin/contracts/playlists'
import { formatAbout, formatNumber, formatShortBytes, formatSpan } from '../../lib/format.ts'
import { isUnderWay } from '../library/api/videos.ts'
import { renditionWords } from '../library/video-facts.ts'

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
export function fitWords({ status, fits, rendition }: PlaylistItem): FitWords | null {
  if (status === 'failed') return { text: 'Video ini gagal disiapkan. Keluarkan dari playlist.', warns: true }
  if (status === 'processing') {
    return { text: 'Masih disiapkan. Playlist bisa disiarkan setelah video ini siap.', warns: false }
  }
  if (rendition && isUnderWay(rendition))
    return { text: `Menyamakan format: ${renditionWords(rendition, '')}`, warns: false }
  if (rendition?.state === 'failed')
    return { text: `Formatnya gagal disamakan. ${rendition.reason ?? ''}`, warns: true }
  // That it joins the others without a gap is what everybody expects.
  if (fits !== false) return null
  return {
    text: 'Formatnya berbeda dari kebanyakan video di sini: siaran tersambung ulang sekitar 1 detik sebelum dan sesudahnya.',
    warns: true,
  }
}

const unlikeCount = ({ items }: Playlist): number =>
  new Set(items.filter(({ fits }) => fits === false).map(({ filename }) => filename)).size

/** Why more of them are made than differ; empty where that is not so. */
export const whyAllWords = (playlist: Playlist, { missing }: PlaylistAlike): string =>
  missing > unlikeCount(playlist) ? 'Semua video dibuat dalam satu format yang sama. ' : ''

/** '3 video berbeda format: ada jeda singkat saat berganti.' */
export function unlikeWords(playlist: Playlist): string {
  return `${formatNumber(unlikeCount(playlist))} video berbeda format: ada jeda singkat saat berganti.`
}

/** 'Kira-kira 6 menit dan 120 MB untuk 3 video.' */
export function alikeCost({ missing, seconds, bytes }: PlaylistAlike): string {
  const about = formatAbout(seconds)
  return `${about[0]?.toUpperCase()}${about.slice(1)} dan ${formatShortBytes(bytes)} untuk ${formatNumber(missing)} video.`
}
