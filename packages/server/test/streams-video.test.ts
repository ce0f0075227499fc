import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage
let apiKey: string

beforeAll(async () => {
  stage = await openStreamStage()
  apiKey = (await personWithVideo(stage.program, stage.clip)).apiKey
})

afterEach(() => stage.stopAll(apiKey))
afterAll(() => stage.close())

describe('the video of a broadcast', () => {
  async function upload(name: string, options: Parameters<typeof makeClip>[1]) {
    const file = join(stage.folder, name)
    await makeClip(file, options)
    await uploadVideo(stage.program.url, apiKey, file, name)
    expect(await processed(stage.program.url, apiKey, name)).toMatchObject({ status: 'ready' })
  }

  it('goes on near where it was when its ffmpeg is killed, not from the start', async () => {
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

  it('is changed on air, at the end of a pass, without a drop of the session', async () => {
    await upload('kedua.mp4', { seconds: 4 })
    const { body } = await stage.start(apiKey, 'swap-key')
    const before = await stage.rtmp.waitForPublisher('swap-key', { growing: true })
    expect(await stage.swap(apiKey, body.streamId, 'kedua.mp4')).toMatchObject({ status: 200, body: { success: true } })
    await waitFor('the second video to play', async () => (await stage.active(apiKey))[0]?.source === 'kedua.mp4')
    await waitFor('nothing to be waited for', async () => (await stage.active(apiKey))[0]?.nextSource === null)
    const after = await stage.rtmp.waitForPublisher('swap-key', { growing: true })
    expect(after.id).toBe(before.id)
    expect(after.timeMs).toBeGreaterThan(before.timeMs)
    expect((await stage.active(apiKey))[0]).toMatchObject({ state: 'live', restarts: 0 })
    const events = await stage.events(apiKey, body.streamId)
    expect(events[0]).toMatchObject({ kind: 'swapped', reason: 'kedua.mp4' })
    expect(events.filter(({ kind }) => kind === 'swapped')).toHaveLength(1)
  })

  it('of another size needs a new session, and gets it at once', async () => {
    await upload('besar.mp4', { seconds: 3, width: 640, height: 360 })
    const { body } = await stage.start(apiKey, 'size-key')
    await stage.rtmp.waitForPublisher('size-key', { growing: true })
    await stage.swap(apiKey, body.streamId, 'besar.mp4')
    await waitFor('the larger picture', async () => (await stage.rtmp.publisher('size-key'))?.width === 640)
    await waitFor('the list to say so', async () => (await stage.active(apiKey))[0]?.source === 'besar.mp4')
  })

  describe('is written down as soon as the database takes it', () => {
    const refusal = 'test: not now'
    const refuseSwaps = () =>
      sql`create trigger refuse_swaps before update of video_id on broadcasts begin
        select raise(abort, ${sql.raw(`'${refusal}'`)}); end`.execute(stage.program.db)
    const allowSwaps = () => sql`drop trigger if exists refuse_swaps`.execute(stage.program.db)
    afterEach(allowSwaps)

    it.each([
      ['in the same session', 'menyusul.mp4', { seconds: 4 }],
      ['in a new session', 'lebar.mp4', { seconds: 3, width: 640, height: 360 }],
    ])('%s', async (name, wanted, options) => {
      await upload(wanted, options)
      const { body } = await stage.start(apiKey, `refused ${name}`.replaceAll(' ', '-'))
      await waitFor('it to be on air', async () => (await stage.active(apiKey))[0]?.state === 'live')
      const [loggedBefore, before] = [stage.program.logged().length, await stage.ffmpegOf(body.streamId)]
      await refuseSwaps()
      await stage.swap(apiKey, body.streamId, wanted)
      await waitFor('the refusal', async () => stage.program.logged().slice(loggedBefore).includes(refusal))
      expect((await stage.active(apiKey))[0]).toMatchObject({ source: 'klip.mp4', nextSource: wanted })

      await allowSwaps()
      await waitFor('the row to tell', async () => (await stage.active(apiKey))[0]?.source === wanted)
      await waitFor('it to be on air', async () => (await stage.active(apiKey))[0]?.state === 'live')
      expect((await stage.active(apiKey))[0]).toMatchObject({ nextSource: null })
      expect(stage.program.logged().slice(loggedBefore)).not.toContain('ffmpeg could not be started')
      const swaps = (await stage.events(apiKey, body.streamId)).filter(({ kind }) => kind === 'swapped')
      expect(swaps).toMatchObject([{ reason: wanted }])
      expect(before).toHaveLength(1)
      expect(await stage.ffmpegOf(body.streamId)).toHaveLength(1)
    })
  })

  it('is not changed to one that is not there, nor by a stranger', async () => {
    const stranger = await personWithVideo(stage.program, stage.clip)
    const { body } = await stage.start(apiKey, 'noswap-key')
    expect((await stage.swap(apiKey, body.streamId, 'tidak-ada.mp4')).body.message).toBe('Sumber video tidak valid.')
    expect((await stage.swap(stranger.apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
    await stage.stop(apiKey, body.streamId)
    expect((await stage.swap(apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
  })
})
