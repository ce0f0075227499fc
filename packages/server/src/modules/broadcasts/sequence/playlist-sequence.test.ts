import { describe, expect, it } from 'vitest'
import type { StreamRow } from '../store/streams.repo.ts'
import type { Clip } from './clips.ts'
import { type PlaylistSequenceDeps, playlistOf } from './playlist-sequence.ts'
import { PlaylistUnplayableError, SourceMissingError } from './source-errors.ts'

const ROW = {
  ...{ id: 's1', broadcast_id: 's1', playlist_id: 'p1', playlist_start_item: null, playlist_skip: null },
  ...{ playlist_asked: 0, position_item_id: 'a', position_round: 0, video_id: 'video-a', looping: 1 },
} as unknown as StreamRow
const START = { item: 0, ms: 0, place: null }
const at = (itemId: string, round = 0) => ({ itemId, round })

/** A list of four items in order. `faults`: what happens to who asks for a video. */
function scene(faults: Partial<Record<string, Error>> = {}, unlike: readonly string[] = [], repo = {}) {
  let nowMs = 0
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
    isUnchanged: async ({ videoId }) => faults[videoId] === undefined,
    areAlike: async (one, other) => unlike.includes(one.videoId) === unlike.includes(other.videoId),
    durationOf: ({ durationMs }) => durationMs,
    meanSecondsOf: async () => 5,
  }
  const playlist = { id: 'p1', shuffle: 0, version: 1 }
  const sequence = playlistOf({
    row: ROW,
    repo: { byId: async () => ROW, playlistSeen: async () => {}, ...repo },
    clips,
    library: { hasOpenOrders: async () => false, findById: async (id) => ({ filename: `${id}.mp4` }) as never },
    steady: () => nowMs,
    playlists: { contents: async () => new Map([['p1', { playlist, items, removed: [] }]]) as never },
  })
  const told = () => [...Array.from({ length: 9 }, () => sequence.passedOver())].filter((passed) => passed !== null)
  const wait = (ms: number): void => {
    nowMs += ms
  }
  return { sequence, asked, told, wait, held: () => [...held].map(({ videoId }) => videoId) }
}

describe('[LIST-01] a playlist', () => {
  it('looks at the file alone of what follows already, and finds another one where that is damaged', async () => {
    const faults: Partial<Record<string, Error>> = {}
    const { sequence, asked } = scene(faults)
    const { clip, place, next } = await sequence.begin(START)
    await expect.poll(() => asked).toHaveLength(3)
    if (!place || !next || typeof next === 'string') throw new Error('nothing follows')
    expect(await sequence.following?.(place, clip, next.clip)).toBeNull()
    expect(asked).toHaveLength(3)
    faults['video-b'] = new SourceMissingError('gone')
    expect(await sequence.following?.(place, clip, next.clip)).toMatchObject({ place: at('c') })
  })

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

  it('goes on while nothing can be written', async () => {
    const full = {
      byId: async () => ({ ...ROW, playlist_asked: 1 }),
      playlistSeen: () => Promise.reject(new Error('full')),
    }
    const { sequence, held } = scene({}, [], full)
    const { next } = await sequence.begin(START)
    expect(next).toMatchObject({ place: at('b') })
    await expect.poll(held).toEqual(['video-a', 'video-b'])
  })

  it('tells what it passes over in one go and once, and again after it could be played', async () => {
    const faults: Record<string, Error> = {
      'video-a': new SourceMissingError('gone'),
      'video-b': new SourceMissingError('cut', { why: 'damaged' }),
    }
    const { sequence, told, wait } = scene(faults)
    const { clip, place } = await sequence.begin(START)
    expect(place).toEqual(at('c'))
    expect(told()).toEqual([{ why: 'gone', filename: 'video-a.mp4', more: 1 }])
    for (const round of [0, 1]) {
      wait(60_000)
      expect(await sequence.following?.(at('d', round), clip)).toMatchObject({ place: at('c', round + 1) })
    }
    expect(told()).toEqual([])
    delete faults['video-b']
    wait(60_000)
    expect(await sequence.following?.(at('d', 2), clip)).toMatchObject({ place: at('b', 3) })
    faults['video-b'] = new SourceMissingError('cut', { why: 'damaged' })
    expect(await sequence.following?.(at('d', 3), clip)).toMatchObject({ place: at('c', 4) })
    expect(told()).toEqual([{ why: 'damaged', filename: 'video-b.mp4', more: 0 }])
  })

  it('says so where no item can be played, and looks at none of them again at once', async () => {
    const faults: Record<string, Error> = {}
    const { sequence, asked, told, wait } = scene(faults)
    const { clip } = await sequence.begin(START)
    for (const id of ['a', 'b', 'c', 'd']) faults[`video-${id}`] = new SourceMissingError('gone')
    expect(await sequence.following?.(at('a'), clip)).toBe('nothing')
    await expect(sequence.begin(START)).rejects.toThrow(PlaylistUnplayableError)
    expect(told()).toEqual([{ why: 'gone', filename: 'video-b.mp4', more: 3 }])
    for (const id of ['b', 'c']) delete faults[`video-${id}`]
    const looks = asked.length
    await expect(sequence.begin(START)).rejects.toThrow(PlaylistUnplayableError)
    expect(asked).toHaveLength(looks)
    wait(5_000)
    expect((await sequence.begin(START)).place).toEqual(at('b'))
  })
})

describe('[LIST-03] a list that ran on while no program was there', () => {
  const entry = (id: string, round = 0) => ({
    clip: { path: `/video-${id}`, loop: null, videoId: `video-${id}` },
    place: at(id, round),
  })
  const taken = (left: { outTimeMs: number; fromMs?: number; reads?: string; told?: readonly string[] }) => {
    const { sequence, held } = scene()
    const { outTimeMs, fromMs = 0, reads, told = [] } = left
    const slots = { reads: reads === undefined ? null : entry(reads), told: told.map((id) => entry(id)) }
    const found = sequence.adopted?.({ place: at('a'), fromMs, outTimeMs, ...slots })
    return Promise.resolve(found).then((plays) => ({
      plays: plays && [plays.place.itemId, plays.fromMs],
      passed: plays?.passed?.map(({ clip, fromMs: from }) => [clip.videoId, from]),
      next: plays?.next && typeof plays.next === 'object' ? plays.next.place.itemId : null,
      before: plays?.before?.place.itemId ?? null,
      held: held(),
    }))
  }

  it('plays what it has open, and has played what lies between in turns', async () => {
    const told = ['a', 'b']
    expect(await taken({ outTimeMs: 3_000, reads: 'a', told })).toEqual({
      ...{ plays: ['a', 0], passed: [], next: 'b', before: null, held: ['video-a', 'video-b'] },
    })
    expect(await taken({ outTimeMs: 22_000, reads: 'a', told })).toMatchObject({
      plays: ['a', -20_000],
      passed: [
        ['video-b', -5_000],
        ['video-a', -10_000],
        ['video-b', -15_000],
      ],
    })
    // It opens the next one a moment before its own clock says so, and may say late that it did.
    // What was said before it is nothing new, should it come to that.
    const early = { plays: ['b', -5_000], next: null, before: 'a' }
    expect(await taken({ outTimeMs: 4_600, reads: 'b', told })).toMatchObject(early)
    expect(await taken({ outTimeMs: 5_400, reads: 'a', told })).toMatchObject({ plays: ['a', 0], passed: [] })
  })

  it('holds no file where nobody can say what it plays', async () => {
    const { sequence, held } = scene({ 'video-b': new Error('not in time') })
    const left = { place: at('a'), fromMs: 0, outTimeMs: 3_000, reads: null, told: [entry('a'), entry('c')] }
    await expect(sequence.adopted?.(left)).rejects.toThrow('not in time')
    expect(held()).toEqual([])
  })

  it('may be an item further than its row, which could not be written', async () => {
    const told = ['b', 'c']
    expect(await taken({ outTimeMs: 8_000, reads: 'b', told })).toMatchObject({ plays: ['b', -5_000], next: 'c' })
    const further = await taken({ outTimeMs: 12_000, reads: 'c', told })
    expect(further).toMatchObject({ plays: ['c', -10_000], passed: [['video-b', -5_000]], before: 'b' })
    expect(further.held.sort()).toEqual(['video-b', 'video-c'])
  })

  it('goes by its own clock where an earlier version left no word of its slots', async () => {
    expect(await taken({ outTimeMs: 3_000 })).toMatchObject({ plays: ['a', 0], passed: [] })
    expect(await taken({ outTimeMs: 7_000 })).toMatchObject({ plays: ['b', -5_000], passed: [] })
    expect(await taken({ outTimeMs: 12_000 })).toMatchObject({ plays: ['a', -10_000], passed: [['video-b', -5_000]] })
  })
})
