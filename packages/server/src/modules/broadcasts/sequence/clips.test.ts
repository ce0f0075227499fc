import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { indexBomb } from '@siarin/testkit/media-bombs'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreAwayError } from '../../../errors.ts'
import { broadcastMemory } from '../../../platform/process/limited-tool.ts'
import { type ClipLibrary, createClips } from './clips.ts'
import type { Probe } from './file-facts.ts'
import { SourceMissingError } from './source-errors.ts'

const PATH = '/media/original.mp4'
const list = { seconds: 5, startSeconds: 0, outpoint: null, bodySeconds: null }
const file = {
  ...{ contentType: 'video/mp4', loop: list, tail: null },
  bytes: 1_000 as number | null,
  head: async () => ({ bytes: 1_000, etag: 'first' }) as { bytes: number; etag: string } | null,
  pin: async () => ({ path: PATH, release: () => {} }),
}

const readable: Probe = async () => 'h264'

function clipsOf(
  status: string,
  master: object | null,
  played: object = file,
  probe = readable,
  duration_ms: number | null = 5_000,
) {
  const video = { id: 'v', filename: 'v.mp4', duration_ms, status, master }
  const library = {
    ...{ findById: async () => video, outlinesOf: async () => [video] },
    ...{ playable: async () => played, playableRendition: async () => null },
  }
  return createClips(library as unknown as ClipLibrary, 'ffprobe', probe)
}

describe('a video of a list that is still being prepared', () => {
  it.each(['processing', 'failed'])(
    'is missing while it has no master (%s): others of the list play',
    async (status) => {
      await expect(clipsOf(status, null).find('v', { asList: true })).rejects.toThrow(SourceMissingError)
    },
  )

  it.each([
    ['has a master and is made anew', 'processing', { key: 'k' }],
    ['is ready', 'ready', null],
  ])('plays where it %s', async (_how, status, master) => {
    expect(await clipsOf(status, master).find('v', { asList: true })).toMatchObject({ path: PATH })
  })
})

describe('[LIST-01] a video of a list whose file', () => {
  const whyOf = (played: object, probe = readable) =>
    clipsOf('ready', null, { ...file, ...played }, probe)
      .find('v', { asList: true })
      .then(
        () => null,
        (error) => (error instanceof SourceMissingError ? error.why : `thrown: ${error.message}`),
      )

  it('is gone, or shorter than it was made, or of no kind, is passed over, with the reason', async () => {
    const gone = {
      head: async () => null,
      pin: async () => Promise.reject(new Error('not stored')),
    }
    expect(await whyOf({})).toBeNull()
    expect(await whyOf(gone)).toBe('gone')
    expect(await whyOf({ head: async () => ({ bytes: 999, etag: 'cut' }) })).toBe('damaged')
    expect(await whyOf({ tail: { ...file, head: async () => ({ bytes: 999, etag: 'cut' }) } })).toBe('damaged')
    expect(await whyOf({}, async () => null)).toBe('damaged')
  })

  it('is as it was stays the next one; changed, gone, or with a tail that was cut off since, it does not', async () => {
    const now = { body: { bytes: 1_000, etag: 'first' } as { bytes: number; etag: string } | null, tailBytes: 1_000 }
    const tail = { ...file, head: async () => ({ bytes: now.tailBytes, etag: 'tail' }) }
    const clips = clipsOf('ready', null, { ...file, tail, head: async () => now.body })
    const clip = await clips.find('v', { asList: true })
    expect(await clips.isUnchanged(clip)).toBe(true)
    now.tailBytes = 999
    expect(await clips.isUnchanged(clip)).toBe(false)
    now.tailBytes = 1_000
    for (const body of [{ bytes: 999, etag: 'first' }, { bytes: 1_000, etag: 'other' }, null]) {
      now.body = body
      expect([body, await clips.isUnchanged(clip)]).toEqual([body, false])
    }
  })

  it('could not be read for a reason of the machine is not', async () => {
    expect(await whyOf({ bytes: null, head: async () => ({ bytes: 1, etag: 'old' }) })).toBeNull()
    expect(await whyOf({}, async () => '')).toBeNull()
    expect(await whyOf({}, () => Promise.reject(new Error('not in time')))).toBe('thrown: not in time')
  })

  it('plays in a loop of its own as far as it goes', async () => {
    const cut = { ...file, head: async () => ({ bytes: 999, etag: 'cut' }) }
    expect(await clipsOf('ready', null, cut, async () => null).find('v')).toMatchObject({ path: PATH })
  })
})

it('a video whose store is away is waited for; of a list, others play meanwhile', async () => {
  const away = new StoreAwayError(new Error('?'))
  const clips = clipsOf('ready', null, { ...file, pin: async () => Promise.reject(away) })
  await expect(clips.find('v')).rejects.toBe(away)
  await expect(clips.find('v', { asList: true })).rejects.toBeInstanceOf(SourceMissingError)
})

describe('[SAFE-04] a file that lists very many packets', () => {
  let folder: TempDir
  const clipIn = async (name: string, durationMs: number | null = 5_000) => {
    const played = { ...file, loop: null, pin: async () => ({ path: join(folder.path, name), release: () => {} }) }
    return clipsOf('ready', null, played, readable, durationMs).find('v')
  }
  const memoryOf = async (...of: Parameters<typeof clipIn>) => broadcastMemory((await clipIn(...of)).packets)
  beforeAll(async () => {
    folder = await tempDir('listed')
    await makeClip(join(folder.path, 'usual.mp4'), { seconds: 1 })
    await makeClip(join(folder.path, 'usual.mkv'), { seconds: 1 })
    await indexBomb(join(folder.path, 'most.mp4'), 2_000_000)
  })
  afterAll(() => folder.remove())

  it('gets more memory; one that cannot be looked into gets as much', async () => {
    expect(await memoryOf('usual.mp4')).toBe('usual')
    expect(await memoryOf('most.mp4')).toBe('most')
    expect(await memoryOf('missing.mp4')).toBe('most')
  })

  it('is judged by its length where its container has no list', async () => {
    expect(await memoryOf('usual.mkv')).toBe('usual')
    expect(await memoryOf('usual.mkv', 4 * 3_600_000)).toBe('most')
    expect(await memoryOf('usual.mkv', null)).toBe('most')
  })

  it('follows another one only where the session has its memory', async () => {
    const clips = clipsOf('ready', null)
    const [usual, most] = [await clipIn('usual.mp4'), await clipIn('most.mp4')]
    expect(await clips.areAlike(usual, usual)).toBe(true)
    expect(await clips.areAlike(usual, most)).toBe(false)
    expect(await clips.areAlike(most, usual)).toBe(true)
    expect(await clips.areAlike(most, most)).toBe(true)
    // It plays in the session of the other one now.
    expect(await clips.areAlike(usual, most)).toBe(true)
  })
})
