import { readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage

beforeAll(async () => {
  stage = await openStreamStage()
  // The others' videos are copies of this one's.
  await personWithVideo(stage.program, stage.clip)
})
afterAll(() => stage.close())

/** Each test has a person of its own, for they run at once: most of their time passes on air. */
async function somebody({ onTestFinished }: TestContext) {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  onTestFinished(() => stage.stopAll(apiKey))
  return {
    apiKey,
    async upload(name: string, options: Parameters<typeof makeClip>[1]) {
      const file = join(stage.folder, name)
      await makeClip(file, options)
      await uploadVideo(stage.program.url, apiKey, file, name)
      expect(await processed(stage.program.url, apiKey, name)).toMatchObject({ status: 'ready' })
    },
    stream: async () => (await stage.active(apiKey))[0],
  }
}

/** The files that its ffmpeg comes to in turn. */
async function slotsOf(streamId: string): Promise<string> {
  const [ffmpeg] = await stage.ffmpegOf(streamId)
  const list = ffmpeg?.args.find((arg) => arg.endsWith('/list'))?.replace('file:', '') ?? ''
  return (await Promise.all([0, 1].map((slot) => realpath(join(dirname(list), `${slot}.mp4`))))).join()
}

describe.concurrent('the video of a broadcast', () => {
  it('goes on near where it was when its ffmpeg is killed, not from the start', async (context) => {
    const { apiKey, upload } = await somebody(context)
    await upload('panjang.mp4', { seconds: 3.2, times: 19 })
    const { body } = await stage.start(apiKey, 'position-key', { source: 'panjang.mp4' })
    const row = stage.program.db.selectFrom('streams').select('position_ms').where('id', '=', body.streamId)
    await waitFor('four seconds to be known of', async () => {
      const { position_ms } = await row.executeTakeFirstOrThrow()
      return position_ms > 4_000
    })
    const [running] = await stage.ffmpegOf(body.streamId)
    kill9(running)
    const again = await waitFor('another ffmpeg', async () => {
      const [now] = await stage.ffmpegOf(body.streamId)
      return now && now.pid !== running?.pid && now
    })
    const list = again.args.find((arg) => arg.endsWith('/list'))?.replace('file:', '') ?? ''
    const inpoint = Number(/inpoint ([\d.]+)/.exec(await readFile(list, 'utf8'))?.[1])
    expect(inpoint).toBeGreaterThanOrEqual(3)
    expect(inpoint).toBeLessThan(30)
    await stage.rtmp.waitForPublisher('position-key', { growing: true })
  })

  it('is changed on air, at the end of a pass, without a drop of the session', async (context) => {
    const { apiKey, upload, stream } = await somebody(context)
    await upload('kedua.mp4', { seconds: 4 })
    const { body } = await stage.start(apiKey, 'swap-key')
    const before = await stage.rtmp.waitForPublisher('swap-key', { growing: true })
    expect(await stage.swap(apiKey, body.streamId, 'kedua.mp4')).toMatchObject({ status: 200, body: { success: true } })
    await waitFor('the second video to play', async () => (await stream())?.source === 'kedua.mp4')
    await waitFor('nothing to be waited for', async () => (await stream())?.nextSource === null)
    const after = await stage.rtmp.waitForPublisher('swap-key', { growing: true })
    expect(after.id).toBe(before.id)
    expect(after.timeMs).toBeGreaterThan(before.timeMs)
    expect(await stream()).toMatchObject({ state: 'live', restarts: 0 })
    const events = await stage.events(apiKey, body.streamId)
    expect(events[0]).toMatchObject({ kind: 'swapped', reason: 'kedua.mp4' })
    expect(events.filter(({ kind }) => kind === 'swapped')).toHaveLength(1)
  })

  it.for([
    ['alike', { seconds: 4 }],
    ['unlike', { seconds: 3, width: 640, height: 360 }],
  ] as const)('goes on if it is asked for again while another one waits that is %s', async ([name, other], context) => {
    const { apiKey, upload, stream } = await somebody(context)
    const [own, next, key] = [`utama-${name}.mp4`, `lain-${name}.mp4`, `back-${name}`]
    await upload(next, other)
    await upload(own, { seconds: 12 })
    const { streamId } = (await stage.start(apiKey, key, { source: own })).body
    const before = await stage.rtmp.waitForPublisher(key, { growing: true })
    // Before that, an unlike one would be begun at once.
    await waitFor('it to be on air', async () => (await stream())?.state === 'live')
    const slots = await slotsOf(streamId)
    expect((await stage.swap(apiKey, streamId, next)).body.message).toBe(STREAM_TEXTS.swapping)
    if (name === 'alike') await waitFor('it to come next', async () => (await slotsOf(streamId)) !== slots)
    expect(await stream()).toMatchObject({ source: own, nextSource: next })
    const [back, told] = [await stage.swap(apiKey, streamId, own), await stream()]

    const after = await waitFor('the next pass to be on air', async () => {
      const publisher = await stage.rtmp.publisher(key)
      return publisher && publisher.timeMs - before.timeMs > 14_000 && publisher
    })
    expect((await stage.events(apiKey, streamId)).map(({ kind }) => kind)).not.toContain('swapped')
    expect([after.id, after.width]).toEqual([before.id, before.width])
    expect(await stream()).toMatchObject({ source: own, nextSource: null, state: 'live', restarts: 0 })
    expect(told).toMatchObject({ source: own, nextSource: null })
    expect(back.body.message).toBe(STREAM_TEXTS.goesOn)
    const row = stage.program.db.selectFrom('streams').select('next_video_id').where('id', '=', streamId)
    await waitFor('nothing to be asked for', async () => (await row.executeTakeFirstOrThrow()).next_video_id === null)
  })

  it.runIf(isWholeRun)('of another size needs a new session, and gets it at the end of the pass', async (context) => {
    const { apiKey, upload, stream } = await somebody(context)
    await upload('besar.mp4', { seconds: 3, width: 640, height: 360 })
    const { body } = await stage.start(apiKey, 'size-key')
    await stage.rtmp.waitForPublisher('size-key', { growing: true })
    await stage.swap(apiKey, body.streamId, 'besar.mp4')
    await waitFor('the larger picture', async () => (await stage.rtmp.publisher('size-key'))?.width === 640)
    await waitFor('the list to say so', async () => (await stream())?.source === 'besar.mp4')
  })

  it.for([
    ['in the same session', 'menyusul.mp4', { seconds: 4 }],
    ['in a new session', 'lebar.mp4', { seconds: 3, width: 640, height: 360 }],
  ] as const)('is written down as soon as the database takes it, %s', async ([name, wanted, options], context) => {
    const { apiKey, upload, stream } = await somebody(context)
    await upload(wanted, options)
    const { streamId } = (await stage.start(apiKey, `refused ${name}`.replaceAll(' ', '-'))).body
    await waitFor('it to be on air', async () => (await stream())?.state === 'live')
    const [loggedBefore, before] = [stage.program.logged().length, await stage.ffmpegOf(streamId)]
    const refusal = `test: not now ${streamId}`
    const trigger = sql.id(`refuse ${streamId}`)
    await sql`create trigger ${trigger} before update of video_id on broadcasts when new.id = ${sql.lit(streamId)} begin
      select raise(abort, ${sql.lit(refusal)}); end`.execute(stage.program.db)
    await stage.swap(apiKey, streamId, wanted)
    await waitFor('the refusal', async () => stage.program.logged().slice(loggedBefore).includes(refusal))
    expect(await stream()).toMatchObject({ source: 'klip.mp4', nextSource: wanted })

    await sql`drop trigger ${trigger}`.execute(stage.program.db)
    await waitFor('the row to tell', async () => (await stream())?.source === wanted)
    await waitFor('it to be on air', async () => (await stream())?.state === 'live')
    expect(await stream()).toMatchObject({ nextSource: null })
    expect(stage.program.logged().slice(loggedBefore)).not.toContain('ffmpeg could not be started')
    const swaps = (await stage.events(apiKey, streamId)).filter(({ kind }) => kind === 'swapped')
    expect(swaps).toMatchObject([{ reason: wanted }])
    expect(before).toHaveLength(1)
    expect(await stage.ffmpegOf(streamId)).toHaveLength(1)
  })

  it('is not changed to one that is not there, nor by a stranger', async (context) => {
    const { apiKey } = await somebody(context)
    const stranger = await personWithVideo(stage.program, stage.clip)
    const { body } = await stage.start(apiKey, 'noswap-key')
    expect((await stage.swap(apiKey, body.streamId, 'tidak-ada.mp4')).body.message).toBe('Sumber video tidak valid.')
    expect((await stage.swap(stranger.apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
    await stage.stop(apiKey, body.streamId)
    expect((await stage.swap(apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
  })
})
