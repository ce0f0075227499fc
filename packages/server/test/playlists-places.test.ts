import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlaylistNow } from '@siarin/contracts/playlists'
import type { Recording, RecordingDetails } from '@siarin/contracts/recordings'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { packetsOf } from '@siarin/testkit/recording'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcastCalls } from './support/broadcasts.ts'
import { openPlaylistStage, type PlaylistStage } from './support/playlist-stage.ts'
import { clipsIn, stepsIn } from './support/sent-clips.ts'

/** Long enough for a busy machine to say in time what follows: where it cannot, ffmpeg plays what it has once more, as it should. */
const CLIPS = {
  'a.mp4': { seconds: 5.12, picture: 'testsrc2' },
  'b.mp4': { seconds: 5.12, picture: 'smptebars' },
  'c.mp4': { seconds: 5.12, picture: 'rgbtestsrc' },
  'd.mp4': { seconds: 5.12, picture: 'gradients=seed=31' },
  'e.mp4': { seconds: 5.12, picture: 'gradients=seed=32' },
} as const
const NAMES = Object.keys(CLIPS)

let stage: PlaylistStage
let broadcasts: ReturnType<typeof broadcastCalls>
beforeAll(async () => {
  stage = await openPlaylistStage(CLIPS)
  broadcasts = broadcastCalls(stage.program.url, stage.apiKey)
})
afterAll(() => stage.close())

const newList = async (videos: readonly string[]) =>
  (await stage.send('POST', '/fitur/playlist', { name: 'Daftar', videos })).playlist
const nowOf = async (streamId: string): Promise<PlaylistNow | null> =>
  (await stage.calls.active(stage.apiKey)).find((stream) => stream.streamId === streamId)?.playlist ?? null
/** What arrived under a key, whole clips and the one that was cut by the stop. */
async function received(key: string): Promise<string[]> {
  const recordings = await stage.recordingsOf(key)
  expect(recordings).toHaveLength(1)
  return clipsIn(recordings[0] ?? '', stage.files)
}

/** Where ffmpeg finds the slots of a stream. */
async function slotsOf(streamId: string): Promise<string> {
  const [running] = (await ffmpegsUnder(stage.program.dataDir)).filter(({ args }) =>
    args.some((arg) => arg.includes(streamId)),
  )
  return running?.args.find((arg) => arg.endsWith('/list'))?.replace(/^file:|\/list$/g, '') ?? ''
}

describe.concurrent('a list on air', { timeout: 120_000 }, () => {
  it('[LIST-02] keeps its order while somebody reads its links all the time, the same clip twice in a row too', async () => {
    const list = await newList(['a.mp4', 'b.mp4', 'b.mp4'])
    const { streamId } = (await stage.calls.start(stage.apiKey, 'read', { source: `playlist:${list.id}` })).body
    await stage.rtmp.waitForPublisher('read', { growing: true })
    const directory = await slotsOf(streamId)
    let isOver = false
    const backup = (async () => {
      for (; !isOver; await sleep(150))
        for (const slot of ['0.mp4', '1.mp4']) {
          await lstat(join(directory, slot)).catch(() => {})
          await readFile(join(directory, slot)).catch(() => {})
        }
    })()
    await waitFor('the second round', async () => ((await nowOf(streamId))?.round ?? 0) > 0, { timeoutMs: 60_000 })
    await waitFor('its second item', async () => (await nowOf(streamId))?.index === 1, { timeoutMs: 60_000 })
    isOver = true
    await backup
    await stage.calls.stop(stage.apiKey, streamId)
    await stage.rtmp.waitForNoPublisher('read')
    const clips = await received('read')
    expect(clips).toEqual(['a.mp4', 'b.mp4', 'b.mp4', 'a.mp4', 'b.mp4', 'b.mp4', 'a.mp4'].slice(0, clips.length))
    expect(clips.length).toBeGreaterThanOrEqual(5)
    const { smallest, largest } = await stepsIn((await stage.recordingsOf('read'))[0] ?? '')
    expect(smallest).toBeGreaterThanOrEqual(0)
    expect(largest).toBeLessThanOrEqual(100)
  })

  it('[LIST-02] leaves out one item for each skip, however fast they come, and the same ones at every target', async () => {
    const list = await newList(NAMES)
    const keys = ['fast-1', 'fast-2']
    const { body } = await broadcasts.start(
      keys.map((key) => `${stage.rtmp.url}/${key}`),
      { source: `playlist:${list.id}`, record: true },
    )
    const streamIds: string[] = body.streamIds
    for (const key of keys) await stage.rtmp.waitForPublisher(key, { growing: true })
    // Three at once every half second, for longer than an item lasts: some come right as an item begins, which the program has not seen yet.
    let skips = 0
    for (let wave = 0; wave < 12; wave++) {
      const asked = [0, 1, 0].map((index) => stage.send('POST', '/fitur/steam/skip', { streamId: streamIds[index] }))
      for (const { success } of await Promise.all(asked)) {
        expect(success).toBe(true)
        skips++
      }
      await sleep(500)
    }
    // Until both have passed all that was to be left out, and one more join.
    await Promise.all(streamIds.map((id) => threeJoins(id)))
    await broadcasts.stop(body.broadcastId)
    for (const key of keys) await stage.rtmp.waitForNoPublisher(key)

    const sent = await Promise.all(keys.map(received))
    const last = await Promise.all(streamIds.map(lastNumberOf))
    for (const [index, clips] of sent.entries()) {
      const number = last[index] ?? Number.NaN
      // What the row says is what was sent last, and as many items were left out as skips were asked for.
      expect([keys[index], clips.at(-1), number - (clips.length - 1)]).toEqual([
        ...[keys[index], NAMES[number % NAMES.length], skips],
      ])
    }
    // From there on they play the same. One of them may have begun an item in the moment in which that was skipped, and the other not yet.
    const [one = [], other = []] = sent
    const shared = Math.min(one.length, other.length)
    expect(one.slice(shared - 2, shared)).toEqual(other.slice(shared - 2, shared))

    const { seconds, interruptions, parts } = await recordingOf(body.broadcastId)
    const sentSeconds = await Promise.all(keys.map(lengthSentTo))
    process.stdout.write(`recorded: ${seconds} s in ${parts.length} parts; sent: ${sentSeconds} s\n`)
    // From the first moment at either target to the last. What is left out is neither sent nor recorded, and interrupts nothing.
    expect(Math.abs(seconds - Math.max(...sentSeconds))).toBeLessThan(1)
    expect([interruptions, parts.map(({ interruption }) => interruption)]).toEqual([0, [null]])
  })
})

async function recordingOf(broadcastId: string): Promise<RecordingDetails> {
  const { recordingId } = await waitFor('the recording', async () => {
    const { recordings } = await broadcasts.get(`/fitur/recording?broadcastId=${broadcastId}`).then(({ body }) => body)
    return (recordings as Recording[]).find(({ state }) => state === 'ready')
  })
  return (await broadcasts.get(`/fitur/recording/${recordingId}`)).body.recording
}

/** From its first picture to its last, by what arrived. */
async function lengthSentTo(key: string): Promise<number> {
  const { video } = await packetsOf((await stage.recordingsOf(key))[0] ?? '')
  return ((video.at(-1)?.decodedMs ?? 0) - (video[0]?.decodedMs ?? 0)) / 1000
}

async function threeJoins(streamId: string): Promise<void> {
  for (let joins = 0; joins < 3; joins++) {
    const before = await numberOf(streamId)
    await waitFor('a join', async () => (await numberOf(streamId)) !== before, { timeoutMs: 60_000, everyMs: 100 })
  }
}

/** Counted over all rounds, also what was left out. */
async function numberOf(streamId = ''): Promise<number> {
  const now = await nowOf(streamId)
  return now?.index == null ? -1 : now.round * NAMES.length + now.index
}

async function lastNumberOf(streamId: string): Promise<number> {
  const { position, round } = await stage.program.db
    .selectFrom('streams')
    .innerJoin('playlist_items', 'playlist_items.id', 'streams.position_item_id')
    .select(['playlist_items.position', 'streams.position_round as round'])
    .where('streams.id', '=', streamId)
    .executeTakeFirstOrThrow()
  const { rank } = await stage.program.db
    .selectFrom('playlist_items')
    .select(({ fn }) => fn.countAll<number>().as('rank'))
    .where('position', '<', position)
    .where('playlist_id', 'in', ({ selectFrom }) =>
      selectFrom('streams').select('playlist_id').where('id', '=', streamId).$castTo<{ playlist_id: string }>(),
    )
    .executeTakeFirstOrThrow()
  return round * NAMES.length + Number(rank)
}
