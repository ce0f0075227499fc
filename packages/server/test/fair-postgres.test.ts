import { Secret } from '@siarin/media/secret'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openPostgres } from '../src/platform/db/database.ts'
import { asProgram, onBehalfOf } from '../src/platform/on-behalf-of.ts'
import { migratedPostgres } from './support/shared-servers.ts'

const SLEEP_SECONDS = 0.4
let database: Awaited<ReturnType<typeof migratedPostgres>>
let db: Db

beforeAll(async () => {
  database = await migratedPostgres()
  db = openPostgres(new Secret(database.url), pino({ level: 'silent' }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const sleepOnce = (on: Db = db) => sql`select pg_sleep(${SLEEP_SECONDS})`.execute(on)

async function countAsleep(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`.execute(db)
  return Number(rows[0]?.count)
}

describe('[SAFE-07] statements of accounts at PostgreSQL', () => {
  it('are two at once of each, whatever else one asks for, and another account does not wait for them', async () => {
    const hog = Array.from({ length: 12 }, () => onBehalfOf('hog', () => sleepOnce()))
    let most = 0
    let isDone = false
    const all = Promise.all(hog).then(() => {
      isDone = true
    })
    await onBehalfOf('neighbour', () => sleepOnce())
    expect(isDone).toBe(false)
    while (!isDone) most = Math.max(most, await asProgram(countAsleep))
    await all
    expect(most).toBe(2)
  })

  it('do not wait within a transaction, nor does the transaction itself, and what it wrote is taken back where it fails', async () => {
    const name = 'uji-transaksi'
    const readers = () => db.selectFrom('outbox_readers').select('name').where('name', '=', name).execute()
    await onBehalfOf('hog', async () => {
      const waiting = Promise.all(Array.from({ length: 6 }, () => sleepOnce()))
      const changed = db.transaction().execute(async (inside) => {
        await inside.insertInto('outbox_readers').values({ name, after_id: 1 }).execute()
        throw new Error('taken back')
      })
      await expect(changed).rejects.toThrow('taken back')
      let isDone = false
      void waiting.then(() => {
        isDone = true
      })
      await db.transaction().execute(async (inside) => {
        await inside.insertInto('outbox_readers').values({ name, after_id: 2 }).execute()
      })
      expect(isDone).toBe(false)
      await waiting
    })
    expect(await asProgram(readers)).toEqual([{ name }])
  })
})
