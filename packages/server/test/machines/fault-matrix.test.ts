import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { MACHINE_CASES } from '../support/machine-cases.ts'
import { type MachineSet, openMachineSet } from '../support/machine-set.ts'
import { openMachineTable } from '../support/machine-table.ts'
import { tryCase } from '../support/try-case.ts'

const table = openMachineTable('Three workers on machines of their own, five broadcasts, as the ingest saw it')
let postgres: Postgres
let redis: RedisServer
let set: MachineSet

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres({ keepsPromises: true }), startRedis()])
  set = await openMachineSet({ workers: 3, streams: 5, databaseUrl: await postgres.createDatabase(), postgres, redis })
})
afterAll(async () => {
  table.print()
  await set?.[Symbol.asyncDispose]()
  await Promise.all([postgres?.stop(), redis?.stop()])
})

describe('one keeper, always', () => {
  for (const each of MACHINE_CASES) {
    const point = each.promised === 'fault' ? 'MANY-02' : 'MANY-03'
    it(`[${point}] ${each.name}`, { timeout: 300_000 }, () => tryCase(set, table, each))
  }
})
