import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localTime } from '../src/cli/dates.ts'
import { type Db, openSqlite } from '../src/platform/db/database.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const DAY_MS = 86_400_000

let folder: TempDir
let db: Db
let operator: Operator
const now = Date.now()

const inDays = (days: number): number => now + days * DAY_MS

const add = (username: string, change: object) =>
  addUser(db, { username, username_key: username, created_at: inDays(-100), plan: 'starter', ...change })

beforeAll(async () => {
  folder = await tempDir('cli-endings')
  await putMigratedSqlite(join(folder.path, 'siarin.db'))
  db = openSqlite(join(folder.path, 'siarin.db'))
  operator = operatorAt({ DATA_DIR: folder.path, TRIAL_DAYS: '7' })
  await add('minggu-depan', { plan_until: inDays(8) })
  await add('lusa', { plan_until: inDays(2) })
  await add('tenggang', { plan_until: inDays(-2) })
  await add('berakhir', { plan_until: inDays(-4) })
  await add('selamanya', { plan: 'business', plan_until: null })
  await add('coba', { plan: 'free-trial', created_at: inDays(-6) })
  await add('coba-habis', { plan: 'free-trial' })
  await add('ditahan', { plan_until: inDays(3), suspended_at: now })
  await add('pergi', { plan_until: inDays(1), deleting_at: now })
})

afterAll(async () => {
  await db.destroy()
  await folder.remove()
})

const names = async (...words: string[]): Promise<string[]> =>
  (await operator.json('user', 'list', ...words)).users.map(({ username }: { username: string }) => username)

describe('[PLAN-05] who has to be asked to renew', () => {
  it('is whose plan or trial ends within so many days, and who is in grace, soonest first', async () => {
    expect(await names('--ends-within', '7')).toEqual(['tenggang', 'coba', 'lusa', 'ditahan'])
    expect(await names('--ends-within', '9')).toEqual(['tenggang', 'coba', 'lusa', 'ditahan', 'minggu-depan'])
    expect(await names('--ends-within', '9', '--plan', 'starter', '--state', 'active')).toEqual([
      'lusa',
      'minggu-depan',
    ])
  })

  it('shows of grace alone when all stops', async () => {
    const { out } = await operator.run('user', 'list', '--ends-within', '7')
    const lineOf = (username: string) => out.split('\n').find((line) => line.startsWith(`${username} `))
    expect(lineOf('tenggang')).toContain(`${localTime(inDays(-2))}  ${localTime(inDays(1))}  `)
    expect(lineOf('lusa')).toContain(localTime(inDays(2)))
    expect(lineOf('lusa')).not.toContain(localTime(inDays(5)))
  })
})

describe('the zone of days and times', () => {
  it.each([
    ['Asia/Jakarta', '2024-01-15 15:00 WIB', '2097-01-31T16:59:59.999Z'],
    ['UTC', '2024-01-15 08:00 UTC', '2097-01-31T23:59:59.999Z'],
  ])('is what TZ names: %s', async (TZ, registered, endOfJanuary) => {
    const username = `zona ${TZ}`.toLowerCase()
    await add(username, { created_at: Date.parse('2024-01-15T08:00Z') })
    const there = operatorAt({ DATA_DIR: folder.path, TZ }, { apart: true })
    const { out } = await there.run('user', 'show', username)
    expect(out).toMatch(new RegExp(`^Registered +${registered}$`, 'm'))
    const { user } = await there.json('user', 'set-plan', username, 'starter', '--until', '2097-01-31')
    expect(user.endsAt).toBe(endOfJanuary)
  })
})
