import { describe, expect, it } from 'vitest'
import { type ClipLibrary, createClips } from './clips.ts'
import { SourceMissingError } from './source-errors.ts'

const PATH = '/media/original.mp4'
const list = { seconds: 5, startSeconds: 0, outpoint: null, bodySeconds: null }
const file = {
  ...{ contentType: 'video/mp4', loop: list, tail: null },
  head: async () => ({ bytes: 1 }),
  pin: async () => ({ path: PATH, release: () => {} }),
}

function clipsOf(status: string, master: object | null) {
  const video = { id: 'v', filename: 'v.mp4', duration_ms: 5_000, status, master }
  const library = {
    ...{ findById: async () => video, findAll: async () => [video] },
    ...{ playable: async () => file, playableRendition: async () => null },
  }
  return createClips(library as unknown as ClipLibrary, 'ffprobe')
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
