import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, migrate, openSqlite } from '../src/platform/db/database.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const COMMANDS = [
  ...['user list', 'user show', 'user set-plan', 'user add-credit', 'user suspend', 'user resume'],
  ...[
    'user reset-password',
    'user sessions',
    'stream list',
    'stream stop',
    'stats',
    'backup',
    'restore',
    'secret rotate',
  ],
]

/** From its opening the database to its coming to the lock. */
const HELD_MS = 500

let folder: TempDir
let operator: Operator

beforeAll(async () => {
  folder = await tempDir('cli-usage')
  operator = operatorAt({ DATA_DIR: folder.path })
})

afterAll(() => folder.remove())

describe("the operator's command", () => {
  it('explains itself at each level, with examples, without a database', async () => {
    const top = await operator.run('--help')
    expect(top).toMatchObject({ code: 0, err: '' })
    for (const name of COMMANDS) {
      expect(top.out).toContain(`\n  ${name}`)
      const { code, out, err } = await operator.run(...name.split(' '), '--help')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(new RegExp(`\nUsage: npm run siarin -- ${name} .*\n.*\nExamples:\n {2}npm run `, 's'))
    }
    const users = await operator.run('user', '--help')
    expect(users.out).toContain('user set-plan <who> <plan>')
    expect(users.out).not.toContain('stream')
  })

  it.each([
    ['', 'say what is to be done'],
    ['pengguna', "there is no command 'pengguna'"],
    ['user', 'user needs one of list, show'],
    ['user lsit', "there is no command 'user lsit'"],
    ['--json user list', "the command comes first, and '--json' is none"],
    ['user list --paket starter', "Unknown option '--paket'"],
    ['user list --plan emas', '--plan must be one of free-trial, starter, creator-pro, business'],
    ['user list --state baik', '--state must be one of active, grace, ended, suspended'],
    ['user list --ends-within seminggu', '--ends-within must be a whole number from 1'],
    ['user list --search', "Option '--search <value>' argument missing"],
    ['user list --search=', '--search is empty'],
    ['user list --json --json', '--json is there twice'],
    ['user show', 'user show needs <who>'],
    ['user show budi ani', "'ani' is one too many"],
    ['user set-plan budi santoso starter', 'what has spaces in it needs quotes, such as "budi santoso"'],
    ['stream list --user budi santoso', 'what has spaces in it needs quotes, such as "budi santoso"'],
    ['user set-plan budi emas', '<plan> must be one of'],
    ['user set-plan budi starter --days 0', '--days must be a whole number from 1'],
    ['user set-plan budi starter --days 1 --forever', '--days and --forever do not go together'],
    ['user set-plan budi starter --until 2027-02-29', "--until must be a day such as 2026-12-31, and '2027-02-29'"],
    ['user set-plan budi free-trial --days 1', 'free-trial counts from the registration'],
    ['user add-credit budi 1.5', '<amount> must be a whole number'],
    ['user add-credit budi -1.5', '<amount> must be a whole number'],
    ['user add-credit budi 0', '<amount> must not be 0'],
    ['user add-credit budi 9999999999', '<amount> must be a whole number'],
  ])('refuses %j with one line and code 2', async (typed, complaint) => {
    const { code, out, err } = await operator.run(...typed.split(' ').filter(Boolean))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(complaint)
    expect(err).toMatch(/^siarin: [^\n]+\n$/)
  })

  it('says that there is no database, and makes none', async () => {
    const { code, out, err } = await operator.run('stats')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe(
      `siarin: there is no database in ${folder.path}. Start the server first, or set DATA_DIR to its folder\n`,
    )
    expect(await readdir(folder.path)).toEqual([])
  })

  it('says which setting is wrong, and that a database does not answer, without its password', async () => {
    const wrong = await operatorAt({ DATA_DIR: folder.path, TRIAL_DAYS: 'satu' }).run('stats')
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^siarin: TRIAL_DAYS must be a whole number/) })
    const away = await operatorAt({ DATABASE_URL: 'postgres://siarin:sandi@127.0.0.1:1/siarin' }).run('stats')
    expect(away).toEqual({
      code: 1,
      out: '',
      err: 'siarin: DATABASE_URL: the database cannot be used (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1)\n',
    })
  })

  it('is run by npm with the Node that came with the packages', () => {
    const root = join(import.meta.dirname, '../../..')
    const env = { ...process.env, DATA_DIR: folder.path }
    const run = (command: string, ...words: string[]) => spawnSync(command, words, { cwd: root, env, encoding: 'utf8' })
    const { siarin: command } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
    expect(command).toBe('node scripts/siarin.mjs')
    const script = join('scripts', 'siarin.mjs')
    const help = run('node', script, 'user', '--help')
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('user set-plan') })
    expect(run('node', script, 'user', 'list', '--plan', 'emas')).toMatchObject({ status: 2, stdout: '' })
    // A name with spaces stays one word: what is missing is the database.
    expect(run('npm', 'run', '-s', 'siarin', '--', 'user', 'show', 'budi santoso')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no database'),
    })
  })
})

describe('a database of another version', () => {
  let db: Db
  let settings: Record<string, string>
  let own: TempDir

  beforeAll(async () => {
    own = await tempDir('cli-schema')
    settings = { DATA_DIR: own.path }
    db = openSqlite(join(own.path, 'siarin.db'))
  })

  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  const tables = async (): Promise<string[]> => (await db.introspection.getTables()).map(({ name }) => name)

  it('is left as it is when it is older or newer, and used when it fits', async () => {
    expect((await operatorAt(settings).run('stats')).err).toContain(
      'the database is empty. Coming from SQLite, run database move',
    )
    expect(await tables()).toEqual([])

    await migrate(db)
    expect(await operatorAt(settings).run('stats')).toMatchObject({ code: 0, err: '' })

    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2099')`.execute(db)
    expect(await operatorAt(settings).run('stats')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('the database is newer than this program'),
    })
    await sql`delete from kysely_migration where name > '0007'`.execute(db)
    expect((await operatorAt(settings).run('stats')).err).toContain('Start the server of this version first')
  })
})

describe('beside another program', () => {
  let db: Db
  let own: TempDir

  beforeAll(async () => {
    own = await tempDir('cli-beside')
    await putMigratedSqlite(join(own.path, 'siarin.db'))
    db = openSqlite(join(own.path, 'siarin.db'))
    await addUser(db, { username: 'Budi', username_key: 'budi' })
  })

  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  /** Whether the command has come to the database. */
  async function isOpened(): Promise<boolean> {
    const children = await childrenOf(process.pid)
    const opened = children.map(async ({ pid }) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
      const files = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
      return files.includes(join(own.path, 'siarin.db'))
    })
    return (await Promise.all(opened)).includes(true)
  }

  it('waits while the other one writes', async () => {
    const writer = new SqliteDatabase(join(own.path, 'siarin.db'))
    writer.exec('begin immediate')
    writer.exec('update users set credit = 7')
    const added = operatorAt({ DATA_DIR: own.path }, { apart: true }).json('user', 'add-credit', 'budi', '5')
    await waitFor('the command to open the database', isOpened)
    await sleep(HELD_MS)
    writer.exec('commit')
    writer.close()
    expect(await added).toMatchObject({ user: { credit: 12 } })
  })

  it('tells when nobody is held to plans', async () => {
    const { code, out, err } = await operatorAt({ DATA_DIR: own.path, ENFORCE_PLANS: 'false' }).run('stats', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out).users.total).toBe(1)
    expect(err).toContain('ENFORCE_PLANS is false')
  })

  it('shows an account that is being deleted as such, and changes nothing about it', async () => {
    await addUser(db, { username: 'Pergi', username_key: 'pergi', deleting_at: 1 })
    const operator = operatorAt({ DATA_DIR: own.path })
    expect(await operator.json('user', 'list', '--state', 'deleting')).toMatchObject({ users: [{ username: 'Pergi' }] })
    const changes = [
      ['set-plan', 'pergi', 'starter'],
      ['add-credit', 'pergi', '5'],
      ['reset-password', 'pergi'],
    ]
    for (const change of changes) {
      const { code, err } = await operator.run('user', ...change)
      expect(code).toBe(1)
      expect(err).toContain('Pergi is being deleted: nothing can be changed')
    }
  })
})
