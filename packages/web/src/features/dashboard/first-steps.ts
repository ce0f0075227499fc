import type { Video } from '@siarin/contracts/videos'
import { stateWords } from '../library/video-facts.ts'

export interface Step {
  readonly title: string
  readonly text: string
  readonly done: boolean
}

const newestWork = (videos: readonly Video[]): Video | undefined =>
  videos.find(({ status }) => status === 'processing') ?? videos.find(({ status }) => status === 'failed')

/** What the second step waits for, as far as it is known. */
function waitingText(videos: readonly Video[]): string {
  const video = newestWork(videos)
  if (video?.status === 'failed') return 'Video gagal disiapkan. Buka Live untuk melihat sebabnya.'
  const words = video && stateWords(video)
  return words
    ? `${words}: ${video.filename}`
    : 'Kami memeriksa dan menyiapkan video Anda supaya putarannya tidak tersendat.'
}

/** The way of somebody who has never been on air. */
export function firstSteps(videos: readonly Video[]): Step[] {
  const ready = videos.some(({ status }) => status === 'ready')
  return [
    {
      title: 'Upload video',
      text: 'Pilih satu video dari perangkat Anda, atau ambil dari alamat web.',
      done: videos.length > 0,
    },
    {
      title: 'Tunggu sampai siap',
      text: ready ? 'Video Anda siap disiarkan.' : waitingText(videos),
      done: ready,
    },
    {
      title: 'Tekan Go Live',
      text: 'Pilih platform, tempel stream key, dan siaran berputar tanpa henti.',
      done: false,
    },
  ]
}
