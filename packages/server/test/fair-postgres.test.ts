import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { Secret } from '@siarin/media/secret'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openPostgres } from '../src/platform/db/database.ts'
import { asProgram, onBehalfOf } from '../src/platform/on-behalf-of.ts'
import { CALM } from './support/databases.ts'
import { call, signIn, startProgram } from './support/program.ts'
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

  it('have one process of the server each, and none is compiled before it begins', async () => {
    const { rows } = await sql`
      select name, setting from pg_settings where name in ('jit', 'max_parallel_workers_per_gather') order by name`.execute(
      db,
    )
    expect(rows).toEqual([
      { name: 'jit', setting: 'off' },
      { name: 'max_parallel_workers_per_gather', setting: '0' },
    ])
  })

  it("wait while what follows from them has taken more of the event loop than is its account's, and another is there", async () => {
    const one = () => sql`select 1`.execute(db)
    await onBehalfOf('hog', async () => {
      await one()
      for (const begun = performance.now(); performance.now() - begun < 60; );
    })
    await onBehalfOf('neighbour', one)
    const begun = performance.now()
    await onBehalfOf('neighbour', one)
    const neighbourMs = performance.now() - begun
    await onBehalfOf('hog', one)
    expect(performance.now() - begun - neighbourMs).toBeGreaterThan(30)
  })

  it('do not wait within a transaction, nor does it wait for them, and what it wrote is taken back where it fails', async () => {
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

  it('are of two transactions at once of each, whatever else one begins, and neither another account nor the program waits for those', async () => {
    const begin = () => db.transaction().execute((inside) => sleepOnce(inside))
    const hog = Array.from({ length: 8 }, () => onBehalfOf('hog', begin))
    const others = Promise.all([onBehalfOf('neighbour', begin), asProgram(begin)])
    let most = 0
    let isDone = false
    const all = Promise.all(hog).then(() => {
      isDone = true
    })
    const first = Promise.race([others.then(() => 'the others'), all.then(() => 'the hog')])
    while (!isDone) most = Math.max(most, await asProgram(countAsleep))
    await all
    expect(await first).toBe('the others')
    expect(most).toBeLessThanOrEqual(2 + 2)
  })

  it('do not wait for the transactions of their account, which may await them', async () => {
    const holding = () => db.transaction().execute(() => sleepOnce())
    await onBehalfOf('hog', () => Promise.all(Array.from({ length: 4 }, holding)))
    await onBehalfOf('hog', () => db.transaction().execute((inside) => sleepOnce(inside)))
  })
})

const CREATIONS = 80
/** Six at once, and sixty wait. */
const PLACES = 66

describe('[SAFE-07] uploads that come with their creation, with PostgreSQL', { timeout: 60_000 }, () => {
  it('have places like any other call, and many of one account that wait for a lock keep nobody else from the database', async () => {
    const program = await startProgram({ DATABASE_URL: database.url }, CALM)
    try {
      const [{ user }, neighbour] = [await signIn(program.url), await signIn(program.url)]
      const create = async () => {
        const answer = await fetch(program.url + RESUMABLE_UPLOAD_PATH, {
          method: 'POST',
          headers: {
            ...{ 'tus-resumable': '1.0.0', 'x-api-key': user.apiKey, 'upload-length': '1000' },
            ...{ 'content-type': 'application/offset+octet-stream', 'upload-metadata': `filename ${btoa('klip.mp4')}` },
          },
          body: 'x',
        })
        return { status: answer.status, body: await answer.text() }
      }
      // Loads what uploads need.
      expect((await create()).status).toBe(201)
      let refused = 0
      const creations = await program.db.transaction().execute(async (inside) => {
        await inside.selectFrom('users').select('id').where('email', '=', user.email).forUpdate().execute()
        const all = Array.from({ length: CREATIONS }, async () => {
          const answer = await create()
          if (answer.body.includes('"rate_limited"')) refused++
          return answer.status
        })
        const { apiKey } = neighbour.user
        const added = await call(program.url, 'POST', '/fitur/playlist', { body: { apiKey, name: 'Pagi' } })
        expect(added.status).toBe(200)
        await waitFor('those without a place to be refused', async () => refused === CREATIONS - PLACES)
        return all
      })
      const statuses = await Promise.all(creations)
      expect(statuses.filter((status) => status === 201)).toHaveLength(9)
      expect(new Set(statuses)).toEqual(new Set([201, 429]))
    } finally {
      await program.close()
    }
  })
})
