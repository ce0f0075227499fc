import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { type PlanId, planOf } from '@siarin/contracts/plans'
import { SCHEDULE_REASON_TEXTS, SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  fromAddress,
  personWithVideo,
  randomAddress,
  signIn,
  startProgram,
  type TestProgram,
} from './support/program.ts'
import { HOUR_MS, MINUTE_MS, minuteAfter, onceAt, scheduleCalls } from './support/schedules.ts'
import { openStreamStage, type StreamStage, streamCalls } from './support/streams.ts'

/** They move the clock of one program: one after the other, while another one waits beside them. */
const IN_TURN = { concurrent: false }

let stage: StreamStage
/** Another program, with a clock of its own: what waits there is waited for while the clock of the first one is moved. */
let apart: TestProgram

beforeAll(async () => {
  stage = await openStreamStage({ ENFORCE_PLANS: 'true' })
  apart = await startProgram({ ENFORCE_PLANS: 'true' })
})
afterAll(async () => {
  await apart?.close()
  await stage?.close()
})

const at = (key: string): string => `${stage.rtmp.url}/${key}`
const typed = (key: string) => ({ platform: 'lain', rtmpStream: at(key) })
const to = (instant: number, { clock } = stage.program) => clock.move(instant - clock.now())

/** Somebody with a video, who schedules it to `targets`. */
async function somebody(plan: PlanId = 'business', program = stage.program) {
  const user = await personWithVideo(program, stage.clip)
  await program.setPlan(user.email, plan)
  const calls = scheduleCalls(program, user.apiKey)
  const headers = { 'x-api-key': user.apiKey }
  return {
    ...user,
    ...calls,
    toTargets: (rule: object, targets: readonly object[], more: object = {}) =>
      calls.ask('POST', '', { rule, broadcast: { source: 'klip.mp4', targets, ...more } }),
    /** A stored target; answers its id. */
    async store(name: string, key: string): Promise<string> {
      const body = { name, platform: 'lain', key: at(key) }
      const answer = await call(program.url, 'POST', '/fitur/target', { body, headers })
      expect({ status: answer.status, message: answer.body.message }).toMatchObject({ status: 200 })
      return answer.body.data.id
    },
    remove: (id: string) => call(program.url, 'DELETE', `/fitur/target/${id}`, { headers }),
    active: () => streamCalls(program.url, stage.rtmp).active(user.apiKey),
    /** The first of what is due around now. */
    async occurrence() {
      const from = new Date(program.clock.now() - 3 * HOUR_MS).toISOString()
      return (await calls.upcoming(`?from=${from}`))[0]
    },
  }
}

describe.concurrent('[SCHED-01] a schedule with several targets', { timeout: 120_000 }, () => {
  it('goes to all of them at its minute, as one broadcast, and ends at all of them together', IN_TURN, async () => {
    const person = await somebody()
    const due = minuteAfter(stage.program.clock.now())
    const [first, second] = [await person.store('Kanal utama', 'banyak-1'), await person.store('Cadangan', 'banyak-2')]
    const targets = [{ targetId: first }, { targetId: second }, typed('banyak-3')]
    const { status, body } = await person.toTargets(onceAt(due, 10), targets)
    expect({ status, message: body.message }).toEqual({ status: 200, message: SCHEDULE_TEXTS.created })
    const shown = [
      { targetId: first, name: 'Kanal utama', platform: 'lain', deleted: false },
      { targetId: second, name: 'Cadangan', platform: 'lain', deleted: false },
      { targetId: null, name: null, platform: 'lain', deleted: false },
    ]
    expect(body.data.broadcast).toMatchObject({ platform: 'lain', targets: shown })
    expect((await person.ask('GET', '')).body.data[0].broadcast.targets).toEqual(shown)
    expect(await person.upcoming()).toMatchObject([{ targets: shown, platform: 'lain' }])
    expect(JSON.stringify([body, await person.upcoming()])).not.toContain('banyak-3')

    to(due)
    for (const key of ['banyak-1', 'banyak-2', 'banyak-3']) await stage.rtmp.waitForPublisher(key, { growing: true })
    await waitFor('all to be live', async () => (await person.active()).every(({ state }) => state === 'live'))
    const active = await person.active()
    expect(active.map(({ targetName }) => targetName).sort()).toEqual(['Cadangan', 'Kanal utama', null])
    const { streamId } = (await person.occurrence()) ?? {}
    for (const { broadcastId } of active) expect(broadcastId).toBe(streamId)

    to(due + 10 * MINUTE_MS)
    await waitFor('all to end', async () => (await person.active()).length === 0)
    const history = await stage.history(person.apiKey)
    expect(history.map(({ reason }) => reason)).toEqual(Array(3).fill(STREAM_REASON_TEXTS['schedule-ended']))
    const ends = history.map(({ endedAt }) => Date.parse(endedAt))
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(5 * 2_000)
    expect(await person.occurrence()).toMatchObject({ state: 'ended' })
  })

  it(
    '[SCHED-04] whose stored target was deleted says so by its name, ahead of time and at its minute; with another one it starts',
    IN_TURN,
    async () => {
      const person = await somebody()
      const due = minuteAfter(stage.program.clock.now(), 3 * HOUR_MS)
      const [kept, gone] = [await person.store('Tetap', 'tetap'), await person.store('Kanal lama', 'lama')]
      const { body } = await person.toTargets(onceAt(due), [{ targetId: kept }, { targetId: gone }])
      expect((await person.remove(gone)).status).toBe(200)
      to(due - 30 * MINUTE_MS)
      const warned = await waitFor('a warning', async () => {
        const one = await person.occurrence()
        return one?.warningCode === 'target-deleted' && one
      })
      expect(warned.warning).toBe('Tujuan Kanal lama sudah dihapus. Ubah jadwal ini, lalu pilih tujuan lain.')
      expect(warned.targets).toMatchObject([{ deleted: false }, { name: 'Kanal lama', deleted: true }])
      to(due)
      const refused = await waitFor('a reason', async () => {
        const one = await person.occurrence()
        // Not while it is being tried again.
        return one?.reasonCode === 'target-deleted' && one.state === 'due' && one
      })
      expect(refused).toMatchObject({ state: 'due', reason: warned.warning, streamId: null })
      expect(await person.active()).toEqual([])

      const mended = { broadcast: { source: 'klip.mp4', targets: [{ targetId: kept }] } }
      expect((await person.ask('PATCH', `/${body.data.id}`, mended)).status).toBe(200)
      await stage.rtmp.waitForPublisher('tetap', { growing: true })
      expect(await person.occurrence()).toMatchObject({ state: 'started', reason: null })
      await stage.stopAll(person.apiKey)
    },
  )

  it('[SCHED-04] whose targets are more than the plan has places left says so ahead of time', IN_TURN, async () => {
    const person = await somebody('creator-pro')
    const due = minuteAfter(stage.program.clock.now(), 2 * HOUR_MS)
    const places = planOf('creator-pro').limits.concurrentStreams
    const targets = Array.from({ length: places }, (_, place) => typed(`penuh-${place}`))
    expect((await person.toTargets(onceAt(due), targets)).status).toBe(200)
    const codeOf = async () => (await person.occurrence())?.warningCode
    expect((await stage.start(person.apiKey, 'di-jalan')).status).toBe(200)
    to(due - 50 * MINUTE_MS)
    await waitFor('a warning', async () => (await codeOf()) === 'plan-limit')
    await stage.stopAll(person.apiKey)
    to(due - 30 * MINUTE_MS)
    await waitFor('no warning', async () => (await codeOf()) === null)
    await person.ask('DELETE', `/${(await person.occurrence())?.scheduleId}`)
  })

  it(
    '[SCHED-04] whose key another broadcast is sent to says so ahead of time, until that has ended',
    IN_TURN,
    async () => {
      const person = await somebody()
      const due = minuteAfter(stage.program.clock.now(), 2 * HOUR_MS)
      expect((await person.toTargets(onceAt(due), [typed('bebas'), typed('dipakai')])).status).toBe(200)
      expect((await stage.start(person.apiKey, 'dipakai')).status).toBe(200)
      to(due - 50 * MINUTE_MS)
      const warned = await waitFor('a warning', async () => {
        const one = await person.occurrence()
        return one?.warningCode ? one : false
      })
      expect(warned).toMatchObject({ warningCode: 'target-in-use', warning: SCHEDULE_REASON_TEXTS['target-in-use'] })
      await stage.stopAll(person.apiKey)
      to(due - 30 * MINUTE_MS)
      await waitFor('no warning', async () => (await person.occurrence())?.warningCode === null)
      await person.ask('DELETE', `/${warned.scheduleId}`)
    },
  )

  it('[SCHED-04] whose key is only in use by what ends before it says nothing', IN_TURN, async () => {
    const person = await somebody()
    const first = minuteAfter(stage.program.clock.now(), HOUR_MS)
    const due = first + 40 * MINUTE_MS
    expect((await person.toTargets(onceAt(first, 30), [typed('beruntun')])).status).toBe(200)
    const { body } = await person.toTargets(onceAt(due), [typed('beruntun')])
    const later = () =>
      stage.program.db.selectFrom('schedule_occurrences').selectAll().where('schedule_id', '=', body.data.id)
    to(first)
    await stage.rtmp.waitForPublisher('beruntun', { growing: true })
    await waitFor('a first check', async () => ((await later().executeTakeFirstOrThrow()).check_at ?? 0) > first)
    to(first + 12 * MINUTE_MS)
    const isCheckedAgain = async () =>
      ((await later().executeTakeFirstOrThrow()).check_at ?? 0) > first + 20 * MINUTE_MS
    await waitFor('another one, while it is in use', isCheckedAgain)
    expect(await person.active()).toHaveLength(1)
    expect(await later().executeTakeFirstOrThrow()).toMatchObject({ state: 'due', warning: null })
    await stage.stopAll(person.apiKey)
  })

  it(
    'keeps its targets and their keys through a change that names none, and asks for those that it cannot know',
    IN_TURN,
    async () => {
      const person = await somebody()
      const due = minuteAfter(stage.program.clock.now(), HOUR_MS)
      const id = await person.store('Utama', 'ubah-1')
      const { body } = await person.toTargets(onceAt(due), [{ targetId: id }, typed('ubah-2')])
      const change = (broadcast: object) =>
        person.ask('PATCH', `/${body.data.id}`, { broadcast: { source: 'klip.mp4', ...broadcast } })
      const same = await change({ looping: false })
      expect(same.body.data.broadcast).toMatchObject({ looping: false, targets: body.data.broadcast.targets })
      const bare = await change({ targets: [{ platform: 'lain' }, { targetId: id }] })
      expect(bare.body.data.broadcast.targets.map(({ name }: { name: string | null }) => name)).toEqual([null, 'Utama'])
      for (const [broadcast, message] of [
        [{ targets: [{ platform: 'youtube' }] }, STREAM_TEXTS.keyRequired],
        [{ targets: [{ platform: 'lain' }, { platform: 'lain' }] }, STREAM_TEXTS.keyRequired],
        [{ targets: [] }, BROADCAST_TEXTS.targetsRequired],
        [{ targets: [typed('x')], platform: 'lain' }, SCHEDULE_TEXTS.targetsTwice],
        [{ rtmpStream: 'kunci' }, STREAM_TEXTS.platformUnknown],
      ] as const) {
        const { status, body: answer } = await change(broadcast)
        expect({ status, message: answer.message }).toEqual({ status: 400, message })
      }
      expect(await person.toTargets(onceAt(due), [typed('sama'), typed('sama')])).toMatchObject({ status: 409 })
      expect(
        (await person.ask('POST', '', { rule: onceAt(due), broadcast: { source: 'klip.mp4' } })).body.message,
      ).toBe(STREAM_TEXTS.platformUnknown)
      to(due)
      for (const key of ['ubah-1', 'ubah-2']) await stage.rtmp.waitForPublisher(key, { growing: true })
      await stage.stopAll(person.apiKey)
      expect(await stage.program.dump()).not.toContain('ubah-2')
    },
  )

  it(
    'a session from a strange browser proves its password before a schedule sends to a stored target',
    IN_TURN,
    async () => {
      const { program } = stage
      const { user, password } = await signIn(program.url)
      await program.setPlan(user.email, 'business')
      const from = fromAddress(randomAddress())
      const login = { email: user.email, password }
      const { token } = (await call(program.url, 'POST', '/auth/login', { body: login, headers: from })).body
      program.clock.move(16 * MINUTE_MS)
      const headers = { authorization: `Bearer ${token}`, ...from }
      const ask = (targets: readonly object[]) =>
        call(program.url, 'POST', '/fitur/schedule', {
          body: { rule: onceAt(minuteAfter(program.clock.now(), HOUR_MS)), broadcast: { source: 'klip.mp4', targets } },
          headers,
        })
      const needed = { status: 403, body: { code: 'password_needed' } }
      expect(await ask([typed('x'), { targetId: 'siapa-pun' }])).toMatchObject(needed)
      expect(await ask([{ platform: 'lain', targetOf: 'siapa-pun' }])).toMatchObject(needed)
      // It would start long after a stolen session has ended.
      expect(await ask([typed('x')])).toMatchObject(needed)
    },
  )

  it(
    '[SCHED-04] whose key the platform refuses at one of its targets goes on at the others, and says why',
    IN_TURN,
    async () => {
      const person = await somebody()
      const due = minuteAfter(stage.program.clock.now())
      const refused = { platform: 'lain', rtmpStream: `${stage.rtmp.refusingUrl}/satu-ditolak` }
      expect((await person.toTargets(onceAt(due), [refused, typed('satu-diterima')])).status).toBe(200)
      to(due)
      await stage.rtmp.waitForPublisher('satu-diterima', { growing: true })
      await waitFor('the reason', async () => (await person.occurrence())?.reasonCode === 'target-refused')
      expect(await person.occurrence()).toMatchObject({ state: 'started' })
      await waitFor('the other to be live', async () => (await person.active()).some(({ state }) => state === 'live'))
      await stage.stopAll(person.apiKey)
      // Its owner has ended it: nothing is started again.
      await waitFor('nothing to be said any more', async () => (await person.occurrence())?.reason === null)
      expect(await person.active()).toEqual([])
    },
  )
})

describe.concurrent('[SCHED-04] a schedule whose key the platform refuses', { timeout: 120_000 }, () => {
  it('says why, is started again within its window, and goes on air with the key that its owner gives it', async () => {
    const person = await somebody('business', apart)
    const due = minuteAfter(apart.clock.now())
    const refused = { platform: 'lain', rtmpStream: `${stage.rtmp.refusingUrl}/ditolak` }
    const { body } = await person.create(onceAt(due, 120), {}, refused)
    to(due, apart)
    const said = await waitFor('the reason', async () => {
      const one = await person.occurrence()
      return one?.reasonCode === 'target-refused' && one
    })
    expect(said.reason).toBe(STREAM_REASON_TEXTS['target-refused'])
    const broadcast = { source: 'klip.mp4', ...typed('diterima') }
    expect((await person.ask('PATCH', `/${body.data.id}`, { broadcast })).status).toBe(200)
    // The first one is given up, with the key that it had, and only then comes another.
    await stage.rtmp.waitForPublisher('diterima', { growing: true, timeoutMs: 60_000 })
    const [first] = await streamCalls(apart.url, stage.rtmp).history(person.apiKey)
    expect(first).toMatchObject({ ended: 'failed', reason: said.reason, streamId: said.streamId })
    await waitFor('nothing to be said any more', async () => (await person.occurrence())?.reason === null)
    const { streamId } = (await person.occurrence()) ?? {}
    expect(streamId).not.toBe(first?.streamId)
    expect((await person.active()).map(({ broadcastId }) => broadcastId)).toEqual([streamId])
    to(due + 120 * MINUTE_MS, apart)
    await waitFor('its end', async () => (await person.active()).length === 0)
    expect(await person.occurrence()).toMatchObject({ state: 'ended' })
  })
})
