import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import type { PlaybackTrouble } from './playback.ts'

/** What the person is told, and whether as an error. */
export const PLAYBACK_TEXTS: Record<PlaybackTrouble | 'no-player', { readonly text: string; readonly error: boolean }> =
  {
    'autoplay-blocked': { text: 'Klik play untuk memulai video.', error: false },
    failed: { text: 'Gagal memuat streaming. Coba lagi.', error: true },
    'hls-unsupported': { text: 'Browser tidak mendukung HLS.', error: true },
    'hls-reconnecting': { text: 'Sumber online terputus, menyambung ulang…', error: true },
    'hls-failed': { text: 'Gagal memuat streaming HLS.', error: true },
    'preview-ended': { text: ONLINE_TEXTS.previewEnded, error: true },
    'no-player': { text: 'Player tidak tersedia.', error: true },
  }
