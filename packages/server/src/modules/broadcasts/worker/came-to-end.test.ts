import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initialState } from '@siarin/media/stream-state'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastWordsIn } from '../sender/broadcast-process.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import { cameToEnd } from './came-to-end.ts'

const VIDEO_MS = 60_000
const LIVE = JSON.stringify({ ...initialState, at: 'live', accepted: true, sinceMs: Date.now() - VIDEO_MS })
const ROW = {
  ...{ source_kind: 'video', looping: 0, position_item_id: null, video_id: 'v', next_video_id: null },
  ...{ position_from_ms: 0, state: LIVE },
} as StreamRow

let folder: TempDir
beforeEach(async () => {
  folder = await tempDir('left')
})
afterEach(() => folder.remove())

/** What an ffmpeg left behind that ended while no program was there. */
async function left({ outMs = VIDEO_MS - 40, progress = 'end', errors = '' } = {}) {
  const directory = join(folder.path, 's')
  await mkdir(directory, { recursive: true })
  const words = `frame=9\nfps=25\nbitrate=800.0kbits/s\ntotal_size=1\nout_time_us=${outMs * 1000}\nspeed=1x\n`
  await writeFile(join(directory, 'progress'), `${words}progress=${progress}\n`)
  await writeFile(join(directory, 'errors'), errors)
  return lastWordsIn(directory)
}

const judge = async (row: Partial<StreamRow> = {}, words: Parameters<typeof left>[0] = {}, durationMs = VIDEO_MS) =>
  cameToEnd({ ...ROW, ...row }, await left(words), { findById: async () => ({ duration_ms: durationMs }) as never })

describe('a video that is played once, whose ffmpeg ended while no program was there', () => {
  it('was played to its end', async () => {
    expect(await judge()).toBe(true)
  })

  it.each([
    ['was asked to end in the middle', {}, { outMs: 30_000 }],
    ['was killed', {}, { progress: 'continue' }],
    ['complained', {}, { errors: 'rtmp://h/x: Broken pipe\n' }],
  ])('was not, where it %s', async (_, row, words) => {
    expect(await judge(row, words)).toBe(false)
  })

  it.each<[string, Partial<StreamRow>]>([
    ['a loop', { looping: 1 }],
    ['an online source', { source_kind: 'tiktok' as never }],
    ['a list', { position_item_id: 'i' }],
    ['one behind which another was asked for', { next_video_id: 'w' }],
    ['one that is not on air', { state: JSON.stringify(initialState) }],
    ['a later session', { state: JSON.stringify({ ...JSON.parse(LIVE), sinceMs: Date.now() + 60_000 }) }],
    ['one that is longer', {}],
  ])('says nothing of %s', async (name, row) => {
    expect(await judge(row, {}, name === 'one that is longer' ? 2 * VIDEO_MS : VIDEO_MS)).toBe(false)
  })

  it('has left nothing on another machine', () => {
    expect(lastWordsIn(join(folder.path, 'none'))).toBeNull()
  })
})
