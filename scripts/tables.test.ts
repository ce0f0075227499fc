import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TABLE_OWNERS, tablesIn, WHOLE_DATABASE } from './table-owners.ts'

const SERVER = join(import.meta.dirname, '../packages/server/src')

const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .filter((path) => !WHOLE_DATABASE.some((place) => path.startsWith(place)))

/** The module, or the part of the platform, that a file is of. */
const moduleOf = (path: string): string =>
  /^modules\/([^/]+)\//.exec(path)?.[1] ?? /^platform\/[^/]+(?=\/)/.exec(path)?.[0] ?? path

describe('the tables of the database', () => {
  it('have an owner each, who is a module', () => {
    const schema = readFileSync(join(SERVER, 'platform/db/schema.ts'), 'utf8')
    const [, body = ''] = /export interface Database \{([^}]*)\}/.exec(schema) ?? []
    const tables = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name)
    expect(Object.keys(TABLE_OWNERS).sort()).toEqual(tables.sort())
    const owners = [
      ...readdirSync(join(SERVER, 'modules')),
      'platform/outbox',
      'platform/storage',
      'platform/clock-trust.ts',
    ]
    for (const owner of Object.values(TABLE_OWNERS)) expect(owners).toContain(owner)
  })

  it('are named in SQL by their owner and by nobody else', () => {
    const trespasses = sources.flatMap((path) =>
      [...tablesIn(readFileSync(join(SERVER, path), 'utf8'))]
        .filter((table) => TABLE_OWNERS[table] !== moduleOf(path))
        .map((table) => `${path} names ${table}, which is of ${TABLE_OWNERS[table]}`),
    )
    expect(trespasses).toEqual([])
  })

  it('are all found where they are named', () => {
    const named = new Set(sources.flatMap((path) => [...tablesIn(readFileSync(join(SERVER, path), 'utf8'))]))
    expect([...named].sort()).toEqual(Object.keys(TABLE_OWNERS).sort())
  })
})

describe('a table is seen', () => {
  it.each([
    ['in a query', "db.selectFrom('users').selectAll()", ['users']],
    ['under another name', "db.selectFrom('platform_broadcasts as broadcast')", ['platform_broadcasts']],
    ['among several', "db.selectFrom(['users', 'sessions'])", ['sessions', 'users']],
    ['on a line of its own', "db\n  .insertInto(\n    'videos',\n  )", ['videos']],
    ['in a join', "query.leftJoin('videos as next', 'next.id', 'next_video_id')", ['videos']],
    ['in an inner query', "exists(selectFrom('streams').select('id'))", ['streams']],
    ['in a change', "db.updateTable('streams').set({})", ['streams']],
    ['in a deletion', "inside.deleteFrom('video_uses')", ['video_uses']],
    ['in text', 'sql`select 1 from streams where true`', ['streams']],
    ['in a joined text', 'sql`select 1 from videos\n join users on true`', ['users', 'videos']],
    ['in a statement without a builder', "'delete from workers'", ['workers']],
    ['in a rule about old rows', "({ table: 'activity', where })", ['activity']],
    ['by a reference', "sql.table('users')", ['users']],
  ])('%s', (_, source, tables) => {
    expect([...tablesIn(source)].sort()).toEqual(tables)
  })

  it.each([
    ['in a comment', '/** Reads from users. */ // update videos\nconst a = 1'],
    ['in an import', "import { of } from 'users'\nimport type { it } from './activity/index.ts'"],
    ['in a type', 'type Row = Selectable<StreamTable>\nconst streams = createStreams()'],
  ])('but not %s', (_, source) => {
    expect([...tablesIn(source)]).toEqual([])
  })
})
