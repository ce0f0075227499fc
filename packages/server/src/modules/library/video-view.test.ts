import { describe, expect, it } from 'vitest'
import type { VideoRow } from './video-row.ts'
import { toVideo } from './video-view.ts'

const ROW = {
  ...{ id: 'v', user_id: 'u', filename: 'a.mp4', status: 'ready', created_at: 0, lane: null, import_url_sealed: null },
  ...{ step: null, progress: null, seconds_left: null, reason: null, warning: null, content_type: 'video/mp4' },
  ...{ original_key: 'u/v/original.mp4', original_bytes: 5_000_000, original_height: 1080, original_fps: 30 },
  ...{ duration_ms: 8000, width: 1920, height: 1080, fps: 30, video_codec: 'h264', audio_codec: 'aac' },
  ...{ master: null },
} as unknown as VideoRow
const master = {
  key: 'u/v/original.mp4',
  bytes: 0,
  contentType: 'video/mp4',
  loop: null,
  tailKey: null,
  thumbnailKey: null,
}
const bitrate = (change: Partial<VideoRow>): number | null =>
  toVideo({ ...ROW, ...change }, { maxHeight: 1080, maxFps: 60 } as Parameters<typeof toVideo>[1]).bitrate

describe('the bitrate of a video', () => {
  it('is that of the original, where that is sent', () => {
    expect(bitrate({ master })).toBe(5000)
  })

  it('is that of the original also where a tail is played behind it', () => {
    expect(bitrate({ master: { ...master, bytes: 9000, tailKey: 'u/v/tail.mp4' } })).toBe(5000)
  })

  it('is that of the master, where one was made', () => {
    expect(bitrate({ master: { ...master, key: 'u/v/master.mp4', bytes: 1_000_000 } })).toBe(1000)
  })

  it.each([
    ['before it is ready', { status: 'processing', master }],
    ['without a master', {}],
    ['without a length', { master, duration_ms: null }],
  ])('is not known %s', (_, change) => {
    expect(bitrate(change)).toBeNull()
  })
})
