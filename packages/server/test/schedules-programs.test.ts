import { setTimeout as sleep } from 'node:timers/promises'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { personWithVideo, startProgram } from './support/program.ts'
import { HOUR_MS, MINUTE_MS, minuteAfter, onceAt, scheduleCalls, scheduler } from './support/schedules.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { openStreamStage } from './support/streams.ts'

const DAY_MS = 86_400_000

describe('schedules of several programs on one PostgreSQL', { timeout: 120_000 }, () => {
  it('[SCHED-02] start once with two of them', async () => {
    const database = await migratedPostgres()
    const shared = {
      ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis() },
      APP_SECRET: 'satu rahasia untuk dua program',
    }
    const programs = [await startProgram(shared), await startProgram(shared)] as const
    const person = await scheduler(programs[0])
    const due = minuteAfter(programs[0].clock.now())
    const ids = []
    for (let count = 0; count < 6; count++) ids.push((await person.create(onceAt(due))).body.data.id)
    for (const { clock } of programs) clock.move(due - clock.now())
    await waitFor('all to start', async () => (await person.broadcasts(person.id)).length >= ids.length)
    await sleep(500)
    expect(await person.broadcasts(person.id)).toHaveLength(ids.length)
    for (const program of programs) await program.close()
    await database.drop()
  })

  it('[SCHED-02] [SCHED-03] one that ended between claim and launch: the next starts it, late, once; past its window it is missed', async () => {
    const database = await migratedPostgres()
    const shared = { DATABASE_URL: database.url, APP_SECRET: 'satu rahasia untuk dua program' }
    const first = await startProgram(shared)
    // Its clock is behind, so that what it plans is in the past of the one after it.
    first.clock.move(-2 * HOUR_MS)
    const due = minuteAfter(first.clock.now())
    const early = await scheduler(first)
    const long = (await early.create(onceAt(due, 300))).body.data.id
    const short = (await early.create(onceAt(due, 30))).body.data.id
    await first.db
      .updateTable('schedule_occurrences')
      .set({ state: 'starting', tries: 1, next_try_at: due + DAY_MS })
      .where('schedule_id', '=', long)
      .execute()
    await first.close()

    const second = await startProgram(shared)
    const person = { ...early, ...scheduleCalls(second, early.apiKey) }
    const stateOf = async (id: string) => (await person.rowsOf(id))[0]?.state
    await waitFor('its start', async () => (await stateOf(long)) === 'started')
    await waitFor('the other to be missed', async () => (await stateOf(short)) === 'missed')
    expect(await person.broadcasts(person.id)).toHaveLength(1)
    const shown = await person.upcoming(`?from=${new Date(due - HOUR_MS).toISOString()}`)
    const [late, missed] = [long, short].map((id) => shown.find(({ scheduleId }) => scheduleId === id))
    expect(late?.lateMinutes).toBeGreaterThan(100)
    expect(missed).toMatchObject({ state: 'missed', lateMinutes: null })
    expect((await second.activityOf(early.email)).map(({ kind }) => kind)).toContain('schedule-late')
    await second.close()
    await database.drop()
  })
})

it('[SCHED-02] goes on air at the ingest and ends to the second, or at the end of its pass', {
  timeout: 300_000,
}, async () => {
  const stage = await openStreamStage()
  const { program, rtmp } = stage
  const { apiKey } = await personWithVideo(program, stage.clip)
  const calls = scheduleCalls(program, apiKey)
  const due = minuteAfter(program.clock.now())
  for (const [key, endAtPass] of [
    ['detik', false],
    ['putaran', true],
  ] as const) {
    const target = { rtmpStream: `${rtmp.url}/${key}` }
    expect((await calls.create(onceAt(due, 10), { endAtPass }, { ...target, title: key })).status).toBe(200)
  }
  program.clock.move(due - program.clock.now())
  for (const key of ['detik', 'putaran']) await rtmp.waitForPublisher(key, { growing: true })
  await waitFor('both to be live', async () => (await stage.active(apiKey)).every(({ state }) => state === 'live'))
  expect(await stage.active(apiKey)).toHaveLength(2)
  program.clock.move(due + 10 * MINUTE_MS - program.clock.now())
  await waitFor('both to end', async () => (await stage.active(apiKey)).length === 0, { timeoutMs: 60_000 })
  const history = await stage.history(apiKey)
  expect(history).toHaveLength(2)
  for (const { ended, reason } of history) {
    expect({ ended, reason }).toEqual({ ended: 'stopped', reason: STREAM_REASON_TEXTS['schedule-ended'] })
  }
  const desired = await program.db.selectFrom('broadcasts').select(['title', 'desired']).orderBy('title').execute()
  expect(desired).toEqual([
    { title: 'detik', desired: 'stopped' },
    { title: 'putaran', desired: 'ending' },
  ])
  await stage.close()
})
