import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { MACHINE_CASES } from '../support/machine-cases.ts'
import { type MachineSet, openMachineSet } from '../support/machine-set.ts'
import { openMachineTable } from '../support/machine-table.ts'
import { tryCase } from '../support/try-case.ts'

const table = openMachineTable('Three workers on machines of their own, five broadcasts, as the ingest saw it')
let postgres: Postgres
let redis: RedisServer
let s3: S3Server
let set: MachineSet

beforeAll(async () => {
  ;[postgres, redis, s3] = await Promise.all([startPostgres({ keepsPromises: true }), startRedis(), startS3Server()])
  const stores = { databaseUrl: await postgres.createDatabase(), postgres, redis, s3: s3.env }
  set = await openMachineSet({ workers: 3, streams: 5, ...stores })
})
afterAll(async () => {
  table.print()
  await set?.[Symbol.asyncDispose]()
  await Promise.all([postgres?.stop(), redis?.stop(), s3?.stop()])
})

describe('one keeper, always', () => {
  for (const each of MACHINE_CASES) {
    const point = each.promised === 'fault' ? 'MANY-02' : 'MANY-03'
    it(`[${point}] ${each.name}`, { timeout: 300_000 }, () => tryCase(set, table, each))
  }
})
