import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupBy, rollUpMinutes, rollUpSamples, slotOf } from '../src/modules/analytics/sample-rules.ts'
import { createSamplesRepo } from '../src/modules/analytics/samples.repo.ts'
import { clearOldRows } from '../src/modules/housekeeping/index.ts'
import { addStream, DAY, HOUR, MINUTE, numberOf, SECOND } from './support/analytics.ts'
import { analyticsStore, dyingAfter, START, sample } from './support/analytics-store.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'

describe.each(REPO_DATABASES)('the figures of analytics, on $name', { timeout: 60_000 }, ({ open }) => {
  const store = analyticsStore(open)
  const { rollUpOn, rollUpAll } = store

  it('[STAT-01] of 500 streams are one statement; a second look in the same five seconds replaces the first', async () => {
    const samples = createSamplesRepo(store.db)
    const all = Array.from({ length: 500 }, (_, index) => sample(index + 1, 10, { kbps: index }))
    await samples.write(all)
    await samples.write(all.map((one) => ({ ...one, kbps: null })))
    await samples.write([sample(7, 11), sample(8, 11)])
    expect(await samples.samples([7], 0, 100)).toEqual([sample(7, 10, { kbps: null }), sample(7, 11)])
    expect(await samples.samples([7, 8], 11, 12)).toHaveLength(2)
    expect(await samples.samples([7], 12, 5)).toEqual([])
  })

  it('[STAT-01] become minutes and hours, once, whatever is killed at any moment and however often', async () => {
    const no = await numberOf(store.db, await addStream(store.db, store.userId))
    const samples = createSamplesRepo(store.db)
    const first = slotOf(START)
    const rows = Array.from({ length: 1_500 }, (_, index) => index)
      .filter((index) => index % 11 !== 0)
      .map((index) => sample(no, first + index, index % 50 < 3 ? { state: 3, kbps: null, fps: null } : {}))
    await samples.write(rows)
    const minutes = [...groupBy(rows, 12)].map(([at, group]) => rollUpSamples(at, group))
    const hours = [...groupBy(minutes, 60)].map(([at, group]) => rollUpMinutes(at, group)).slice(0, 2)
    store.now = START + 1_500 * 5 * SECOND + MINUTE
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }), async (lives) => {
        for (const table of ['stat_minutes', 'stat_hours', 'stat_places'] as const)
          await store.db.deleteFrom(table).execute()
        for (const life of lives)
          await rollUpOn(dyingAfter(store.db, life))
            .rollUp()
            .catch(() => {})
        await rollUpAll()
        const from = Math.floor(START / MINUTE)
        expect(await samples.minutes([no], from, from + 200)).toMatchObject(minutes)
        expect(await samples.hours([no], 0, 1e6)).toMatchObject(hours)
      }),
      { numRuns: 4 },
    )
    // Nothing is left for a later round but the hour that is not over.
    expect(await rollUpOn(store.db).rollUp()).toBe(true)
    store.now += 2 * HOUR
    await rollUpAll()
    expect(await samples.hours([no], 0, 1e6)).toHaveLength(3)
    expect(await rollUpOn(store.db).rollUp()).toBe(false)
  })

  it('[STAT-01] go on becoming minutes after the clock was set back, or the program was away for days', async () => {
    const no = await numberOf(store.db, await addStream(store.db, store.userId))
    const samples = createSamplesRepo(store.db)
    store.now = START + 300 * DAY
    await samples.write([sample(no, slotOf(store.now))])
    store.now += 2 * MINUTE
    await rollUpAll()
    for (const away of [0, 3 * DAY]) {
      store.now = START + away
      await samples.write([sample(no, slotOf(store.now))])
      store.now += 2 * MINUTE
      await rollUpAll()
      const minute = Math.floor((START + away) / MINUTE)
      expect(await samples.minutes([no], minute, minute + 1)).toHaveLength(1)
    }
  })

  it('[STAT-01] are left for the next start where the program ends in the middle of a round', async () => {
    const no = await numberOf(store.db, await addStream(store.db, store.userId))
    await createSamplesRepo(store.db).write(
      Array.from({ length: 120 }, (_, index) => sample(no, slotOf(START) + index)),
    )
    store.now = START + 30 * MINUTE
    let asked = 0
    expect(await rollUpOn(store.db).rollUp(() => ++asked > 3)).toBe(true)
    expect(await store.db.selectFrom('stat_minutes').select('at').execute()).toHaveLength(3)
    await rollUpAll()
    expect(await store.db.selectFrom('stat_minutes').select('at').execute()).toHaveLength(10)
    store.now = START + 40 * DAY
    await rollUpOn(store.db).clear(() => true)
    expect(await store.db.selectFrom('stat_samples').select('at').execute()).toHaveLength(120)
  })

  it('[STAT-01] go after 48 hours, minutes after 30 days, hours and lives after a year; none before it is rolled up', async () => {
    const streamId = await addStream(store.db, store.userId, { created_at: START })
    const no = await numberOf(store.db, streamId)
    const samples = createSamplesRepo(store.db)
    const written = async (at: number) => {
      store.now = at
      await samples.write([sample(no, slotOf(at))])
    }
    const counts = async () =>
      Promise.all(
        (['stat_samples', 'stat_minutes', 'stat_hours'] as const).map(
          async (table) => (await store.db.selectFrom(table).select('at').execute()).length,
        ),
      )
    await written(START)
    await written(START + 10 * MINUTE)
    await written(START + 25 * HOUR)
    store.now = START + 3 * DAY
    await rollUpOn(store.db).clear()
    expect(await counts()).toEqual([3, 0, 0])
    await rollUpAll()
    await rollUpOn(store.db).clear()
    expect(await counts()).toEqual([1, 3, 2])
    store.now = START + 30.5 * DAY
    await rollUpOn(store.db).clear()
    expect(await counts()).toEqual([0, 1, 2])
    store.now = START + 366.5 * DAY
    await rollUpOn(store.db).clear()
    expect(await counts()).toEqual([0, 0, 1])
    await store.db.updateTable('stat_streams').set({ ended_at: START }).execute()
    await store.db
      .insertInto('stat_spans')
      .values({ stream_no: no, kind: 'run', began_at: 1, ended_at: 2, reason: null, outcome: null })
      .execute()
    expect(await clearOldRows(store.db, store.now)).toMatchObject({ stat_spans: 1, stat_streams: 1 })
    expect(await counts()).toEqual([0, 0, 0])
  })
})
