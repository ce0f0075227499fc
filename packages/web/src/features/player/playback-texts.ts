import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import type { MessageTone } from '../../lib/message.ts'
import type { PlaybackTrouble } from './playback.ts'

/** What the person is told, and how. */
export const PLAYBACK_TEXTS: Record<
  PlaybackTrouble | 'no-player',
  { readonly text: string; readonly tone: MessageTone }
> = {
  'autoplay-blocked': { text: 'Klik play untuk memulai video.', tone: 'info' },
  failed: { text: 'Gagal memuat streaming. Coba lagi.', tone: 'error' },
  'hls-unsupported': { text: 'Browser tidak mendukung HLS.', tone: 'error' },
  'hls-reconnecting': { text: 'Sumber online terputus, menyambung ulang…', tone: 'error' },
  'hls-failed': { text: 'Gagal memuat streaming HLS.', tone: 'error' },
  'preview-ended': { text: ONLINE_TEXTS.previewEnded, tone: 'error' },
  'no-player': { text: 'Player tidak tersedia.', tone: 'error' },
}
