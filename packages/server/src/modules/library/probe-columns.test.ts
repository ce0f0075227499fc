import type { VideoFacts } from '@siarin/media/parse/probe'
import { describe, expect, it } from 'vitest'
import type { UsableProbe } from './inspect-video.ts'
import { arrivalColumns, pictureColumns } from './probe-columns.ts'

const probeOf = (video: Partial<VideoFacts>, durationSeconds: number | null = 1.2345): UsableProbe =>
  ({
    formatName: 'matroska,webm',
    durationSeconds,
    video: { codec: 'h264', width: 1920, height: 1080, rotation: 0, avgFrameRate: '30000/1001', ...video },
    audio: null,
  }) as UsableProbe

describe('the columns of a picture', () => {
  it('are those of the file, rounded', () => {
    expect(pictureColumns(probeOf({}))).toEqual({
      duration_ms: 1235,
      width: 1920,
      height: 1080,
      fps: 29.97,
      video_codec: 'h264',
      audio_codec: null,
    })
  })

  it.each([90, -90, 270])('are turned with a picture that lies on its side: %i', (rotation) => {
    expect(pictureColumns(probeOf({ rotation }))).toMatchObject({ width: 1080, height: 1920 })
  })

  it.each([180, 0, null])('are not turned where it stands: %s', (rotation) => {
    expect(pictureColumns(probeOf({ rotation }))).toMatchObject({ width: 1920, height: 1080 })
  })

  it.each(['0/0', '30/0', '', null, 'x/1'])('have no rate where the file tells none: %s', (avgFrameRate) => {
    expect(pictureColumns(probeOf({ avgFrameRate })).fps).toBeNull()
  })

  it('have no length where the file tells none', () => {
    expect(pictureColumns(probeOf({}, null)).duration_ms).toBeNull()
  })
})

it('[SAFE-04] a file that is hard to look into keeps nobody waiting in the quick lane', () => {
  const laneOf = (isHard: boolean) => arrivalColumns({ ...probeOf({}), isHard }, { id: 'video', userId: 'budi' }).lane
  expect([laneOf(true), laneOf(false)]).toEqual(['long', null])
})

it('a file that arrived lies in the folder of its video, called after its container', () => {
  expect(arrivalColumns(probeOf({}), { id: 'video', userId: 'budi' })).toMatchObject({
    original_key: 'budi/video/original.mkv',
    content_type: 'video/x-matroska',
  })
})
