import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChanges, type TableVersion } from './changes.ts'
import { compileOnce } from './compile-once.ts'
import { type Db, openSqlite } from './database.ts'

let folder: TempDir
let ours: Db
let theirs: Db
let people: TableVersion
beforeEach(async () => {
  folder = await tempDir('changes')
  const file = join(folder.path, 'siarin.db')
  const changes = createChanges()
  people = changes.of(['people', 'cards'])
  ours = openSqlite(file, undefined, changes)
  theirs = openSqlite(file)
  await sql`create table people (id integer primary key, name text)`.execute(ours)
  await sql`create table others (id integer primary key)`.execute(ours)
})
afterEach(async () => {
  await ours.destroy()
  await theirs.destroy()
  await folder.remove()
})

const insert = (db: Db, name: string) => sql`insert into people (name) values (${name})`.execute(db)

async function isChangedBy(work: () => Promise<unknown>): Promise<boolean> {
  await nextTurn()
  const before = people.version()
  await work()
  await nextTurn()
  return people.version() !== before
}

describe('a change of tables', () => {
  it.each([
    ['an insertion', () => insert(ours, 'Ani')],
    ['a change', () => sql`update "people" set name = 'Budi'`.execute(ours)],
    ['a deletion', () => sql`delete from people`.execute(ours)],
    ['one behind another query', () => sql`with x as (select 1) delete from people where id in x`.execute(ours)],
    ['one that failed', () => sql`insert into people values (1, 2, 3)`.execute(ours).catch(() => {})],
    ['one of another program', () => insert(theirs, 'Cici')],
  ])('is seen: %s', async (_, work) => {
    expect(await isChangedBy(work)).toBe(true)
  })

  it.each([
    ['a question', () => sql`select * from people`.execute(ours)],
    ['a question behind another one', () => sql`with x as (select 1) select * from people`.execute(ours)],
    ['a change of another table', () => sql`insert into others values (7)`.execute(ours)],
    ['a question of another program', () => sql`select * from people`.execute(theirs)],
  ])('is not: %s', async (_, work) => {
    expect(await isChangedBy(work)).toBe(false)
  })

  it('counts once its transaction is done: until then others read what was there before', async () => {
    const seen: number[] = []
    await ours.transaction().execute(async (inside) => {
      await insert(inside, 'Dedi')
      seen.push(people.version())
    })
    expect(people.version()).not.toBe(seen[0])
  })

  it('that was taken back is told of too, rather than missed', async () => {
    const undone = () =>
      ours
        .transaction()
        .execute(async (inside) => {
          await insert(inside, 'Eka')
          throw new Error('no')
        })
        .catch(() => {})
    expect(await isChangedBy(undone)).toBe(true)
  })
})

describe('a query that is compiled once', () => {
  it('asks with the values of each call, and with its own', async () => {
    for (const name of ['Ani', 'Budi', 'Cici']) await insert(ours, name)
    const between = compileOnce(ours, (from: number, to: number) =>
      ours
        .selectFrom(sql<{ id: number; name: string }>`people`.as('people'))
        .select('name')
        .where('id', '>=', from)
        .where('id', '<=', to)
        .where('name', '<>', 'Budi')
        .orderBy('id'),
    )
    expect(await between(1, 3)).toEqual([{ name: 'Ani' }, { name: 'Cici' }])
    expect(await between(2, 3)).toEqual([{ name: 'Cici' }])
    expect(await between(1, 1)).toEqual([{ name: 'Ani' }])
  })
})
