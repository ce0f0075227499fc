import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderOfRound } from '../src/modules/playlists/next-item.ts'
import { openPlaylistStage, type PlaylistStage } from './support/playlist-stage.ts'
import { call } from './support/program.ts'
import { clipsIn, stepsIn } from './support/sent-clips.ts'

/** `npm run test:torture` sends twenty clips for three rounds; each run of all tests one of each kind for two. */
const IS_LONG = process.env['SIARIN_TORTURE'] === 'long'
const CLIPS = IS_LONG ? 20 : 5
const ROUNDS = IS_LONG ? 3 : 2
const MAX_STEP_MS = 100
const FPS = 25
const PATIENCE_MS = 400_000

type Kind = 'plain' | 'list' | 'cut' | 'tail' | 'remux'

/** The sound of a clip, by what has to be done for its end to meet its beginning. All are encoded alike. */
const SOUNDS: Record<Kind, (seconds: number) => string[]> = {
  plain: () => [],
  list: () => ['-bsf:a', 'null'],
  cut: (seconds) => ['-af', `atrim=end=${seconds + 0.5}`, '-bsf:a', 'null'],
  tail: (seconds) => ['-af', `atrim=end=${seconds - 0.5}`, '-bsf:a', 'null'],
  remux: (seconds) => ['-af', `atrim=end=${seconds - 0.4},asetpts=PTS+0.4/TB`, '-bsf:a', 'null'],
}
const KINDS = Object.keys(SOUNDS) as Kind[]

/** Their lengths are odd, and each has colours of its own. */
const clips = Array.from({ length: CLIPS }, (_, index) => {
  const kind = KINDS[index % KINDS.length] ?? 'plain'
  // Short, but for the time that the slowest machine needs to say what follows.
  const seconds = (Math.round(2.04 * FPS) + ((index * 7) % CLIPS)) / FPS
  return { name: `klip-${index}-${kind}.mp4`, kind, seconds, hue: (index * 360) / CLIPS }
})

let stage: PlaylistStage
let rtmp: PlaylistStage['rtmp']
let program: PlaylistStage['program']
let apiKey: string
let calls: PlaylistStage['calls']

beforeAll(async () => {
  const options = clips.map(({ name, kind, seconds, hue }) => {
    return [name, { seconds, fps: FPS, extraArgs: ['-vf', `hue=h=${hue}`, ...SOUNDS[kind](seconds)] }] as const
  })
  stage = await openPlaylistStage(Object.fromEntries(options))
  ;({ rtmp, program, apiKey, calls } = stage)
}, PATIENCE_MS)
afterAll(() => stage.close())

async function kindOf(filename: string): Promise<Kind> {
  const { key, loop, tail_key, original_key } = await program.db
    .selectFrom('renditions')
    .innerJoin('videos', 'videos.id', 'video_id')
    .select(['key', 'loop', 'tail_key', 'original_key'])
    .where('filename', '=', filename)
    .executeTakeFirstOrThrow()
  if (key !== original_key) return 'remux'
  if (tail_key) return 'tail'
  if (!loop) return 'plain'
  return JSON.parse(loop).outpoint === null ? 'list' : 'cut'
}

describe('the joins of a playlist, as the ingest sees them', { timeout: PATIENCE_MS }, () => {
  it('join clips of every kind that is played differently', async () => {
    for (const { name, kind } of clips) expect([name, await kindOf(name)]).toEqual([name, kind])
  })

  it(`[LIST-01] ${CLIPS} clips of odd lengths, shuffled anew, ${ROUNDS} rounds: no gap, no drift, one session`, async () => {
    const videos = clips.map(({ name }) => name)
    const { body: made } = await call(program.url, 'POST', '/fitur/playlist', {
      body: { apiKey, name: 'Acak', shuffle: true, videos },
    })
    const { id, items } = made.playlist as { id: string; items: { id: string; index: number; filename: string }[] }
    const { body } = await calls.start(apiKey, 'joins', { source: `playlist:${id}` })
    const before = await rtmp.waitForPublisher('joins', { growing: true })

    const ordering = { shuffle: true, seed: body.streamId, startItemId: null }
    const listed = items.map((item) => ({ id: item.id, position: item.index }))
    // It may have begun one more round when it is stopped.
    const wanted = Array.from({ length: ROUNDS + 1 }, (_, round) =>
      orderOfRound(listed, ordering, round).map((item) => items.find((each) => each.id === item.id)?.filename ?? ''),
    ).flat()
    await waitFor(
      'the round behind the last',
      async () => (await calls.active(apiKey))[0]?.playlist?.round === ROUNDS,
      { timeoutMs: PATIENCE_MS / 2, everyMs: 500 },
    )
    expect((await rtmp.waitForPublisher('joins', { growing: true })).id).toBe(before.id)
    await calls.stop(apiKey, body.streamId)
    await rtmp.waitForNoPublisher('joins')

    const recordings = await rtmp.recordings()
    expect(recordings).toHaveLength(1)
    const sent = await clipsIn(recordings[0] ?? '', stage.files)
    expect(sent.length).toBeGreaterThanOrEqual(ROUNDS * CLIPS)
    expect(sent).toEqual(wanted.slice(0, sent.length))
    const { smallest, largest, endsApartMs } = await stepsIn(recordings[0] ?? '')
    expect(smallest).toBeGreaterThanOrEqual(0)
    expect(largest).toBeLessThanOrEqual(MAX_STEP_MS)
    expect(endsApartMs).toBeLessThanOrEqual(MAX_STEP_MS)
  })
})
