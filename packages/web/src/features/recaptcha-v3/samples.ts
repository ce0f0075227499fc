import type { Platform } from '@siarin/contracts/platforms'
import clip from './sample.mp4'

/** The specification wants sample data here: nothing of it is on air. */
export interface SampleVideo {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly size: number
  /** In seconds. */
  readonly duration: number
}

export interface SampleStream {
  readonly id: string
  readonly platform: Platform
  readonly title: string
  readonly source: string
  readonly startedAt: string
  readonly duration: number
}

export const SAMPLE_VIDEOS: readonly SampleVideo[] = [
  { id: 1, title: 'Musik santai sore', url: clip, size: 734_003_200, duration: 3600 },
  { id: 2, title: 'Kelas memasak rendang', url: clip, size: 1_288_490_189, duration: 5415 },
  { id: 3, title: 'Jalan pagi di Malioboro', url: clip, size: 524_288_000, duration: 2710 },
]

export const SAMPLE_STREAMS: readonly SampleStream[] = [
  {
    id: 'contoh-1001',
    platform: 'youtube',
    title: 'Musik belajar 24 jam',
    source: clip,
    startedAt: '2026-01-05T12:30:00.000Z',
    duration: 86_400,
  },
  {
    id: 'contoh-1002',
    platform: 'facebook',
    title: 'Katalog toko batik',
    source: clip,
    startedAt: '2026-01-06T02:15:00.000Z',
    duration: 43_200,
  },
]
