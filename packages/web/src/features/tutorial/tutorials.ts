import accountsFacts from './videos/accounts-and-api-key.json'
import accountsVideo from './videos/accounts-and-api-key.mp4'
import accountsCaptions from './videos/accounts-and-api-key.vtt'
import accountsPoster from './videos/accounts-and-api-key.webp'
import firstFacts from './videos/first-broadcast.json'
import firstVideo from './videos/first-broadcast.mp4'
import firstCaptions from './videos/first-broadcast.vtt'
import firstPoster from './videos/first-broadcast.webp'
import preparingFacts from './videos/preparing-video.json'
import preparingVideo from './videos/preparing-video.mp4'
import preparingCaptions from './videos/preparing-video.vtt'
import preparingPoster from './videos/preparing-video.webp'

export interface Tutorial {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly date: string
  readonly embedUrl: string
  readonly poster: string
  readonly captions: string
  readonly seconds: number
  /** What is shown from when on, as the recording noted it. */
  readonly steps: readonly { readonly atSeconds: number; readonly text: string }[]
}

/** `npm run tutorials` records the videos anew, with their steps, captions and posters. */
export const TUTORIALS: readonly Tutorial[] = [
  {
    id: 'siaran-pertama',
    title: 'Siaran pertama, dari akun baru sampai tayang',
    description: 'Buat akun, upload satu video, tempel stream key, dan tekan Go Live.',
    date: '2026-11-15',
    embedUrl: firstVideo,
    poster: firstPoster,
    captions: firstCaptions,
    ...firstFacts,
  },
  {
    id: 'menyiapkan-video',
    title: 'Menyiapkan video, dari file mana pun',
    description: 'Rekaman lama, video dari internet, dan ruang penyimpanan Anda.',
    date: '2026-11-15',
    embedUrl: preparingVideo,
    poster: preparingPoster,
    captions: preparingCaptions,
    ...preparingFacts,
  },
  {
    id: 'akun-dan-api-key',
    title: 'Akun platform dan API key',
    description: 'Hubungkan akun TikTok, ambil API key, dan temukan contoh perintahnya.',
    date: '2026-11-15',
    embedUrl: accountsVideo,
    poster: accountsPoster,
    captions: accountsCaptions,
    ...accountsFacts,
  },
]
