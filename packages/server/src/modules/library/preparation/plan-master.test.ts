import type { KeyframeFacts } from '@siarin/media/parse/keyframes'
import { expect, it } from 'vitest'
import type { UsableProbe } from '../inspect-video.ts'
import { createMasterPlanner } from './plan-master.ts'

const HOUR = 3600

/** What a plan of so many hours says to such an original. */
async function planned(
  hours: number,
  [width, height, fps, durationSeconds]: [number, number, number, number],
  kind = 'full',
) {
  const rate = `${fps}/1`
  const video = {
    ...{ index: 0, codec: 'hevc', width, height, durationSeconds, startSeconds: 0, timescale: 15360, packets: null },
    ...{ rFrameRate: rate, avgFrameRate: rate, fieldOrder: 'progressive', transfer: null, matrix: null, rotation: 0 },
  }
  const probe = { durationSeconds, startSeconds: 0, audio: null, audioTrack: 0, video } as unknown as UsableProbe
  const keyframes = { spanSeconds: durationSeconds } as KeyframeFacts
  const scanned = { keyframes, packets: fps * durationSeconds, gaveUp: false }
  const limits = { storageBytes: 5e9, maxHeight: 720, maxFps: 30, makingHours: hours }
  const plan = createMasterPlanner({ limitsOf: async () => limits })
  const needed = kind === 'full' ? { kind: 'full' as const, why: [] } : { kind: 'audio-only' as const, why: [] }
  return plan({ user_id: 'u' }, { probe, scanned }, needed).then(
    ({ plan: { picture } }) => picture.kind,
    (error) => error.reason.code,
  )
}

it.each<[string, [number, number, number, number], string]>([
  ['six hours of 1080p', [1920, 1080, 30, 6 * HOUR], 'encode'],
  ['a minute more', [1920, 1080, 30, 6 * HOUR + 60], 'too-long-for-plan'],
  ['thirteen hours of 720p', [1280, 720, 30, 13 * HOUR], 'encode'],
  ['forty minutes of 4K at 60', [3840, 2160, 60, 2400], 'encode'],
  ['a day of 4K at 60, of which nearly nothing moves', [3840, 2160, 60, 24 * HOUR], 'too-long-for-plan'],
])('a plan of six hours: %s', async (_what, original, said) => {
  expect(await planned(6, original)).toBe(said)
})

it('the day of 4K at 60 is made where no plan counts, and where its picture is copied', async () => {
  const day: [number, number, number, number] = [3840, 2160, 60, 24 * HOUR]
  expect(await planned(Number.POSITIVE_INFINITY, day)).toBe('encode')
  expect(await planned(192, day)).toBe('encode')
  expect(await planned(6, day, 'audio-only')).toBe('copy')
})
