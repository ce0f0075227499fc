import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSpanCounter } from '../src/modules/analytics/count-spans.ts'
import { daysBetween } from '../src/modules/analytics/days.ts'
import { createLivesReads } from '../src/modules/analytics/lives.reads.ts'
import { createLivesRepo } from '../src/modules/analytics/lives.repo.ts'
import { follow, type Life, type LifeFact } from '../src/modules/analytics/spans.ts'
import { createTally } from '../src/modules/analytics/summarize.ts'
import { createSumsReads } from '../src/modules/analytics/sums.repo.ts'
import { createTakeFacts } from '../src/modules/analytics/take-facts.ts'
import { createRangeTally } from '../src/modules/analytics/tally-range.ts'
import { streamLives } from '../src/modules/broadcasts/store/stream-lives.ts'
import type { StreamFact } from '../src/platform/outbox/facts.ts'
import { addStream, cameBack, DAY, HOUR, MINUTE, SECOND, wasLost, wasStopped, wentLive } from './support/analytics.ts'
import { analyticsStore, dyingAfter, START } from './support/analytics-store.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'

const ZONES = ['Asia/Jakarta', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC'] as const
const NEW: Life = { knownFrom: START, firstLiveAt: null, endedAt: null, endReason: null, endCause: null, spans: [] }

function lifeFactOf({ at, fact, payload }: StreamFact): LifeFact {
  if (fact === 'stream.interrupted') return { type: 'interrupted', at, ...payload, seenAt: null }
  if (fact === 'stream.recovered') return { type: 'live', at, ...payload }
  if (fact === 'stream.ended') return { type: 'ended', at, ...payload, seenAt: null }
  return { type: 'live', at, offAirMs: null }
}

/** On air and off it, each for so long. */
function factsOf(lengths: readonly number[], reasons: readonly string[], isOver: boolean): StreamFact[] {
  const facts: StreamFact[] = [wentLive(START)]
  let at = START
  for (const [index, length] of lengths.entries()) {
    at += length
    facts.push(index % 2 === 0 ? wasLost(at, reasons[index % reasons.length]) : cameBack(at))
  }
  return isOver ? [...facts, wasStopped(at + SECOND)] : facts
}

describe.each(REPO_DATABASES)('what spans come to, on $name', { timeout: 120_000 }, ({ open }) => {
  const store = analyticsStore(open)
  let lastId = 0

  async function take(streamId: string, facts: readonly StreamFact[], size = 100): Promise<void> {
    const takeFacts = createTakeFacts({ lives: createLivesRepo(store.db, streamLives), clock: store.clock })
    for (let at = 0; at < facts.length; at += size) {
      const told = facts.slice(at, at + size).map(({ at, fact, payload }) => ({
        ...{ id: ++lastId, at, userId: store.userId, subjectKind: 'stream', subjectId: streamId, fact },
        payload: JSON.stringify(payload),
      }))
      await store.db.transaction().execute((inside) => takeFacts(inside, told))
    }
  }
  const rangeOf = (zone: string, from: number, to: number) => {
    const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
    const days = daysBetween(zone, dateOf(from), dateOf(to))
    return { days, fromMs: days[0]?.fromMs ?? 0, toMs: days.at(-1)?.toMs ?? 0 }
  }
  async function told(range: ReturnType<typeof rangeOf>) {
    const deps = { reads: createLivesReads(store.db), sums: createSumsReads(store.db), clock: store.clock }
    const { recent, onAir, longest, ...figures } = await createRangeTally(deps)(store.userId, range)
    return { ...figures, longest: longest?.seconds ?? null }
  }
  /** The same out of every span, as nobody has folded or summed them. */
  function direct(lives: readonly Life[], range: ReturnType<typeof rangeOf>) {
    const tally = createTally(range.days, store.now)
    for (const [no, { spans, endedAt }] of lives.entries()) {
      tally.addStream({
        ...{ no, broadcastId: String(no), platform: 'youtube', askedAt: START, knownFrom: START, endedAt, onAirMs: 0 },
      })
      for (const { kind, ...span } of spans)
        tally.addSpan({ ...span, id: 0, streamNo: no, isRun: kind === 'run' }, 'youtube')
    }
    const { longest, ...figures } = tally.result()
    return { ...figures, longest: longest?.seconds ?? null }
  }
  async function emptied(): Promise<void> {
    for (const table of ['stat_sums', 'stat_streams', 'stat_broadcasts'] as const)
      await store.db.deleteFrom(table).execute()
  }

  it('[STAT-02] is the same as the spans one by one: in any zone, in any batches, however often a line breaks', async () => {
    const length = fc.oneof(
      fc.integer({ min: 1, max: 8 * SECOND }),
      fc.integer({ min: SECOND, max: 40 * MINUTE }),
      fc.integer({ min: HOUR, max: 60 * HOUR }),
    )
    const flaps = fc.array(fc.integer({ min: 1, max: 20 * SECOND }), { minLength: 30, maxLength: 120 })
    const lengths = fc
      .tuple(fc.array(length, { maxLength: 6 }), flaps)
      .map(([some, many]) => [...some, ...many, ...some])
    const reasons = fc.array(fc.constantFrom('stalled', 'target-closed'), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        lengths,
        reasons,
        fc.boolean(),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 1, max: 100 }),
        async (all, why, isOver, zone, size) => {
          await emptied()
          const facts = factsOf(all, why, isOver)
          const last = facts.at(-1)?.at ?? START
          store.now = last + 5 * MINUTE
          const id = await addStream(store.db, store.userId, { created_at: START })
          await take(id, facts, size)
          const life = facts.map(lifeFactOf).reduce(follow, NEW)
          for (const range of [rangeOf(zone, START - DAY, last + DAY), rangeOf(zone, START + DAY, START + 2 * DAY)]) {
            const { longest, ...figures } = await told(range)
            const { longest: expected, ...rest } = direct(life.spans.length > 0 ? [life] : [], range)
            if (figures.totals.streams > 0) expect(figures).toEqual(rest)
            expect(longest ?? 0).toBeLessThanOrEqual(expected ?? 0)
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('[STAT-02] a line that breaks every four seconds makes at most 60 rows an hour, and loses nothing', async () => {
    const cycles = 1_800
    const lengths = Array.from({ length: 2 * cycles }, (_, index) => (index % 2 === 0 ? 2_500 : 1_500))
    const facts = factsOf(lengths, ['target-closed'], false)
    const id = await addStream(store.db, store.userId, { created_at: START })
    store.now = facts.at(-1)?.at ?? START
    await take(id, facts, 10)
    const rows = await store.db.selectFrom('stat_spans').selectAll().execute()
    const hours = Math.ceil((store.now - START) / HOUR)
    process.stdout.write(`${2 * cycles} spans in ${hours} hours are ${rows.length} rows\n`)
    expect(rows.length).toBeLessThanOrEqual(60 * hours)
    expect(rows.reduce((sum, { kind, times }) => sum + (kind === 'incident' ? times : 0), 0)).toBe(cycles)
    const { totals } = await told(rangeOf('Asia/Jakarta', START - DAY, START + DAY))
    expect(totals).toMatchObject({
      ...{ incidents: cycles, onAirSeconds: cycles * 2.5, offAirSeconds: cycles * 1.5, wantedSeconds: cycles * 4 },
    })
    const [stream] = await createLivesReads(store.db).broadcast(store.userId, id)
    expect(stream).toMatchObject({ incidents: cycles, onAirMs: cycles * 2_500 })
    const newest = await createLivesReads(store.db).newest(store.userId, stream?.no ?? 0, 0, 1_000)
    expect(newest.at(-1)?.isRun).toBe(true)
  })

  it('[SAFE-07] is read a week at a time', async () => {
    const days = rangeOf('UTC', START, START + 29 * DAY).days
    await store.db
      .insertInto('stat_sums')
      .values(
        days.map(({ fromMs }) => ({
          ...{ user_id: store.userId, grain: 60, at: fromMs / HOUR, platform: 'youtube', reason: '', incidents: 0 },
          ...{ on_air_ms: 1, off_air_ms: 0, longest_ms: 0, longest_at: 0, longest_no: 0 },
        })),
      )
      .execute()
    const pages: number[] = []
    for await (const rows of createSumsReads(store.db).between(store.userId, days)) pages.push(rows.length)
    expect(pages).toEqual([7, 7, 7, 7, 2])
  })

  it('[STAT-02] follows a clock that was set back', async () => {
    const ahead = factsOf([HOUR, 9 * MINUTE, HOUR, MINUTE, 2 * HOUR], ['stalled'], false)
    const back = [cameBack(START + 30 * MINUTE), wasLost(START + 40 * MINUTE), cameBack(START + 41 * MINUTE)]
    const id = await addStream(store.db, store.userId, { created_at: START })
    for (const fact of [...ahead, ...back]) await take(id, [fact])
    store.now = START + HOUR
    const life = [...ahead, ...back].map(lifeFactOf).reduce(follow, NEW)
    const range = rangeOf('Asia/Kathmandu', START - DAY, START + DAY)
    const { reasons, ...figures } = await told(range)
    const { reasons: expected, ...rest } = direct([life], range)
    expect(figures).toEqual(rest)
    expect(reasons.get('stalled')).toEqual(expected.get('stalled'))
  })

  it('[STAT-02] of an older version is told at once, and counted once, whatever is killed while it is counted', async () => {
    const facts = factsOf(
      Array.from({ length: 500 }, (_, index) => (index % 50 === 0 ? 30 * HOUR : 7 * MINUTE + index)),
      ['stalled', 'target-closed'],
      true,
    )
    store.now = (facts.at(-1)?.at ?? 0) + HOUR
    const life = facts.map(lifeFactOf).reduce(follow, NEW)
    const range = rangeOf('America/St_Johns', START - DAY, store.now)
    const id = await addStream(store.db, store.userId, { created_at: START })
    await take(id, [wentLive(START)])
    const { id: no } = await store.db.selectFrom('stat_streams').select('id').executeTakeFirstOrThrow()
    await store.db.deleteFrom('stat_spans').execute()
    await store.db.updateTable('stat_streams').set({ ended_at: life.endedAt, end_reason: 'stopped' }).execute()
    // As an older version writes them.
    const rows = life.spans.map(({ kind, beganAt, endedAt, reason, outcome }) => ({
      ...{ stream_no: no, kind, began_at: beganAt, ended_at: endedAt, reason, outcome },
    }))
    await store.db.insertInto('stat_spans').values(rows).execute()
    const expected = direct([life], range)
    expect(await told(range)).toEqual(expected)
    for (const statements of [1, 3, 5, 9, 12, 17]) {
      const counter = createSpanCounter({ db: dyingAfter(store.db, statements), readerName: 'analytics' })
      await counter.countAll(() => false).catch(() => {})
      expect(await told(range)).toEqual(expected)
    }
    await createSpanCounter({ db: store.db, readerName: 'analytics' }).countAll(() => false)
    expect(await told(range)).toEqual(expected)
    const left = await store.db.selectFrom('stat_spans').select('id').where('counted', '=', 0).execute()
    expect(left).toEqual([])
    const [stream] = await createLivesReads(store.db).broadcast(store.userId, id)
    expect(stream?.incidents).toBe(expected.totals.incidents)
  })
})
