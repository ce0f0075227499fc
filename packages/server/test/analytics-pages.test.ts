import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLivesReads } from '../src/modules/analytics/lives.reads.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { DAY, HOUR } from './support/analytics.ts'
import { START } from './support/analytics-store.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { looksAt, measureCalmest, measuredText, STALL_MS } from './support/rows-read.ts'

const MANY = 5_000
const FROM = START
const TO = START + DAY
const LIMIT = 20

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

  /** Short broadcasts, before those days and after them. */
  async function addYears(user_id: string): Promise<void> {
    for (const from of [FROM - 400 * DAY, TO + DAY]) {
      const name = `${user_id} ${from} `
      await sql`
        insert into stat_streams (stream_id, broadcast_id, user_id, title, platform, asked_at, known_from, ended_at)
        with recursive places(place) as (
          select 0 union all select place + 1 from places where place + 1 < ${sql.lit(MANY)})
        select ${name} || place, ${name} || place, cast(${user_id} as text), 't', 'youtube',
          ${sql.lit(from)} + place * 60000, 0, ${sql.lit(from)} + place * 60000 + 50000 from places`.execute(db)
    }
  }
  async function add(broadcast_id: string, asked_at: number, ended_at: number | null): Promise<void> {
    await db
      .insertInto('stat_streams')
      .values({
        ...{ stream_id: randomUUID(), broadcast_id, user_id: userId, title: 't', platform: 'youtube' },
        ...{ target_name: null, asked_at, known_from: asked_at, ended_at },
      })
      .execute()
  }
  type After = Parameters<ReturnType<typeof createLivesReads>['broadcastPage']>[2]
  const pageOf = (on: Db, after: After, limit = LIMIT) =>
    createLivesReads(on).broadcastPage(userId, { fromMs: FROM, toMs: TO }, after, limit)

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
    const found = await measureCalmest(() => pageOf(db, null))
    process.stdout.write(measuredText(`a page beside ${2 * MANY} broadcasts`, found))
    expect(found.result).toEqual(all)
    expect(found.stallMs).toBeLessThan(5 * STALL_MS)
    // Page by page the same.
    expect(await pageOf(db, null, 2)).toEqual(all.slice(0, 2))
    expect(await pageOf(db, { at: FROM - HOUR, id: 'into the day' }, 2)).toEqual(all.slice(2))
    expect(await pageOf(db, { at: FROM - 3 * DAY, id: 'with more targets' })).toEqual(all.slice(3))
    expect(await pageOf(db, { at: FROM - 500 * DAY, id: 'still there' })).toEqual([])
    if (!isPostgres(db)) return
    // As the server does by itself within a minute.
    await sql`analyze stat_streams`.execute(db)
    const looked = await db.transaction().execute(async (inside) => {
      // With so few rows it is a matter of chance what is cheaper: to read all in a row, or few by their index.
      await sql`set local enable_seqscan = off`.execute(inside)
      await sql`set local random_page_cost = 1`.execute(inside)
      return looksAt(inside, 'stat_streams', () => pageOf(inside, null))
    })
    process.stdout.write(`PostgreSQL looks at ${looked} streams\n`)
    expect(looked).toBeLessThan(10 * LIMIT)
  })
})
