import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { personWithVideo, type TestProgram } from './support/program.ts'
import { dailyAt, HOUR_MS, minuteAfter, scheduleCalls } from './support/schedules.ts'
import { streamCalls } from './support/streams.ts'

/** So that no pass of it ends while the clock is wrong. */
const CLIP_SECONDS = 60
const PATIENT = { timeoutMs: 60_000 }

describe.each(DATABASES)('[SCHED-02] what a clock that is two hours ahead ends, on $name', ({ open }) => {
  let folder: TempDir
  let rtmp: RtmpServer
  let program: TestProgram
  beforeAll(async () => {
    folder = await tempDir('schedule-clock')
    await makeClip(join(folder.path, 'klip.mp4'), { seconds: CLIP_SECONDS })
    rtmp = await startRtmpServer()
    program = await startProgramOn(open, {}, {})
  }, 120_000)
  afterAll(async () => {
    await program?.close()
    await rtmp?.stop()
    await folder?.remove()
  })

  it('goes on air again at the true look, and what its owner stopped does not', { timeout: 180_000 }, async () => {
    const { apiKey } = await personWithVideo(program, join(folder.path, 'klip.mp4'))
    const person = scheduleCalls(program, apiKey)
    const streams = streamCalls(program.url, rtmp)
    const due = minuteAfter(program.clock.now())
    async function schedule(key: string, more: object = {}) {
      const target = { platform: 'lain', rtmpStream: `${rtmp.url}/${key}` }
      const { id } = (await person.create(dailyAt(due, 30), more, target)).body.data
      return { key, first: async () => (await person.rowsOf(id))[0] }
    }
    const ended = await schedule('diakhiri')
    const stopped = await schedule('dihentikan')
    const ending = await schedule('hampir', { endAtPass: true })
    const late = await schedule('dihentikan-kemudian', { endAtPass: true })
    const all = [ended, stopped, ending, late]
    const states = async () => Promise.all(all.map(async ({ first }) => (await first())?.state))

    program.clock.move(due - program.clock.now())
    for (const { key } of all) await rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
    const begun = await Promise.all(all.map(async ({ first }) => (await first())?.broadcast_id ?? ''))
    await streams.stop(apiKey, begun[1] ?? '')

    program.clock.move(2 * HOUR_MS)
    await waitFor('the harm', async () => (await states()).every((state) => state === 'ended'), PATIENT)
    await rtmp.waitForNoPublisher(ended.key, PATIENT)
    // Its pass goes on, and its owner wants it off air at once.
    await streams.stop(apiKey, begun[3] ?? '')

    program.clock.move(-2 * HOUR_MS)
    await waitFor('those to be taken back', async () => (await states())[0] === 'started', PATIENT).catch(() => {})
    expect(await states()).toEqual(['started', 'ended', 'started', 'ended'])
    await rtmp.waitForPublisher(ended.key, { growing: true, ...PATIENT })
    // Another broadcast: the first one is over. The one that was still on air goes on as it was.
    expect((await ended.first())?.broadcast_id).not.toBe(begun[0])
    expect((await ending.first())?.broadcast_id).toBe(begun[2])
    const wanted = program.db
      .selectFrom('broadcasts')
      .select(['desired', 'end_cause'])
      .where('id', '=', begun[2] ?? '')
    expect(await wanted.execute()).toEqual([{ desired: 'live', end_cause: null }])
    expect((await streams.active(apiKey)).map(({ broadcastId }) => broadcastId)).toHaveLength(2)

    // Both end at the true end.
    program.clock.move(HOUR_MS / 2)
    await waitFor('the end', async () => (await states()).every((state) => state === 'ended'), PATIENT)
    await rtmp.waitForNoPublisher(ended.key, PATIENT)
  })
})
