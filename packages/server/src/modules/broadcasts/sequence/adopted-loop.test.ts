import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adoptedLoop } from './adopted-loop.ts'
import type { Clip } from './clips.ts'

const PASS_MS = 10_000
const clipOf = (videoId: string): Clip => ({
  ...{ videoId, filename: `${videoId}.mp4`, path: `/${videoId}`, durationMs: PASS_MS, bytes: 1, loop: null },
})
const entryOf = (videoId: string) => ({ clip: clipOf(videoId), place: null })

function createStage(row: { next_video_id: string | null; sent_ms: number }) {
  const held: Clip[] = []
  const clips = {
    async find(videoId: string | null): Promise<Clip> {
      if (!videoId || videoId === 'gone') throw new Error('it is gone')
      const clip = clipOf(videoId)
      held.push(clip)
      return clip
    },
    durationOf: () => PASS_MS,
    release: (clip: Clip) => void held.splice(held.indexOf(clip), 1),
  }
  const adopt = (left: { fromMs: number; outTimeMs: number; reads: string | null; told: readonly string[] }) =>
    adoptedLoop(
      { row: { video_id: 'a', position_recipe: null, ...row }, clips },
      { ...left, reads: left.reads === null ? null : entryOf(left.reads), told: left.told.map(entryOf) },
    )
  return { adopt, held }
}

describe('a loop that ran on while no program was there', () => {
  it('plays what its ffmpeg has open, from the end of the pass that played when its row was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(PASS_MS - 1), fc.nat(100_000), fc.nat(100_000), async (fromMs, sentMs, awayMs) => {
        const { adopt, held } = createStage({ next_video_id: 'b', sent_ms: sentMs })
        const joinMs = PASS_MS - ((fromMs + sentMs) % PASS_MS) + sentMs
        const outTimeMs = joinMs - 1_000 + awayMs
        const found = await adopt({ fromMs, outTimeMs, reads: 'b', told: ['b', 'b'] })
        expect(found).toMatchObject({ clip: { videoId: 'b' }, fromMs: -joinMs, isSwapped: true, asked: null })
        expect(held).toEqual([found.clip])
      }),
    )
  })

  it.each([['a'], [null]])(
    'still plays its own, and what was asked for is still to come, where it reads %s',
    async (reads) => {
      const { adopt, held } = createStage({ next_video_id: 'b', sent_ms: 3_000 })
      const found = await adopt({ fromMs: 2_000, outTimeMs: 5_000, reads, told: ['b', 'b'] })
      expect(found).toMatchObject({ clip: { videoId: 'a' }, fromMs: 2_000, isSwapped: false, asked: { videoId: 'b' } })
      expect(held).toEqual([found.clip, found.asked])
    },
  )

  it('plays its own where nobody asks for what its slots have, or that is gone', async () => {
    for (const [next, told] of [
      [null, 'b'],
      ['gone', 'gone'],
      ['b', 'a'],
    ] as const) {
      const { adopt } = createStage({ next_video_id: next, sent_ms: 0 })
      const found = await adopt({ fromMs: 0, outTimeMs: 5_000, reads: 'a', told: [told, told] })
      expect(found).toMatchObject({ clip: { videoId: 'a' }, isSwapped: false, asked: null })
    }
  })
})
