import { Readable } from 'node:stream'
import { joinArgs, joinedListLines } from '@siarin/media/argv/recording'
import { cachedClip } from '@siarin/testkit/clips'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { createMake } from '../src/modules/recordings/make.ts'

const make = createMake({ ffmpegPath: 'ffmpeg', log: pino({ level: 'silent' }) })
const args = joinArgs({ input: 'list', format: 'mp4', clock: 0, seconds: null, isAdts: false })

async function bytesOf(paths: readonly string[]): Promise<number> {
  const files = paths.map((path) => ({ path, inpoint: null, outpoint: null, seconds: 4 }))
  const input = Readable.from(joinedListLines(files))
  let bytes = 0
  for await (const chunk of make(args, {
    input,
    priority: 'normal',
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  }))
    bytes += chunk.length
  return bytes
}

describe('[REC-03] a file that is put together', { timeout: 120_000 }, () => {
  it('fails where one of its videos goes meanwhile, and never ends early as if it were whole', async () => {
    const clip = await cachedClip('satu.mp4', { seconds: 4 })
    expect(await bytesOf([clip, clip])).toBeGreaterThan(10_000)
    await expect(bytesOf([clip, `${clip}.gone`])).rejects.toThrow('could not put a recording together')
  })
})
