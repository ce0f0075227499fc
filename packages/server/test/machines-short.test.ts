import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { MACHINE_CASES } from './support/machine-cases.ts'
import { type MachineSet, openMachineSet } from './support/machine-set.ts'
import { openMachineTable } from './support/machine-table.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { tryCase } from './support/try-case.ts'

/** The whole matrix is `npm run test:machines`. */
const CASES = ['kill -9 of the program', 'the machine is switched off'].map((name) => {
  const found = MACHINE_CASES.find((each) => each.name === name)
  if (!found) throw new Error(`there is no case '${name}'`)
  return found
})

const table = openMachineTable('Two workers on machines of their own, two broadcasts, as the ingest saw it')
let database: Awaited<ReturnType<typeof migratedPostgres>>
let s3: S3Server
let set: MachineSet

beforeAll(async () => {
  ;[database, s3] = await Promise.all([migratedPostgres(), startS3Server()])
  const stores = { databaseUrl: database.url, redisUrl: await freshRedis(), s3: s3.env }
  set = await openMachineSet({ workers: 2, streams: 2, ...stores })
})
afterAll(async () => {
  table.print()
  await set?.[Symbol.asyncDispose]()
  await Promise.all([database?.drop(), s3?.stop()])
})

describe('one keeper, always', () => {
  for (const each of CASES) {
    const point = each.promised === 'fault' ? 'MANY-02' : 'MANY-03'
    it(`[${point}] ${each.name}`, { timeout: 300_000 }, () => tryCase(set, table, each))
  }
})
