import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSession } from '../keeper/session.ts'
import { createEncoders } from '../relay/encoders.ts'
import type { Clip } from '../sequence/clips.ts'
import { createSessionStarter } from './session-starter.ts'

const CLIP: Clip = { videoId: 'v', filename: 'v.mp4', path: '/v.mp4', durationMs: 10_000, bytes: 1, loop: null }
const PLAN = { picture: { kind: 'encode', width: 1280, height: 720 }, sound: 'copy', encodedSize: null }
const log = pino({ level: 'silent' })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-starter-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Row = Parameters<ReturnType<typeof createSessionStarter>>[0]

const ROW = {
  ...{ id: 's', user_id: 'u', epoch: 1, looping: 1, source: 'x', target_host: 'h', record: 0, source_finite: 0 },
  ...{ video_id: null, next_video_id: null, recipe: null, note: null, source_account_id: null, playlist_id: null },
  ...{ position_item_id: null, position_recipe: null, position_from_ms: 0, on_fallback: 0 },
} as unknown as Row
const VIDEO: Row = { ...ROW, source_kind: 'video', video_id: 'v', source_sealed: null }
const RELAY: Row = { ...ROW, source_kind: 'hls', source_sealed: 'sealed', fallback_video_id: 'v' }

/** A stream whose video comes from a store, and whose source is as the test says. */
function createStage(row: Row, locate: () => Promise<unknown> = async () => ({ state: 'offline' })) {
  const video = Promise.withResolvers<Clip>()
  const find = vi.fn(() => video.promise)
  const release = vi.fn()
  const begin = vi.fn(() => ({ directory: join(folder, 's'), spare: null }))
  const spawn = vi.fn((_command: string) => ffmpeg.promise)
  const ffmpeg = Promise.withResolvers<never>()
  const addressOf = vi.fn(async (_target: Secret, _own: unknown) => null)
  const encoders = createEncoders(1)
  const clips = { find, release, durationOf: () => 0, keyframeBefore: async () => 0 }
  const starter = createSessionStarter({
    ...{ log, encoders, clips, repo: { byId: async () => row } },
    ...{
      playlists: {},
      library: {},
      plans: { libraryLimitsOf: async () => ({ maxHeight: 1080, maxFps: 60 }), isOnTrial: async () => false },
    },
    ...{
      looks: {},
      storage: {},
      folders: { begin },
      processes: { start: spawn },
      dataDir: folder,
      ffmpegPath: 'ffmpeg',
    },
    sources: { locate },
    relaySource: {
      inspect: async () => ({ url: new Secret('http://x/'), ended: false, mark: '1' }),
      plan: async () => PLAN,
    },
    sealer: { open: () => new Secret('rtmp://x/') },
    addressOf,
    proxyUrl: async () => '',
  } as unknown as Parameters<typeof createSessionStarter>[0])
  function open() {
    const posted: string[] = []
    const session = createSession({
      ...{ row, log, startProcess: starter(row).start, post: ({ type }) => posted.push(type), events: { emit() {} } },
      ...{ meter: { read() {} }, unsentOf: () => async () => 0, durationOf: () => 0, relay: null },
    })
    session.start(1, { item: 0, ms: 0, place: null })
    return { session, posted }
  }
  return {
    ...open(),
    open,
    source: () => starter(row),
    video,
    find,
    release,
    begin,
    addressOf,
    spawn,
    ffmpeg,
    encoders,
  }
}

it.each([
  ['a video', VIDEO],
  ['an online source whose stand-in', RELAY],
])('[MANY-02] %s that comes from a store keeps no worker from ending its start at once', async (_, row) => {
  const stage = createStage(row)
  await vi.waitFor(() => expect(stage.find).toHaveBeenCalled())
  await stage.session.end()
  expect(stage.posted).toEqual(['start-given-up'])
  // It comes after all: nothing is sent, and nothing of the stream is touched, which may run again by now.
  stage.video.resolve(CLIP)
  await vi.waitFor(() => expect(stage.release).toHaveBeenCalledWith(CLIP))
  expect(stage.begin).not.toHaveBeenCalled()
  expect(stage.posted).toEqual(['start-given-up'])
})

it('[MANY-02] the same where its source could not be sent, and its stand-in is to be sent instead', async () => {
  const stage = createStage(RELAY, async () => ({ state: 'live', url: new URL('http://x/') }))
  await vi.waitFor(() => expect(stage.spawn).toHaveBeenCalled())
  stage.ffmpeg.reject(new Error('EAGAIN'))
  await vi.waitFor(() => expect(stage.find).toHaveBeenCalled())
  await stage.session.end()
  expect(stage.posted).toEqual(['start-given-up'])
})

it('a start that was given up while its source was looked for takes no encoder', async () => {
  const found = Promise.withResolvers<unknown>()
  const stage = createStage({ ...RELAY, fallback_video_id: null }, () => found.promise)
  await stage.session.end()
  found.resolve({ state: 'live', url: new URL('http://x/') })
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(stage.encoders.hasRoomFor({ streamId: 'another', owner: 'another', isOnTrial: false })).toBe(true)
})

it('a start that waits for others to begin is ended at once, and begins nothing in its turn', async () => {
  const stage = createStage(VIDEO)
  stage.video.resolve(CLIP)
  const others = Array.from({ length: availableParallelism() }, stage.open)
  const last = stage.open()
  await vi.waitFor(() => expect(stage.addressOf).toHaveBeenCalledTimes(others.length + 2))
  for (let turns = 0; turns < 20; turns++) await turn()
  await last.session.end()
  expect(last.posted).toEqual(['start-given-up'])
  const spawned = stage.spawn.mock.calls.length
  stage.ffmpeg.reject(new Error('EAGAIN'))
  await vi.waitFor(() => expect(stage.release).toHaveBeenCalledTimes(others.length + 2))
  expect(stage.spawn).toHaveBeenCalledTimes(others.length + 1)
  expect(spawned).toBeLessThanOrEqual(others.length)
})

it('[SAFE-07] each stream remembers by itself where its target led, for all of its sessions', async () => {
  const stage = createStage(VIDEO)
  stage.video.resolve(CLIP)
  stage.addressOf.mockRejectedValue(new Error('unknown-host'))
  const own = stage.source()
  const attempt = { assertWanted() {}, begin: (send: () => unknown) => send() } as never
  for (let sessions = 0; sessions < 2; sessions++)
    await own.start({ item: 0, ms: 0, place: null }, attempt).catch(() => {})
  await vi.waitFor(() => expect(stage.addressOf).toHaveBeenCalledTimes(3))
  // Its two sessions have one, and the other stream has another.
  expect(new Set(stage.addressOf.mock.calls.map(([, known]) => known)).size).toBe(2)
})
