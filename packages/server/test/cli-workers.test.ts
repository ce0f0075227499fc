import { randomUUID } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkerLeasesRepo } from '../src/modules/broadcasts/store/worker-leases.repo.ts'
import { createMachinesRepo } from '../src/modules/system/machines.repo.ts'
import { type Db, openPostgres } from '../src/platform/db/database.ts'
import { type Operator, operatorAt } from './support/operator.ts'
import { startProgram } from './support/program.ts'
import { migratedPostgres } from './support/shared-servers.ts'

const FIGURES = {
  ...{ role: 'worker', host: 'x', version: '0.7.0', cpu: 1, memory_total: 1, memory_used: 1, streams: 3, room: 7 },
  ...{ disk_size: 1, disk_used: 1, disk_available: 1 },
}
const LOAD = { max_streams: 10, cpu: 0.2, memory: 0.8, short_of: null }

describe('[MANY-03] the operator and the workers', () => {
  let database: PostgresDatabase
  let folder: TempDir
  let db: Db
  let operator: Operator

  beforeAll(async () => {
    database = await migratedPostgres()
    folder = await tempDir('cli-workers')
    db = openPostgres(new Secret(database.url), pino({ level: 'silent' }))
    operator = operatorAt({ DATABASE_URL: database.url, DATA_DIR: folder.path })
    for (const [id, kept] of [
      ['mesin-1', 3],
      ['mesin-2', 0],
    ] as const) {
      const lease = { id, incarnation: randomUUID(), boot: id, version: '0.7.0' }
      await createWorkerLeasesRepo(db).register(lease, { ...LOAD, kept, room: 10 - kept })
      await createMachinesRepo(db).tell({ ...FIGURES, id })
    }
    await db
      .updateTable('worker_leases')
      .set({ lease_until: Date.now() + 3_600_000 })
      .execute()
  })
  afterAll(async () => {
    await db?.destroy()
    await database?.drop()
    await folder?.remove()
  })

  it('are listed with state, version, broadcasts, room and when they were heard', async () => {
    const apart = operatorAt({ DATABASE_URL: database.url, DATA_DIR: folder.path }, { apart: true })
    const { code, out, err } = await apart.run('worker', 'list')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^ID +STATE +VERSION +STREAMS +ROOM +HEARD$/m)
    expect(out).toMatch(/^mesin-1 +up +0\.7\.0 +3 +7 +\d+ s ago$/m)
    expect((await operator.json('worker', 'list')).workers).toMatchObject([
      { id: 'mesin-1', state: 'up', live: true, streams: 3, room: 7, shortOf: null },
      { id: 'mesin-2', state: 'up', live: true, streams: 0, room: 10 },
    ])
  })

  it('drain on request, and come back', async () => {
    const { code, out, err } = await operator.run('worker', 'drain', 'mesin-1')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(
      "The worker 'mesin-1' takes on no more broadcasts. 3 broadcasts on it move to the other worker: watch 'worker list'.\n",
    )
    expect((await operator.run('worker', 'list')).out).toMatch(/^mesin-1 +draining /m)
    expect(await operator.json('worker', 'drain', 'mesin-1')).toMatchObject({ changed: false })

    const last = await operator.run('worker', 'drain', 'mesin-2')
    expect(last).toMatchObject({ code: 0, err: '' })
    expect((await operator.run('worker', 'list')).out).toMatch(/^mesin-2 +drained /m)
    expect((await operator.run('worker', 'drain', 'mesin-1')).err).toContain('no other worker is up with room')

    for (const id of ['mesin-1', 'mesin-2']) {
      expect(await operator.json('worker', 'resume', id)).toMatchObject({ changed: true, worker: { id, state: 'up' } })
    }
  })

  it('are shown as gone once their lease has lapsed', async () => {
    await db.updateTable('worker_leases').set({ lease_until: 0 }).where('id', '=', 'mesin-2').execute()
    expect((await operator.run('worker', 'list')).out).toMatch(/^mesin-2 +gone /m)
  })

  it.each(['drain', 'resume'])('%s of one that is not there changes nothing and says so', async (verb) => {
    expect(await operator.run('worker', verb, 'tidak-ada')).toEqual({
      code: 1,
      out: '',
      err: "siarin: there is no worker 'tidak-ada'. See npm run siarin -- worker list\n",
    })
    expect((await operator.run('worker', verb)).code).toBe(2)
  })
})

it('[MANY-03] one machine alone has no workers to list or to drain', async () => {
  const program = await startProgram()
  const operator = operatorAt({ DATA_DIR: program.dataDir })
  expect((await operator.run('worker', 'list')).out).toBe('No worker runs apart from its web program.\n')
  expect((await operator.run('worker', 'drain', 'x')).code).toBe(1)
  await program.close()
})
