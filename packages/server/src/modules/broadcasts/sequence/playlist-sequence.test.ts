import { describe, expect, it } from 'vitest'
import type { StreamRow } from '../store/streams.repo.ts'
import type { Clip } from './clips.ts'
import { type PlaylistSequenceDeps, playlistOf } from './playlist-sequence.ts'
import { SourceMissingError } from './source-errors.ts'

const ROW = {
  ...{ id: 's1', broadcast_id: 's1', playlist_id: 'p1', playlist_start_item: null, playlist_skip: null },
  ...{ playlist_asked: 0, position_item_id: 'a', position_round: 0, video_id: 'video-a', looping: 1 },
} as unknown as StreamRow
const START = { item: 0, ms: 0, place: null }
const at = (itemId: string, round = 0) => ({ itemId, round })

/** A list of four items in order. `faults`: what happens to who asks for a video. */
function scene(faults: Partial<Record<string, Error>> = {}, unlike: readonly string[] = []) {
  const asked: string[] = []
  const held = new Set<Clip>()
  const items = ['a', 'b', 'c', 'd'].map((id, position) => ({ id, position, video_id: `video-${id}` }))
  const clips: PlaylistSequenceDeps['clips'] = {
    async find(videoId) {
      const fault = faults[videoId ?? '']
      if (fault) throw fault
      asked.push(videoId ?? '')
      const clip = { videoId, path: `/${videoId}`, durationMs: 5_000, bytes: 1, loop: null } as unknown as Clip
      held.add(clip)
      return clip
    },
    release: (clip) => void held.delete(clip),
    keyframeBefore: async () => 0,
    areAlike: async (one, other) => unlike.includes(one.videoId) === unlike.includes(other.videoId),
    durationOf: ({ durationMs }) => durationMs,
    meanSecondsOf: async () => 5,
  }
  const playlist = { id: 'p1', shuffle: 0, version: 1 }
  const sequence = playlistOf({
    row: ROW,
    repo: { byId: async () => ROW, playlistSeen: async () => {} },
    clips,
    library: { hasOpenOrders: async () => false },
    playlists: { contents: async () => new Map([['p1', { playlist, items, removed: [] }]]) as never },
  })
  return { sequence, asked, held: () => [...held].map(({ videoId }) => videoId) }
}

describe('[LIST-01] a playlist', () => {
  it('begins with what follows, and has looked at what comes behind that', async () => {
    const { sequence, asked, held } = scene()
    const { clip, place, next } = await sequence.begin(START)
    expect([clip.videoId, place]).toEqual(['video-a', at('a')])
    expect(next).toMatchObject({ place: at('b'), clip: { videoId: 'video-b' }, follows: true })
    await expect.poll(() => asked).toEqual(['video-a', 'video-b', 'video-c'])
    // What was only looked at is let go of again.
    await expect.poll(held).toEqual(['video-a', 'video-b'])
  })

  it('begins where the next one is unlike, and says so', async () => {
    const { next } = await scene({}, ['video-b']).sequence.begin(START)
    expect(next).toMatchObject({ place: at('b'), follows: false })
  })

  it('begins also while nobody can say what follows', async () => {
    const { next, clip } = await scene({ 'video-b': new Error('not in time') }).sequence.begin(START)
    expect([clip.videoId, next]).toEqual(['video-a', null])
  })

  it('passes over what is gone, but not what could not be read in time', async () => {
    const gone = scene({ 'video-b': new SourceMissingError('gone') }).sequence
    const { clip } = await gone.begin(START)
    expect(await gone.following?.(at('a'), clip)).toMatchObject({ place: at('c') })
    const busy = scene({ 'video-b': new Error('not in time') }).sequence
    await expect(busy.following?.(at('a'), clip)).rejects.toThrow('not in time')
  })
})
