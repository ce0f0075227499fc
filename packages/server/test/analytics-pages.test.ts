import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBroadcastLister } from '../src/modules/analytics/list-broadcasts.ts'
import { createLivesReads } from '../src/modules/analytics/lives.reads.ts'
import { createLivesRepo } from '../src/modules/analytics/lives.repo.ts'
import { oldStatBroadcasts } from '../src/modules/analytics/old-analytics.ts'
import { createOverview } from '../src/modules/analytics/overview.ts'
import { createSumsReads } from '../src/modules/analytics/sums.repo.ts'
import { wantedAt } from '../src/modules/analytics/wanted-at.ts'
import { streamLives } from '../src/modules/broadcasts/store/stream-lives.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { deleteOldRows } from '../src/platform/db/old-rows.ts'
import { addStream, DAY, HOUR, MINUTE } from './support/analytics.ts'
import { dyingAfter, START } from './support/analytics-store.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { looksAt, measureCalmest, measuredText, STALL_MS } from './support/rows-read.ts'

const MANY = 5_000
const FROM = START
const TO = START + DAY
const LIMIT = 20
/** Targets that one broadcast had, one after the other. */
const TARGETS = 12_500

describe.each(REPO_DATABASES)('pages of broadcasts, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    userId = await addUser(db)
    for (const id of [userId, await addUser(db), await addUser(db), await addUser(db)]) await addYears(id)
  })
  afterAll(() => close())

  /** Streams a minute after each other, of one broadcast or of one each. */
  async function addMany(user_id: string, name: string, from: number, many: number, broadcast?: string): Promise<void> {
    const broadcastId = broadcast ? sql`${broadcast}` : sql`${name} || place`
    await sql`
      insert into stat_streams
        (stream_id, broadcast_id, user_id, title, platform, asked_at, known_from, ended_at, on_air_ms, incidents, listed)
      with recursive places(place) as (
        select 0 union all select place + 1 from places where place + 1 < ${sql.lit(many)})
      select cast(${name} as text) || place, ${broadcastId}, cast(${user_id} as text), 't', 'youtube',
        ${sql.lit(from)} + place * 6000, ${sql.lit(from)} + place * 6000, ${sql.lit(from)} + place * 6000 + 5000,
        4000, 1, 1 from places`.execute(db)
    await sql`
      insert into stat_broadcasts (broadcast_id, user_id, asked_at)
      select broadcast_id, user_id, min(asked_at) from stat_streams where listed = 1
      group by broadcast_id, user_id on conflict do nothing`.execute(db)
  }
  /** Short broadcasts, before those days and after them. */
  async function addYears(userId: string): Promise<void> {
    for (const from of [FROM - 400 * DAY, TO + DAY]) await addMany(userId, `${userId} ${from} `, from, MANY)
  }
  /** As an older version writes it. */
  async function add(broadcast_id: string, asked_at: number, ended_at: number | null, user_id = userId): Promise<void> {
    await db
      .insertInto('stat_streams')
      .values({
        ...{ stream_id: randomUUID(), broadcast_id, user_id, title: 't', platform: 'youtube' },
        ...{ target_name: null, asked_at, known_from: asked_at, ended_at },
      })
      .execute()
  }
  const listAll = (on = db) => createBroadcastLister({ db: on, readerName: 'analytics' }).listAll(() => false)
  type After = Parameters<ReturnType<typeof createLivesReads>['broadcastPage']>[2]
  const pageOf = async (on: Db, after: After, limit = LIMIT, user = userId) => {
    const page = await createLivesReads(on).broadcastPage(user, { fromMs: FROM, toMs: TO }, after, limit)
    return page.map(({ id }) => id)
  }
  /** How many rows PostgreSQL looks at. */
  async function lookedAt(tables: readonly string[], work: (on: Db) => Promise<unknown>): Promise<number> {
    // As the server does by itself within a minute.
    for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db)
    return db.transaction().execute(async (inside) => {
      // With so few rows it is a matter of chance what is cheaper: to read all in a row, or few by their index.
      await sql`set local enable_seqscan = off`.execute(inside)
      await sql`set local random_page_cost = 1`.execute(inside)
      let looked = 0
      for (const table of tables) looked += await looksAt(inside, table, () => work(inside))
      process.stdout.write(`PostgreSQL looks at ${looked} rows of ${tables.join(' and ')}\n`)
      return looked
    })
  }

  it('[SAFE-07] reach back to what was on air when the days began, and look at nothing else', async () => {
    await add('of the day', FROM + HOUR, FROM + 2 * HOUR)
    await add('into the day', FROM - HOUR, FROM + 1)
    // Its first target had ended before.
    await add('with more targets', FROM - 3 * DAY, FROM - 2 * DAY)
    await add('with more targets', FROM - 3 * DAY, FROM + HOUR)
    await add('with more targets', FROM + HOUR, FROM + 2 * HOUR)
    await add('still there', FROM - 500 * DAY, null)
    await add('ended before', FROM - HOUR, FROM - 1)
    const all = ['of the day', 'into the day', 'with more targets', 'still there']
    const isWhole = async () => {
      expect(await pageOf(db, null)).toEqual(all)
      // Page by page the same.
      expect(await pageOf(db, null, 2)).toEqual(all.slice(0, 2))
      expect(await pageOf(db, { at: FROM - HOUR, id: 'into the day' }, 2)).toEqual(all.slice(2))
      expect(await pageOf(db, { at: FROM - 3 * DAY, id: 'with more targets' })).toEqual(all.slice(3))
      expect(await pageOf(db, { at: FROM - 500 * DAY, id: 'still there' })).toEqual([])
    }
    await isWhole()
    // A program that dies while it lists them leaves as much as one that has not begun.
    for (const statements of [1, 2, 3]) await listAll(dyingAfter(db, statements)).catch(() => {})
    await isWhole()
    await listAll()
    await isWhole()
    const found = await measureCalmest(() => pageOf(db, null))
    process.stdout.write(measuredText(`a page beside ${2 * MANY} broadcasts`, found))
    expect(found.stallMs).toBeLessThan(5 * STALL_MS)
    if (!isPostgres(db)) return
    expect(await lookedAt(['stat_streams', 'stat_broadcasts'], (on) => pageOf(on, null))).toBeLessThan(10 * LIMIT)
  })

  it('[SAFE-07] cost as much however many targets a broadcast had, and tell of all of them', async () => {
    const id = await addUser(db)
    await add('long', FROM - DAY, null, id)
    await add('short', FROM + HOUR, FROM + 2 * HOUR, id)
    await listAll()
    await addMany(id, `${id} target `, FROM + MINUTE, TARGETS, 'long')
    if (isPostgres(db)) {
      const looked = await lookedAt(['stat_streams', 'stat_broadcasts'], (on) => pageOf(on, null, LIMIT, id))
      expect(looked).toBeLessThan(10 * LIMIT)
    }
    expect(await pageOf(db, null, LIMIT, id)).toEqual(['short', 'long'])

    const clock = { now: () => TO }
    const range = {
      zone: 'UTC',
      from: '2026-11-16',
      to: '2026-11-16',
      fromMs: FROM,
      toMs: TO,
      days: [],
      oldestDate: '',
    }
    const access = { rightsOf: async () => ({}), rangeOf: () => range } as never
    const overview = createOverview({ access, reads: createLivesReads(db), sums: createSumsReads(db), clock })
    const list = (limit: number, cursor?: string) =>
      overview.list({ workspaceId: id } as never, { limit, ...(cursor && { cursor }) } as never)
    const { result, mostRows } = await measureCalmest(() => list(LIMIT))
    expect(mostRows).toBeLessThanOrEqual(1_001)
    expect(result.data).toMatchObject([
      { broadcastId: 'short', streams: 1 },
      {
        ...{ broadcastId: 'long', streams: TARGETS + 1, endedAt: null, startedAt: new Date(FROM - DAY).toISOString() },
        ...{ onAirSeconds: 4 * TARGETS, wantedSeconds: 5 * TARGETS + (2 * DAY) / 1000, incidents: TARGETS },
      },
    ])
    const first = await list(1)
    expect(first.data).toEqual(result.data.slice(0, 1))
    expect(await list(1, first.nextCursor ?? '')).toEqual({ data: result.data.slice(1), nextCursor: null })
  })

  it('[SAFE-07] find what was wanted at a moment by how long it lasted', async () => {
    const id = await addUser(db)
    const lengths = [30_000, 5 * MINUTE, HOUR / 2, 5 * HOUR, 20 * HOUR, 6 * DAY, 20 * DAY, 100 * DAY, 300 * DAY]
    for (const [index, length] of lengths.entries()) {
      for (const edge of [1, length - 1]) await add(`${index} ${edge}`, FROM - edge, FROM - edge + length, id)
      await add(`before ${index}`, FROM - length, FROM, id)
      await add(`after ${index}`, FROM, FROM + length, id)
    }
    const streams = db.selectFrom('stat_streams').select('broadcast_id').where('id', 'in', wantedAt(id, FROM))
    const found = (await streams.execute()).map(({ broadcast_id }) => broadcast_id)
    expect(found.sort()).toEqual(lengths.flatMap((length, index) => [`${index} 1`, `${index} ${length - 1}`]).sort())
    if (isPostgres(db)) return
    const { sql: text, parameters } = streams.compile()
    const { rows } = await db.executeQuery<{ detail: string }>({
      ...streams.compile(),
      sql: `explain query plan ${text}`,
    })
    expect(parameters.length).toBeGreaterThan(0)
    const used = rows.map(({ detail }) => detail).filter((detail) => detail.includes('user_id='))
    expect(used).toHaveLength(lengths.length)
    for (const detail of used)
      expect(detail).toMatch(/stat_streams_lengths \(user_id=\? AND <expr>=\? AND asked_at>\? AND asked_at<\?/)
  })

  it('[STAT-02] begin with the first of their streams, whoever wrote it and whatever order they come in, until none is left', async () => {
    const id = await addUser(db)
    const repo = createLivesRepo(db, streamLives)
    const later = await addStream(db, id, { created_at: FROM + 2 * HOUR })
    await repo.numbersOf([later], FROM)
    const begins = () => createLivesReads(db).broadcastPage(id, { fromMs: FROM, toMs: TO }, null, LIMIT)
    expect(await begins()).toEqual([{ id: later, at: FROM + 2 * HOUR }])
    expect(await db.selectFrom('stat_streams').where('user_id', '=', id).select('listed').execute()).toEqual([
      { listed: 1 },
    ])
    // An older version was there for a while.
    await add(later, FROM + HOUR, FROM + 3 * HOUR, id)
    await add('of the older', FROM + 4 * HOUR, FROM + 5 * HOUR, id)
    await listAll()
    const both = [
      { id: 'of the older', at: FROM + 4 * HOUR },
      { id: later, at: FROM + HOUR },
    ]
    expect(await begins()).toEqual(both)
    const year = 367 * DAY
    await deleteOldRows(db, [oldStatBroadcasts(FROM + year)])
    expect(await begins()).toEqual(both)
    await db.deleteFrom('stat_streams').where('user_id', '=', id).where('broadcast_id', '=', later).execute()
    await deleteOldRows(db, [oldStatBroadcasts(FROM + 2 * HOUR + year)])
    expect(await begins()).toEqual(both.slice(0, 1))
  })
})
