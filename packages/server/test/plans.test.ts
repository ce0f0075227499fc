import { join } from 'node:path'
import type { ActiveStream } from '@siarin/contracts/streams'
import { ACCESS_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, showsAll, type TestDatabases } from './support/databases.ts'
import {
  bearer,
  call,
  giveVideo,
  processed,
  signIn,
  startProgram,
  type TestProgram,
  uploadVideo,
} from './support/program.ts'
import { streamCalls } from './support/streams.ts'

const HOUR = 3_600_000
const PATIENT = { timeoutMs: 120_000 }

let rtmp: RtmpServer
let folder: TempDir
let clip: string
/** No pass of this one ends while a test lasts. */
let long: string

beforeAll(async () => {
  rtmp = await startRtmpServer()
  folder = await tempDir('plans')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  long = join(folder.path, 'panjang.mp4')
  await makeClip(long, { picture: 'color=gray', seconds: 3.2, times: 63, fps: 10 })
})

afterAll(async () => {
  await rtmp?.stop()
  await folder?.remove()
})

describe.each(BOTH_DATABASES)('plans on $name', { timeout: 600_000 }, ({ name, open }) => {
  let databases: TestDatabases
  let program: TestProgram

  beforeAll(async () => {
    databases = await open()
    program = await startProgram({ ENFORCE_PLANS: 'true', TRIAL_DAYS: '2', ...(await databases.settings()) })
  }, 600_000)

  afterAll(async () => {
    await program?.close()
    await databases?.stop()
  })

  const allEnded = (email: string) =>
    waitFor(
      'all streams to end',
      async () => (await program.phasesOf(email)).every((phase) => phase === 'ended'),
      PATIENT,
    )

  /** Somebody with a video, and their calls. Those that are made again and again come from the page, which no plan counts. */
  async function somebody() {
    const { user, token } = await signIn(program.url)
    const { apiKey, email } = user
    const page = bearer(token)
    const upload = async (file: string, name: string) => {
      await uploadVideo(program.url, apiKey, file, name)
      await processed(program.url, apiKey, name, page)
    }
    await giveVideo(program, user, clip, page)
    const calls = streamCalls(program.url, rtmp)
    const active = async (): Promise<ActiveStream[]> =>
      (await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`, { headers: page })).body.streams
    return {
      apiKey,
      email,
      upload,
      changeVideo: async (change: { status: string }) => {
        const { id } = await program.db
          .selectFrom('users')
          .select('id')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
        await program.db.updateTable('videos').set(change).where('user_id', '=', id).execute()
      },
      active,
      start: (key: string, more = {}) => calls.start(apiKey, `${email}-${key}`, more),
      /** A stop is answered after some seconds, also where the broadcast is not off air yet. */
      async stop(streamId: string) {
        const reply = await calls.stop(apiKey, streamId)
        await waitFor('its end', async () => (await active()).every((one) => one.streamId !== streamId), PATIENT)
        return reply
      },
      stopAll: async () => {
        await Promise.all((await active()).map(({ streamId }) => calls.stop(apiKey, streamId)))
        await waitFor('the end of all', async () => (await active()).length === 0, PATIENT)
      },
      history: () => calls.history(apiKey),
      standing: async () => (await call(program.url, 'GET', '/auth/plan', { headers: page })).body.data,
      feature: (path: string) => call(program.url, 'GET', path, { headers: page }),
    }
  }

  it('[PLAN-01] of 50 starts at once exactly as many go on air as the plan has, the others are told why', async () => {
    const person = await somebody()
    await program.setPlan(person.email, 'starter')
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => person.start(`at-once-${index}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]))
    expect(new Set(refused.map(({ body }) => body.message))).toEqual(
      new Set([
        'Paket Starter mengizinkan 3 siaran bersamaan. Upgrade ke Creator Pro untuk menambah, atau hentikan siaran lain dulu.',
      ]),
    )
    expect(refused[0]?.body.code).toBe('plan_limit')
    const active = await person.active()
    expect(active).toHaveLength(3)

    await person.stop(active[1]?.streamId ?? '')
    expect((await person.start('in-its-place')).status).toBe(200)
    expect((await person.start('one-more')).status).toBe(403)
    await person.stopAll()
  })

  it('[PLAN-01] a second start to the same target is told so, and not that the plan has no place left', async () => {
    const person = await somebody()
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => person.start('dua-kali')))
    const later = await person.start('dua-kali')
    expect([...atOnce, later].filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = [...atOnce, later].filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.message])).toEqual(
      refused.map(() => [409, STREAM_TEXTS.sameTarget]),
    )
    expect(await person.start('lain')).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    await person.stopAll()
  })

  if (!showsAll(name)) return

  it.each([
    ['free-trial', 1],
    ['creator-pro', 6],
    ['business', 10],
  ] as const)('[PLAN-01] %s has %i streams at once and no more', async (plan, limit) => {
    const person = await somebody()
    await program.setPlan(person.email, plan)
    // They wait for their video: each has its place from its start, and nothing has to be sent.
    const waiting = { whenReady: true }
    await person.changeVideo({ status: 'processing' })
    for (let index = 0; index < limit; index++) expect((await person.start(`${index}`, waiting)).status).toBe(200)
    expect((await person.start('one-more', waiting)).body.message).toContain(`${limit} siaran bersamaan`)
    await person.stopAll()
    await person.changeVideo({ status: 'ready' })
  })

  it('a downgrade lets what runs go on and refuses what is new; an upgrade lets more in at once', async () => {
    const person = await somebody()
    await program.setPlan(person.email, 'starter')
    for (const key of ['one', 'two', 'three']) await person.start(key)
    await program.setPlan(person.email, 'free-trial')
    await waitFor(
      'all to be live',
      async () => (await person.active()).filter(({ state }) => state === 'live').length === 3,
      PATIENT,
    )
    expect((await person.start('four')).status).toBe(403)
    const [first, second, third] = await person.active()
    for (const one of [first, second]) await person.stop(one?.streamId ?? '')
    expect((await person.start('still-too-many')).status).toBe(403)
    await program.setPlan(person.email, 'creator-pro')
    expect((await person.start('welcome')).status).toBe(200)
    expect((await person.active()).map(({ streamId }) => streamId)).toContain(third?.streamId)
    await person.stopAll()
  })

  it('calls of other programs are counted per minute, those of the page are not', async () => {
    const person = await somebody()
    const { token } = await signIn(program.url)
    const { streamId } = (await person.start('berhenti')).body
    const ask = (headers = {}) => call(program.url, 'GET', `/fitur/steam/active?apiKey=${person.apiKey}`, { headers })
    let refused = await ask()
    // A minute that ends meanwhile begins anew.
    for (let index = 0; index < 2 * 60 && refused.status !== 429; index++) refused = await ask()
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(
        /^Paket Free Trial mengizinkan 60 permintaan API per menit\. .*upgrade ke Starter\.$/,
      ),
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // A script that asks too often can still stop what it began, and an EventSource of the page has no header for a session.
    const feed = await fetch(`${program.url}/fitur/steam/live?apiKey=${person.apiKey}`)
    expect(feed.status).toBe(200)
    await feed.body?.cancel()
    expect((await person.stop(streamId)).status).toBe(200)
    // Somebody else's session opens nothing.
    expect((await ask(bearer(token))).status).toBe(429)
    const own = await person.standing()
    expect(own.plan).toBe('free-trial')
    await program.setPlan(person.email, 'starter')
    expect((await ask()).status).toBe(200)
  })

  it('[PLAN-03] [LIVE-20] at the end of the trial streams stop at the end of their pass, and every feature call is refused', async () => {
    const person = await somebody()
    await person.upload(long, 'panjang.mp4')
    const states = async () => (await person.active()).map(({ state }) => state)
    await program.setPlan(person.email, 'starter')
    await person.start('trial')
    await person.start('trial-long', { source: 'panjang.mp4' })
    await program.setPlan(person.email, 'free-trial')
    await waitFor('both to be live', async () => (await states()).join() === 'live,live', PATIENT)
    expect(await person.standing()).toMatchObject({ plan: 'free-trial', state: 'active', endsSoon: false })
    program.clock.move(40 * HOUR)
    expect(await person.standing()).toMatchObject({ state: 'active', endsSoon: true, videosDeletedAt: null })
    expect(await states()).toEqual(['live', 'live'])
    program.clock.move(8 * HOUR)
    expect(await person.standing()).toMatchObject({ state: 'ended', videosDeletedAt: expect.any(String) })
    for (const path of [
      '/fitur/system/status',
      '/fitur/bigo/live',
      '/fitur/online',
      `/fitur/video?apiKey=${person.apiKey}`,
    ]) {
      const { status, body } = await person.feature(path)
      expect([path, status, body]).toEqual([
        path,
        403,
        { success: false, message: ACCESS_TEXTS.stopped, code: 'access_stopped' },
      ])
    }
    await waitFor('one to end', async () => (await program.phasesOf(person.email)).includes('ended'), PATIENT)
    // Both were told at once, and the pass of the other one goes on.
    expect((await program.phasesOf(person.email)).sort()).toEqual(['ended', 'live'])
    await rtmp.waitForNoPublisher(`${person.email}-trial`, PATIENT)

    // A person who pays sees everything again, and why it had stopped.
    await program.setPlan(person.email, 'starter')
    const [past] = await waitFor(
      'its end to be written',
      async () => {
        const history = await person.history()
        return history.length > 0 && history
      },
      PATIENT,
    )
    expect(past).toMatchObject({ ended: 'stopped', reason: expect.stringMatching(/^Masa paket Anda sudah habis/) })
    expect((await call(program.url, 'GET', `/fitur/video?apiKey=${person.apiKey}`)).body.data).toHaveLength(2)
    await person.stopAll()
  })

  it('[PLAN-03] a paid plan that runs out has three days more', async () => {
    const person = await somebody()
    await program.setPlan(person.email, 'starter', { plan_until: program.clock.now() + HOUR })
    await person.start('grace')
    program.clock.move(2 * HOUR)
    expect(await person.standing()).toMatchObject({ state: 'grace', endsSoon: true })
    expect((await person.active()).length).toBe(1)
    program.clock.move(72 * HOUR)
    expect(await person.standing()).toMatchObject({ state: 'ended' })
    await allEnded(person.email)
    await rtmp.waitForNoPublisher(`${person.email}-grace`, PATIENT)
  })

  it('[PLAN-05] a suspended account is off air at once and back when it is resumed', async () => {
    const person = await somebody()
    await program.setPlan(person.email, 'business')
    await person.start('suspended')
    await rtmp.waitForPublisher(`${person.email}-suspended`, { growing: true, ...PATIENT })
    await program.setPlan(person.email, 'business', { suspended_at: program.clock.now() })
    expect((await person.feature('/fitur/system/status')).body.code).toBe('access_stopped')
    await allEnded(person.email)
    await rtmp.waitForNoPublisher(`${person.email}-suspended`, PATIENT)
    await program.setPlan(person.email, 'business', { suspended_at: null })
    expect((await person.feature('/fitur/system/status')).status).toBe(200)
    expect((await person.history())[0]?.reason).toMatch(/^Akun ini dihentikan oleh administrator/)
  })
})
