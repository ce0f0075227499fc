import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLivesRepo } from '../src/modules/analytics/lives.repo.ts'
import { createTakeFacts } from '../src/modules/analytics/take-facts.ts'
import { recordEvents } from '../src/modules/broadcasts/store/recorded-events.ts'
import { streamLives } from '../src/modules/broadcasts/store/stream-lives.ts'
import { createFlapClearing } from '../src/modules/housekeeping/index.ts'
import type { Db } from '../src/platform/db/database.ts'
import { isPostgres } from '../src/platform/db/database.ts'
import { addStream, HOUR, MINUTE, SECOND, wentLive } from './support/analytics.ts'
import { START } from './support/analytics-store.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const CYCLE_MS = 4 * SECOND
const HOURS = 2

describe.each(REPO_DATABASES)('a line that breaks every four seconds, on $name', { timeout: 300_000 }, ({ open }) => {
  let opened: RepoDatabase
  let db: Db
  let userId: string
  beforeAll(async () => {
    opened = await open()
    db = opened.db
    userId = await addUser(db)
  })
  afterAll(() => opened.close())

  /** As a fact reader of this name does. */
  async function readAll(name: string, take?: (inside: Db, facts: never[]) => Promise<void>): Promise<void> {
    const rows = await db
      .selectFrom('outbox')
      .select([
        'id',
        'at',
        'user_id as userId',
        'subject_kind as subjectKind',
        'subject_id as subjectId',
        'fact',
        'payload',
      ])
      .where('id', '>', (eb) => eb.selectFrom('outbox_readers').select('after_id').where('name', '=', name))
      .orderBy('id')
      .execute()
    const facts = rows.map((row) => ({ ...row, id: Number(row.id), at: Number(row.at) }))
    await db.transaction().execute(async (inside) => {
      await take?.(inside, facts as never[])
      const after_id = facts.at(-1)?.id
      if (after_id !== undefined)
        await inside.updateTable('outbox_readers').set({ after_id }).where('name', '=', name).execute()
    })
  }

  it('leaves a bounded number of rows, and none goes before everybody has read it', async () => {
    let now = START
    await db
      .insertInto('outbox_readers')
      .values([
        { name: 'analytics', after_id: 0 },
        { name: 'slow', after_id: 0 },
      ])
      .execute()
    const id = await addStream(db, userId, { created_at: START })
    const names = { id, broadcastId: id, userId }
    const take = createTakeFacts({ lives: createLivesRepo(db, streamLives), clock: { now: () => now } })
    const clear = createFlapClearing(db)
    await recordEvents(db, names, [wentLive(START)])
    const write = (at: number) =>
      db.transaction().execute((inside) =>
        recordEvents(inside, names, [
          { at, kind: 'lost', reason: 'target-closed', offAirMs: null },
          { at, fact: 'stream.interrupted', payload: { reason: 'target-closed', planned: false } },
          { at: at + 1_500, kind: 'back', reason: null, offAirMs: 1_500 },
          { at: at + 1_500, fact: 'stream.recovered', payload: { offAirMs: 1_500 } },
        ]),
      )
    for (let cycle = 1; cycle * CYCLE_MS < HOURS * HOUR; cycle++) {
      now = START + cycle * CYCLE_MS
      await write(now)
      if (cycle % 15 === 0) await readAll('analytics', take as never)
      if (now % (10 * MINUTE) !== 0) continue
      await clear(now, () => false)
    }
    const facts = async () =>
      Number(
        (
          await db
            .selectFrom('outbox')
            .select(({ fn }) => fn.countAll<number | string>().as('n'))
            .executeTakeFirst()
        )?.n,
      )
    const cycles = Math.floor((HOURS * HOUR - 1) / CYCLE_MS)
    // One of the readers has read nothing yet.
    expect(await facts()).toBe(2 * cycles + 2)
    await readAll('analytics', take as never)
    await readAll('slow')
    await clear(now, () => false)
    expect(await facts()).toBeLessThanOrEqual((2 * HOUR) / CYCLE_MS + 4)
    const events = await db.selectFrom('stream_events').select('id').execute()
    expect(events.length).toBeLessThanOrEqual(1_000)
    const spans = await db.selectFrom('stat_spans').selectAll().execute()
    expect(spans.length).toBeLessThanOrEqual(60 * HOURS)
    expect(spans.reduce((sum, { kind, times }) => sum + (kind === 'incident' ? times : 0), 0)).toBe(cycles)
    if (isPostgres(db)) return
    await sql`vacuum`.execute(db)
    const bytes = (await stat(opened.file)).size
    process.stdout.write(
      `after ${HOURS} hours: ${await facts()} facts, ${events.length} events, ${spans.length} spans, ${bytes} bytes\n`,
    )
  })

  it('keeps as much of videos that take turns at each pass, of which no fact tells', async () => {
    const clear = createFlapClearing(db)
    const [goesOn = '', ends = ''] = await Promise.all([addStream(db, userId), addStream(db, userId)])
    const swap = (id: string, from: number) =>
      db.transaction().execute((inside) => {
        const events = Array.from({ length: 700 }, (_, index) => ({
          ...{ at: START + (from + index) * 2 * SECOND, kind: 'swapped' as const, reason: 'klip.mp4', offAirMs: null },
        }))
        return recordEvents(inside, { id, broadcastId: id, userId }, events)
      })
    const timeline = (id: string) =>
      db.selectFrom('stream_events').select('at').where('stream_id', '=', id).orderBy('at').execute()
    for (const id of [goesOn, ends]) await swap(id, 0)
    await clear(START + HOUR, () => false)
    // With the one that says that it was asked for.
    expect(await timeline(goesOn)).toHaveLength(701)
    for (const id of [goesOn, ends]) await swap(id, 700)
    await db.updateTable('streams').set({ phase: 'ended' }).where('id', '=', ends).execute()
    await clear(START + HOUR, () => false)
    for (const id of [goesOn, ends]) {
      const kept = await timeline(id)
      expect(kept).toHaveLength(1_000)
      expect(Number(kept[0]?.at)).toBe(START + 400 * 2 * SECOND)
    }
  })
})
