import { join } from 'node:path'
import { tempDir } from '@siarin/testkit/temp-dir'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Db, openSqlite } from './database.ts'

/** Some milliseconds of one statement, which never waits for anything. */
const dear = sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 20000)
  select count(*) from counted`

it.each([
  ['side by side', 60, 1, false],
  ['one after the other', 1, 60, false],
  ['of one transaction', 1, 60, true],
])('[SAFE-07] statements %s let the event loop turn between them', async (_, chains, each, together) => {
  const folder = await tempDir('patient-turns')
  const db = openSqlite(join(folder.path, 'siarin.db'))
  let turns = 0
  let timer = setImmediate(function count() {
    turns++
    timer = setImmediate(count)
  })
  try {
    await dear.execute(db)
    const [begunMs, before] = [performance.now(), turns]
    const chain = async (at: Db) => {
      for (let done = 0; done < each; done++) await dear.execute(at)
    }
    const all = (at: Db) => Promise.all(Array.from({ length: chains }, () => chain(at)))
    await (together ? db.transaction().execute(all) : all(db))
    const tookMs = performance.now() - begunMs
    process.stdout.write(`60 statements took ${Math.round(tookMs)} ms, and the loop turned ${turns - before} times\n`)
    // One turn for each stretch of 10 ms; a dear statement may make a stretch longer.
    expect(turns - before).toBeGreaterThan(4)
  } finally {
    clearImmediate(timer)
    await db.destroy()
    await folder.remove()
  }
})

it('[SAFE-07] what is only read does not wait for a transaction that takes its time, and sees what it wrote as soon as it is over', async () => {
  const folder = await tempDir('patient-reads')
  const db = openSqlite(join(folder.path, 'siarin.db'))
  const read = async () => (await sql<{ n: number }>`select count(*) as n from notes`.execute(db)).rows[0]?.n
  try {
    await sql`create table notes (n integer)`.execute(db)
    const seenMeanwhile = await db.transaction().execute(async (trx) => {
      await sql`insert into notes values (1)`.execute(trx)
      return read()
    })
    expect(seenMeanwhile).toBe(0)
    expect(await read()).toBe(1)
  } finally {
    await db.destroy()
    await folder.remove()
  }
})
