import { setImmediate as anotherTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createLivesReads } from '../src/modules/analytics/lives.reads.ts'
import { createLivesRepo } from '../src/modules/analytics/lives.repo.ts'
import { slotOf } from '../src/modules/analytics/sample-rules.ts'
import { createSamplesRepo } from '../src/modules/analytics/samples.repo.ts'
import { createTakeFacts } from '../src/modules/analytics/take-facts.ts'
import { streamLives } from '../src/modules/broadcasts/store/stream-lives.ts'
import type { Db } from '../src/platform/db/database.ts'
import type { ToldFact } from '../src/platform/outbox/fact-reader.ts'
import type { StreamFact } from '../src/platform/outbox/facts.ts'
import {
  addStream,
  cameBack,
  HOUR,
  MINUTE,
  numberOf,
  SECOND,
  wasGivenUp,
  wasLost,
  wasStopped,
  wentLive,
} from './support/analytics.ts'
import { analyticsStore, dyingAfter, START, sample } from './support/analytics-store.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'

vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  return { ...timers, setImmediate: vi.fn(timers.setImmediate) }
})

describe.each(REPO_DATABASES)('the lives of streams in analytics, on $name', { timeout: 60_000 }, ({ open }) => {
  const store = analyticsStore(open)
  const { clock, rollUpAll } = store

  let lastId = 0
  const takeToldOn = (on: Db, told: readonly ToldFact[]) =>
    on
      .transaction()
      .execute((inside) => createTakeFacts({ lives: createLivesRepo(on, streamLives), clock })(inside, told))
  const takeOn = (on: Db, streamId: string, facts: readonly StreamFact[]) =>
    takeToldOn(
      on,
      facts.map(({ at, fact, payload }) => ({
        ...{ id: ++lastId, at, userId: store.userId, subjectKind: 'stream', subjectId: streamId, fact },
        payload: JSON.stringify(payload),
      })),
    )
  const take = (streamId: string, facts: readonly StreamFact[]) => takeOn(store.db, streamId, facts)
  const lifeOf = async (streamId: string) => {
    const reads = createLivesReads(store.db)
    const [stream] = await reads.broadcast(store.userId, streamId)
    const spans = stream ? await reads.newest(store.userId, stream.no, 0, 1_000) : []
    return {
      stream,
      spans: spans.map(({ isRun, beganAt, endedAt }) => [isRun ? 'run' : 'incident', beganAt, endedAt]),
    }
  }

  it('[STAT-02] become runs and incidents, in any batches', async () => {
    const id = await addStream(store.db, store.userId, { title: 'Pagi', created_at: 100 })
    await take(id, [wentLive(200)])
    await take(id, [wasLost(300), cameBack(400), wasLost(500, 'session-renewed', true)])
    await take(id, [cameBack(510), wasStopped(900)])
    const { stream, spans } = await lifeOf(id)
    expect(stream).toMatchObject({ title: 'Pagi', platform: 'youtube', askedAt: 100, firstLiveAt: 200, endedAt: 900 })
    expect(spans).toEqual([
      ...[
        ['run', 200, 300],
        ['incident', 300, 400],
        ['run', 400, 500],
        ['incident', 500, 510],
        ['run', 510, 900],
      ],
    ])
  })

  it('[STAT-02] of a stream that failed make one incident; those of one that is gone make nothing, and hold up nobody', async () => {
    const id = await addStream(store.db, store.userId)
    await take(id, [wasGivenUp(700, 'target-refused')])
    expect((await lifeOf(id)).spans).toEqual([['incident', 100, 700]])
    await take('gone', [wentLive(1), wasStopped(2)])
    expect(await createLivesReads(store.db).broadcast(store.userId, 'gone')).toEqual([])
  })

  it('[STAT-02] of a restart cut the run where its figures end', async () => {
    const id = await addStream(store.db, store.userId, { created_at: START })
    const no = await numberOf(store.db, id)
    const samples = createSamplesRepo(store.db)
    await take(id, [wentLive(START)])
    const seen = Array.from({ length: 130 }, (_, index) => sample(no, slotOf(START) + index))
    await samples.write(seen)
    store.now = START + 10 * MINUTE
    await rollUpAll()
    // The power was away for three hours.
    const back = START + 3 * HOUR
    await take(id, [wasLost(back, 'program-restarted'), cameBack(back + 4_000)])
    const off = START + 130 * 5 * SECOND
    expect((await lifeOf(id)).spans).toEqual([
      ...[
        ['run', START, off],
        ['incident', off, back + 4_000],
        ['run', back + 4_000, null],
      ],
    ])
  })

  it('[STAT-02] of an end that a kill has put off close the run where its figures end', async () => {
    const [put, usual] = [START + 8 * HOUR, START + 650 * SECOND + 40 * SECOND]
    for (const [endedAt, over] of [
      [put, START + 650 * SECOND],
      [usual, usual],
    ] as const) {
      const id = await addStream(store.db, store.userId, { created_at: START })
      const no = await numberOf(store.db, id)
      await take(id, [wentLive(START)])
      await createSamplesRepo(store.db).write(
        Array.from({ length: 130 }, (_, index) => sample(no, slotOf(START) + index)),
      )
      store.now = START + 10 * MINUTE
      await rollUpAll()
      vi.mocked(anotherTurn).mockClear()
      await take(id, [wasStopped(endedAt)])
      // All who write wait for this transaction.
      expect(anotherTurn).not.toHaveBeenCalled()
      expect((await lifeOf(id)).spans).toEqual([['run', START, over]])
      expect((await lifeOf(id)).stream?.endedAt).toBe(over)
    }
  })

  it('[STAT-02] after the clock was set back move what it had written ahead, also in earlier batches', async () => {
    const id = await addStream(store.db, store.userId, { created_at: 100 })
    for (const fact of [wentLive(200), wasLost(9_000), cameBack(9_100), wasLost(9_200)]) await take(id, [fact])
    await take(id, [cameBack(400), wasStopped(500)])
    expect((await lifeOf(id)).spans).toEqual([
      ...[
        ['run', 200, 400],
        ['incident', 400, 400],
        ['run', 400, 400],
        ['incident', 400, 400],
        ['run', 400, 500],
      ],
    ])
  })

  it('[STAT-03] of a schedule tell what it started, also what it started in place of what was never on air', async () => {
    const ids = [await addStream(store.db, store.userId), await addStream(store.db, store.userId)]
    for (const [index, streamId] of ids.entries()) {
      await take(streamId, [{ at: 200, fact: 'stream.started', payload: { platform: 'youtube' } }])
      const payload = JSON.stringify({ scheduleId: 'j1', title: 'Rutin', dueAt: 150, streamId })
      const fact = index === 0 ? 'schedule.started' : 'schedule.restarted'
      await takeToldOn(store.db, [
        { id: ++lastId, at: 210, userId: store.userId, subjectKind: 'schedule', subjectId: 'j1', fact, payload },
      ])
      expect((await lifeOf(streamId)).stream?.schedule).toEqual({ id: 'j1', title: 'Rutin', dueAt: 150 })
    }
  })

  it('[STAT-02] that cannot be read hold up nobody, and count as far as they can', async () => {
    const streamId = await addStream(store.db, store.userId)
    await take(streamId, [wentLive(START)])
    const told = { userId: store.userId, subjectKind: 'stream', subjectId: streamId }
    for (const payload of ['{', 'null', '[1]', '"x"']) {
      const schedule = { ...told, id: ++lastId, at: START, subjectKind: 'schedule', fact: 'schedule.started', payload }
      const unknown = { ...told, id: ++lastId, at: START, fact: 'stream.started', payload }
      await takeToldOn(store.db, [schedule, unknown])
    }
    await takeToldOn(store.db, [{ ...told, id: ++lastId, at: START + MINUTE, fact: 'stream.ended', payload: '{' }])
    expect((await lifeOf(streamId)).spans).toEqual([['run', START, START + MINUTE]])
  })

  const onAir = (since: number, reconnects = 0) => {
    const live = { at: 'live', sinceMs: since, failures: 0, accepted: true, offAirSinceMs: null, firstLiveMs: since }
    const state = JSON.stringify({ ...live, reconnects })
    return addStream(store.db, store.userId, { phase: 'live', live_since: since, created_at: 100, state })
  }

  it('[STAT-02] begin with what the rows say also where the start could not read them, and a sample came first', async () => {
    const id = await onAir(500)
    await numberOf(store.db, id)
    await take(id, [wasLost(800)])
    expect((await lifeOf(id)).spans).toEqual([
      ...[
        ['run', 500, 800],
        ['incident', 800, null],
      ],
    ])
  })

  it('[STAT-02] of one that nobody followed count from what is told of it first', async () => {
    await take('nobody', [])
    const id = await onAir(500)
    await take(id, [wasStopped(900)])
    const { stream, spans } = await lifeOf(id)
    expect([stream?.knownFrom, stream?.endedAt, spans]).toEqual([900, 900, []])
  })

  it('[STAT-02] begin with what the rows say of those that are on air already, once', async () => {
    const id = await onAir(500)
    await take(id, [])
    expect((await lifeOf(id)).spans).toEqual([['run', 500, null]])
    // Told before the rows were read: it changes nothing.
    await take(id, [wentLive(500)])
    await take(id, [wasLost(800)])
    expect((await lifeOf(id)).spans).toEqual([
      ...[
        ['run', 500, 800],
        ['incident', 800, null],
      ],
    ])
  })

  it('[STAT-02] are taken whole or not at all, whatever is killed', async () => {
    const id = await addStream(store.db, store.userId)
    const facts = [wentLive(200), wasLost(300), cameBack(400), wasStopped(500)]
    for (let life = 0; life < 30; life++) {
      const died = await takeOn(dyingAfter(store.db, life), id, facts).then(
        () => false,
        () => true,
      )
      const { spans } = await lifeOf(id)
      expect(spans).toHaveLength(died ? 0 : 3)
      if (!died) return
    }
    throw new Error('it never got through')
  })

  it('[STAT-04] go with the account, and with them the hours', async () => {
    const id = await addStream(store.db, store.userId)
    await take(id, [wentLive(200)])
    const no = await numberOf(store.db, id)
    await createSamplesRepo(store.db).write([sample(no, slotOf(START))])
    store.now = START + 3 * HOUR
    await rollUpAll()
    await store.db.deleteFrom('users').where('id', '=', store.userId).execute()
    for (const table of ['stat_streams', 'stat_spans', 'stat_hours'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})
