import { SystemStatusAnswer } from '@siarin/contracts/system'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMachinesRepo } from '../src/modules/system/machines.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { CALM } from './support/databases.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'
import { REPO_DATABASES } from './support/repo-databases.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

const GB = 1024 ** 3
const elsewhere = (id: string, silentMs = 0) => ({
  ...{ id, role: 'worker', host: `boot-of-${id}`, version: '0.6.0', cpu: 100, memory_total: 1000 * GB },
  ...{ memory_used: 500 * GB, disk_size: 100 * GB, disk_used: 99 * GB, disk_available: GB, streams: 5, room: 7 },
  seen_at: Date.now() - silentMs,
})
const DAY_MS = 86_400_000

describe('[MANY-01] web and worker apart', { timeout: 300_000 }, () => {
  let database: PostgresDatabase
  let operator: Operator
  let web: TestProgram
  let worker: TestProgram

  beforeAll(async () => {
    database = await migratedPostgres()
    const shared = {
      ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'satu rahasia untuk semua' },
      ...{ SHARED_DATA_DIR: 'true', TRUST_PROXY: 'false', METRICS_TOKEN: 'a token of sixteen and more' },
    }
    web = await startProgram({ ...shared, ROLE: 'web', WORKER_ID: 'web-1' }, CALM)
    const alone = { ROLE: 'worker', WORKER_ID: 'worker-1', MAX_STREAMS_PER_WORKER: '12' }
    worker = await startProgram({ ...shared, ...alone }, CALM)
    operator = operatorAt({ DATABASE_URL: database.url, DATA_DIR: web.dataDir })
  })
  afterAll(async () => {
    await web?.close()
    await database?.drop()
  })

  const status = async () => {
    const { token } = await signIn(web.url)
    const { body } = await call(web.url, 'GET', '/fitur/system/status', { headers: bearer(token) })
    return SystemStatusAnswer.strict().parse(body)
  }
  const metrics = async (url: string) => {
    const headers = { authorization: 'Bearer a token of sixteen and more' }
    return (await fetch(`${url}/metrics`, { headers })).text()
  }

  it('on one machine show that machine, and the operator sees both programs', async () => {
    const { machines } = await waitFor('both to tell', async () => {
      const found = await operator.json('stats')
      return found.machines.length === 2 && found
    })
    expect(machines).toMatchObject([
      { id: 'web-1', role: 'web', gone: false, streams: 0, room: 0 },
      { id: 'worker-1', role: 'worker', gone: false, streams: 0, room: 12 },
    ])
    expect(machines[0].memory.used).toBeGreaterThan(0)
    expect((await status()).machines).toBeUndefined()
  })

  it('show all machines, and one that fell silent as gone, whichever is asked', async () => {
    await web.db
      .insertInto('machine_figures')
      .values([elsewhere('jauh-1'), elsewhere('jauh-2', 60_000)])
      .execute()
    // Not too often: calls are counted.
    const several = await waitFor(
      'the next look',
      async () => {
        const now = await status()
        return now.machines && now
      },
      { everyMs: 2_000 },
    )
    expect(several).toMatchObject({ machines: { total: 2, gone: 1 }, disk: { usage: 99 } })
    expect(several.cpu.usage).toBeGreaterThanOrEqual(50)
    expect(several.memory.total).toBeGreaterThan(1000 * GB)

    const { out } = await operator.run('stats')
    expect(out).toMatch(/^MACHINE +ROLE +VERSION +CPU +MEMORY +DISK +STREAMS +ROOM +HEARD$/m)
    expect(out).toMatch(/^jauh-1 +worker +0\.6\.0 +100% +50% of .* 99% of .* 5 +7 +\d+ s ago$/m)
    expect(out).toMatch(/^jauh-2 +worker +0\.6\.0 +- +- +- +- +- +\d+ s ago \(gone\)$/m)
    for (const url of [web.url, worker.url]) {
      const text = await metrics(url)
      expect(text).toContain('siarin_machine_streams{machine="jauh-1",role="worker"} 5')
      expect(text).toContain('siarin_machine_room{machine="worker-1",role="worker"} 12')
      expect(text).toContain('siarin_machine_up{machine="jauh-2",role="worker",version="0.6.0"} 0')
      expect(text).not.toContain('siarin_machine_streams{machine="jauh-2"')
    }
  })

  it('do not miss a program that was ended on purpose', async () => {
    await worker.close()
    const { machines } = await operator.json('stats')
    expect(machines.map(({ id }: { id: string }) => id)).not.toContain('worker-1')
  })
})

it('[MANY-01] one machine alone writes nothing down, and shows itself', async () => {
  const program = await startProgram({ TRUST_PROXY: 'false' })
  const { token } = await signIn(program.url)
  const { body } = await call(program.url, 'GET', '/fitur/system/status', { headers: bearer(token) })
  expect(body.machines).toBeUndefined()
  expect(await program.db.selectFrom('machine_figures').selectAll().execute()).toEqual([])
  expect(await (await fetch(`${program.url}/metrics`)).text()).not.toContain('machine="')
  expect((await operatorAt({ DATA_DIR: program.dataDir }).json('stats')).machines).toEqual([])
  await program.close()
})

describe.each(REPO_DATABASES)('figures of machines on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())

  it('are kept for a day, 500 of them at most, and rewritten in their place', async () => {
    const repo = createMachinesRepo(db)
    const { seen_at: _, ...figures } = elsewhere('satu')
    await repo.tell({ ...figures, cpu: 1 })
    await repo.tell({ ...figures, cpu: 2 })
    expect(await repo.all()).toMatchObject([{ id: 'satu', cpu: 2, isGone: false }])
    expect((await repo.all())[0]?.silentMs).toBeLessThan(30_000)
    await db
      .insertInto('machine_figures')
      .values(elsewhere('lama', DAY_MS + 60_000))
      .execute()
    expect((await repo.all()).map(({ id }) => id)).toEqual(['satu'])
    const many = Array.from({ length: 600 }, (_, index) => elsewhere(`wadah-${index}`, 60_000 + index))
    for (let at = 0; at < many.length; at += 50)
      await db
        .insertInto('machine_figures')
        .values(many.slice(at, at + 50))
        .execute()
    await repo.clearOld()
    const left = await repo.all()
    expect(left).toHaveLength(500)
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(['satu', 'wadah-0']))
    expect(left.filter(({ isGone }) => isGone)).toHaveLength(499)
    await repo.forget({ id: 'satu', role: 'worker' })
    expect((await repo.all()).map(({ id }) => id)).not.toContain('satu')
  })
})
