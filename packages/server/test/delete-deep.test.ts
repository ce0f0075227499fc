import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRowEraser } from '../src/modules/account-removal/erase-rows.ts'
import { clearOldRows } from '../src/modules/housekeeping/index.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { deleteDeep, readSchema } from '../src/platform/db/delete-deep.ts'
import { addStream, DAY } from './support/analytics.ts'
import { ENDED } from './support/analytics-stage.ts'
import { dyingAfter } from './support/analytics-store.ts'
import { isLongForm } from './support/fault-table.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { measure, measuredText, STALL_MS } from './support/rows-read.ts'

const SPANS = isLongForm ? 1_000_000 : 30_000
const NOW = 2_000_000_000_000

describe.each(REPO_DATABASES)('rows with all that belongs to them, on $name', { timeout: 600_000 }, ({ open }) => {
  let db: Db
  let close: () => Promise<void>

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())

  const countOf = async (table: 'stat_spans' | 'stat_streams' | 'stat_hours' | 'streams' | 'stream_events') => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirst()
    return Number(row?.count ?? 0)
  }
  const series = (count: number) => sql`
    with recursive places(place) as (select 0 union all select place + 1 from places where place + 1 < ${sql.lit(count)})`

  /** An account that has been there for years. */
  async function addLargeUser(): Promise<string> {
    const userId = await addUser(db)
    const streamId = await addStream(db, userId, { ...ENDED, created_at: 1 })
    await db.updateTable('broadcasts').set({ ended_at: 2 }).where('user_id', '=', userId).execute()
    await sql`
      insert into stream_events (id, stream_id, at, kind) ${series(SPANS / 10)}
      select ${`${userId} `} || place, cast(${streamId} as text), place, 'interrupted' from places`.execute(db)
    const { id: no } = await db
      .insertInto('stat_streams')
      .values({
        ...{ stream_id: streamId, broadcast_id: streamId, user_id: userId, title: 't', platform: 'youtube' },
        ...{ target_name: null, asked_at: 1, known_from: 1, ended_at: NOW - 400 * DAY },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into stat_spans (stream_no, kind, began_at, ended_at) ${series(SPANS)}
      select cast(${no} as integer), 'run', place, ${sql.lit(NOW - 300 * DAY)} from places`.execute(db)
    await sql`
      insert into stat_hours (stream_no, at, unsent_kb, samples, live, measured) ${series(8_000)}
      select cast(${no} as integer), place, 0, 0, 0, 0 from places`.execute(db)
    return userId
  }

  it('[SAFE-07] go in small batches with the account, and a wanted broadcast stays', async () => {
    const userId = await addLargeUser()
    const wanted = await addStream(db, userId)
    const measured = await measure(() => createRowEraser(db)(userId, () => false))
    process.stdout.write(measuredText(`${SPANS} spans of an account`, measured))
    expect(measured.stallMs).toBeLessThan(5 * STALL_MS)
    expect([await countOf('stat_spans'), await countOf('stat_streams'), await countOf('stat_hours')]).toEqual([0, 0, 0])
    const left = await db.selectFrom('streams').select('id').where('user_id', '=', userId).execute()
    expect(left).toEqual([{ id: wanted }])
    expect(await db.selectFrom('users').select('id').where('id', '=', userId).execute()).toHaveLength(1)
    await db.deleteFrom('users').where('id', '=', userId).execute()
  })

  it('[SAFE-07] are all gone for each of two that delete them at once', async () => {
    const userId = await addUser(db)
    await sql`
      insert into stat_streams (stream_id, broadcast_id, user_id, title, platform, asked_at, known_from, ended_at) ${series(450)}
      select ${`${userId} `} || place, ${`${userId} `} || place, ${userId}, 't', 'youtube', 1, 1, 2 from places`.execute(
      db,
    )
    const erase = () => createRowEraser(db)(userId, () => false).then(() => countOf('stat_streams'))
    expect(await Promise.all([erase(), erase()])).toEqual([0, 0])
    await db.deleteFrom('users').where('id', '=', userId).execute()
  })

  it('[SAFE-07] go on where a killed program has stopped', async () => {
    const userId = await addLargeUser()
    const counts: number[] = []
    for (const statements of [8, 40, 60]) {
      await createRowEraser(dyingAfter(db, statements))(userId, () => false).catch(() => {})
      counts.push(await countOf('stat_spans'))
      expect(await db.selectFrom('users').select('id').where('id', '=', userId).execute()).toHaveLength(1)
    }
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    await createRowEraser(db)(userId, () => false)
    expect(await countOf('stat_spans')).toBe(0)
    await db.deleteFrom('users').where('id', '=', userId).execute()
  })

  it('[SAFE-07] are cleared in small batches when they are old', async () => {
    const userId = await addLargeUser()
    const measured = await measure(() => clearOldRows(db, NOW))
    process.stdout.write(measuredText(`${SPANS} spans of an old stream`, measured))
    expect(measured.result).toMatchObject({ stat_streams: 1 })
    expect(measured.stallMs).toBeLessThan(5 * STALL_MS)
    expect([await countOf('stat_spans'), await countOf('stat_hours')]).toEqual([0, 0])
    await createRowEraser(db)(userId, () => false)
    await db.deleteFrom('users').where('id', '=', userId).execute()
  })

  it('[SAFE-07] are found by an index, also those that only lose a name', async () => {
    // Both databases have the same indexes.
    if (isPostgres(db)) return
    const { rows } = await sql<{ name: string }>`
      select tables.name || '.' || key."from" as name
      from sqlite_master as tables join pragma_foreign_key_list(tables.name) as key
      where tables.type = 'table'
        and not exists (select 1 from pragma_index_list(tables.name) as list join pragma_index_info(list.name) as info
          where info.seqno = 0 and info.name = key."from")
        and not exists (select 1 from pragma_table_info(tables.name) as own where own.name = key."from" and own.pk = 1)
    `.execute(db)
    expect(rows.map(({ name }) => name)).toEqual([])
  })

  it('are found by what the database says: every table that has a user is among them', async () => {
    const schema = await readSchema(db)
    const reached = new Set<string>(['users'])
    for (let size = 0; size < reached.size; ) {
      size = reached.size
      for (const table of [...reached]) for (const child of schema.children.get(table) ?? []) reached.add(child.table)
    }
    const listed = [...reached].sort()
    // A table is added here after somebody has thought of how many rows of it an account can have: all of them go in batches.
    expect(listed).toMatchInlineSnapshot(`
      [
        "activity",
        "alert_channels",
        "alert_deliveries",
        "alert_incidents",
        "alert_settings",
        "alerts",
        "brand_kits",
        "brand_looks",
        "broadcasts",
        "file_facts",
        "known_devices",
        "low_rooms",
        "mail_links",
        "online_sources",
        "outbox",
        "platform_accounts",
        "platform_broadcasts",
        "playlist_items",
        "playlists",
        "recording_chunks",
        "recording_files",
        "recording_lines",
        "recording_parts",
        "recordings",
        "recovery_codes",
        "rendition_orders",
        "renditions",
        "schedule_occurrences",
        "schedules",
        "second_factors",
        "sent_pieces",
        "sessions",
        "stat_broadcasts",
        "stat_hours",
        "stat_reports",
        "stat_spans",
        "stat_streams",
        "stat_sums",
        "stream_events",
        "streams",
        "targets",
        "telegram_links",
        "upload_reservations",
        "users",
        "video_uses",
        "videos",
        "webhook_deliveries",
        "webhook_endpoints",
      ]
    `)
    for (const table of listed) expect(schema.keys.get(table)?.length, table).toBeGreaterThan(0)
    // What others name has one column as its key: deleteDeep counts on it.
    for (const table of schema.children.keys()) expect(schema.keys.get(table), table).toHaveLength(1)
    const user = await addUser(db)
    expect(await deleteDeep(db, schema, { table: 'users', where: sql`id = ${user}` })).toBe(1)
  })
})
