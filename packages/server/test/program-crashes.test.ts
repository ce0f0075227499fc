import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, isAlive, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { broadcastCalls } from './support/broadcasts.ts'
import { personWithVideo } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const OFF_AIR_MS = 2_000

let folder: TempDir
let rtmp: RtmpServer
let siarin: Siarin
let calls: ReturnType<typeof streamCalls>
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('program-crashes')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  rtmp = await startRtmpServer()
  siarin = await startSiarin()
  calls = streamCalls(siarin.url, rtmp)
  apiKey = (await personWithVideo(siarin, clip)).apiKey
})
afterEach(() => calls.stopAll(apiKey))
afterAll(async () => {
  await siarin.dispose()
  await rtmp.stop()
  await folder.remove()
})

const ffmpegs = () => ffmpegsUnder(siarin.dataDir)
const isLive = () => waitFor('it to be live', async () => (await calls.active(apiKey))[0]?.state === 'live')
/** The row says live from before. */
const isTakenOver = async () => {
  await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
  await isLive()
}

async function goLive(key: string): Promise<string> {
  const { body } = await calls.start(apiKey, key)
  await rtmp.waitForPublisher(key, { growing: true })
  await isLive()
  return body.streamId
}

describe('the program', { timeout: 600_000 }, () => {
  it('ends on SIGTERM without leaving a process behind, and goes on with the broadcast at its next start', async () => {
    const streamId = await goLive('term-key')
    const [ffmpeg] = await ffmpegs()
    expect(await siarin.stop()).toEqual({ code: 0, signal: null })
    expect(isAlive(ffmpeg?.pid ?? process.pid)).toBe(false)
    expect(await ffmpegs()).toEqual([])
    // All that is to be done has been done, after the end of the last ffmpeg too.
    expect(siarin.output()).toContain('"msg":"ended"')
    expect((await readdir(siarin.dataDir)).filter((name) => name.endsWith('.lock'))).toEqual([])
    await rtmp.waitForNoPublisher('term-key')
    await sleep(OFF_AIR_MS)

    await siarin.restart()
    await rtmp.waitForPublisher('term-key', { growing: true })
    expect(await ffmpegs()).toHaveLength(1)
    await isLive()
    const back = (await calls.events(apiKey, streamId)).find(({ kind }) => kind === 'back')
    expect((back?.offAirSeconds ?? 0) * 1000).toBeGreaterThan(OFF_AIR_MS)
    await calls.stopAll(apiKey)
    await rtmp.waitForNoPublisher('term-key')
  })

  it('killed with -9 interrupts no broadcast: the next start takes it over and can stop it', async () => {
    const streamId = await goLive('kill9-key')
    const before = await ffmpegs()
    await siarin.kill9()
    const orphaned = await rtmp.waitForPublisher('kill9-key', { growing: true })

    await siarin.restart()
    await isTakenOver()
    expect(await ffmpegs()).toEqual(before)
    expect((await rtmp.waitForPublisher('kill9-key', { growing: true })).id).toBe(orphaned.id)

    await calls.stop(apiKey, streamId)
    await rtmp.waitForNoPublisher('kill9-key')
    await waitFor('no ffmpeg to be left', async () => (await ffmpegs()).length === 0)
  })

  it('[TGT-03] killed with -9 takes over each target of a broadcast, and stops them together', async () => {
    const broadcasts = broadcastCalls(siarin.url, apiKey)
    const keys = ['each-a', 'each-b']
    const { body } = await broadcasts.start(keys.map((key) => `${rtmp.url}/${key}`))
    await broadcasts.waitForStates(body.broadcastId, ['live', 'live'])
    const before = await ffmpegs()
    await siarin.kill9()
    const sessions = await Promise.all(keys.map((key) => rtmp.waitForPublisher(key, { growing: true })))

    await siarin.restart()
    await waitFor('both to be taken over', async () =>
      before.every(({ pid }) => siarin.output().includes(`"ffmpegPid":${pid},"msg":"took over a running ffmpeg"`)),
    )
    expect(await ffmpegs()).toEqual(before)
    for (const [index, key] of keys.entries()) expect((await rtmp.publisher(key))?.id).toBe(sessions[index]?.id)
    expect((await broadcasts.stop(body.broadcastId)).status).toBe(200)
    await Promise.all(keys.map((key) => rtmp.waitForNoPublisher(key)))
    await waitFor('no ffmpeg to be left', async () => (await ffmpegs()).length === 0)
  })

  it('killed with -9 before it could write down which ffmpeg it started finds it on air, and takes it over', async () => {
    const streamId = await goLive('orphan-key')
    const before = await ffmpegs()
    await siarin.kill9()
    const change = async (row: { pid?: null; pid_birth?: null; phase?: string; desired?: string }) => {
      const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
      await db.updateTable('streams').set(row).where('id', '=', streamId).execute()
      await db.destroy()
    }
    await change({ pid: null, pid_birth: null })
    await siarin.restart()
    await isTakenOver()
    expect(await ffmpegs()).toEqual(before)

    // One whose stream has ended belongs to nobody.
    await siarin.kill9()
    await change({ phase: 'ended', desired: 'stopped' })
    await siarin.restart()
    await rtmp.waitForNoPublisher('orphan-key')
    await waitFor('no ffmpeg to be left', async () => (await ffmpegs()).length === 0)
  })

  it('killed with -9 together with its ffmpeg, as in a power cut, brings the broadcast back, and knows how long it was on air before', async () => {
    const streamId = await goLive('power-key')
    const [ffmpeg] = await ffmpegs()
    await waitFor('it to be on air', async () => ((await rtmp.publisher('power-key'))?.timeMs ?? 0) > 4_000)
    await siarin.kill9()
    kill9(ffmpeg)
    await rtmp.waitForNoPublisher('power-key')
    await siarin.restart()
    await rtmp.waitForPublisher('power-key', { growing: true })
    await isLive()
    const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
    const row = await db.selectFrom('streams').select('on_air_ms').where('id', '=', streamId).executeTakeFirst()
    await db.destroy()
    // What was before the cut counts: its ffmpeg has said how far it came, once a second.
    expect(row?.on_air_ms).toBeGreaterThan(2_000)
  })

  it.runIf(isWholeRun)(
    'killed with -9 does not play a video once more that was to be played once and came to its end',
    async () => {
      const clip = join(folder.path, 'sekali.mp4')
      await makeClip(clip, { seconds: 8 })
      const owner = (await personWithVideo(siarin, clip)).apiKey
      const { body } = await calls.start(owner, 'once-key', { looping: false })
      await waitFor('it to be live', async () => (await calls.active(owner))[0]?.state === 'live')
      await siarin.kill9()
      await waitFor('its ffmpeg to come to the end', async () => (await ffmpegs()).length === 0)

      await siarin.restart()
      await waitFor('its end', async () => (await calls.active(owner)).length === 0)
      const kinds = (await calls.events(owner, body.streamId)).map(({ kind }) => kind)
      expect(kinds).toContain('ended')
      expect(kinds).not.toContain('lost')
      expect(siarin.output()).not.toContain('ffmpeg started')
    },
  )

  it('ended with KEEP_STREAMS_ON_EXIT interrupts no broadcast, so that an upgrade is seen by nobody', async () => {
    await siarin.restart({ KEEP_STREAMS_ON_EXIT: 'true' })
    const streamId = await goLive('keep-key')
    const session = await rtmp.publisher('keep-key')
    const before = await ffmpegs()
    expect(await siarin.stop()).toEqual({ code: 0, signal: null })
    await rtmp.waitForPublisher('keep-key', { growing: true })
    await siarin.restart()
    await isTakenOver()
    expect(await ffmpegs()).toEqual(before)
    expect((await rtmp.waitForPublisher('keep-key', { growing: true })).id).toBe(session?.id)
    await calls.stop(apiKey, streamId)
    await rtmp.waitForNoPublisher('keep-key')
  })
})
