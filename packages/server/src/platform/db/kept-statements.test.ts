import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepStatements } from './kept-statements.ts'

let database: SqliteDatabase.Database
let statements: ReturnType<typeof keepStatements>
beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  database.exec(
    "create table people (id integer primary key, name text); insert into people values (1, 'Ani'), (2, 'Budi')",
  )
  statements = keepStatements(database, 3)
})
afterEach(() => void database.close())

const byId = 'select * from people where id = ?'

describe('statements that are kept', () => {
  it('are prepared once, and answer by the values of each call', () => {
    const first = statements.prepare(byId)
    expect(first.all([1])).toEqual([{ id: 1, name: 'Ani' }])
    expect(statements.prepare(byId)).toBe(first)
    expect(statements.prepare(byId).all([2])).toEqual([{ id: 2, name: 'Budi' }])
  })

  it('are the last used ones, and no more than there is room for', () => {
    const first = statements.prepare(byId)
    for (const n of [1, 2]) statements.prepare(`select ${n}`)
    expect(statements.prepare(byId)).toBe(first)
    statements.prepare('select 3')
    expect(statements.count()).toBe(3)
    expect(statements.prepare(byId)).toBe(first)
    const second = statements.prepare('select 1')
    expect(second.all([])).toEqual([{ 1: 1 }])
  })

  it('are not those that are being read row by row', () => {
    const rows = statements.prepare('select * from people order by id').iterate([])
    expect(rows.next().value).toEqual({ id: 1, name: 'Ani' })
    expect(statements.prepare('select * from people order by id').all([])).toHaveLength(2)
    expect(rows.next().value).toEqual({ id: 2, name: 'Budi' })
    rows.return?.()
  })

  it('know the tables after a change, whoever made it', () => {
    const first = statements.prepare(byId)
    first.all([1])
    database.exec("alter table people add column city text default 'Medan'")
    expect(statements.prepare(byId).all([1])).toEqual([{ id: 1, name: 'Ani', city: 'Medan' }])
    statements.prepare('alter table people drop column name').run()
    expect(statements.count()).toBe(0)
    expect(statements.prepare(byId).all([1])).toEqual([{ id: 1, city: 'Medan' }])
  })

  it('hold no long list of values, and no change of the tables', () => {
    const list = `select * from people where id in (${Array(2_000).fill('?').join(', ')})`
    statements.prepare(list)
    statements.prepare('create table others (id integer)').run()
    statements.prepare('pragma user_version')
    expect(statements.count()).toBe(0)
  })

  it('that fail can be asked again', () => {
    const insert = statements.prepare('insert into people values (?, ?)')
    expect(() => insert.run([1, 'Cici'])).toThrow(/UNIQUE/)
    expect(statements.prepare('insert into people values (?, ?)').run([3, 'Cici']).changes).toBe(1)
  })
})
