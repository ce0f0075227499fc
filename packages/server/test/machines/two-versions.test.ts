import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takenOver } from '../support/machine-cases.ts'
import { type MachineSet, openMachineSet } from '../support/machine-set.ts'
import { openMachineTable } from '../support/machine-table.ts'
import { freshRedis, migratedPostgres } from '../support/shared-servers.ts'
import { versionBefore } from '../support/version-before.ts'

const table = openMachineTable('A rolling upgrade from the version before, two workers and three broadcasts')
const before = await versionBefore()
/** Longer than anybody waits before taking over what is not looked after. */
const BESIDE_MS = 25_000

describe.skipIf(before === null)('machines of the version before beside those of this one', () => {
  let database: Awaited<ReturnType<typeof migratedPostgres>>
  let set: MachineSet

  beforeAll(async () => {
    database = await migratedPostgres()
    const stores = { databaseUrl: database.url, redisUrl: await freshRedis() }
    set = await openMachineSet({ workers: 2, streams: 3, ...stores, ...(before ? { main: before.main } : {}) })
  })
  afterAll(async () => {
    table.print()
    await set?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  it('[MANY-03] are upgraded one by one, and nothing is on air twice', async () => {
    const [first, second] = set.machines
    if (!first || !second) throw new Error('there are two machines')
    for (const machine of [first, second]) {
      const former = set.holders()
      const held = set.heldBy(machine)
      set.referee.begin()
      await machine.stopProgram()
      await takenOver(set, machine, held)
      await machine.startProgram('')
      // The two versions side by side.
      await sleep(BESIDE_MS)
      await set.settled()
      const now = set.holders()
      const moved = set.keys.filter((key) => now.get(key)?.join() !== former.get(key)?.join()).length
      table.add({
        name: `${machine.name} gets this version`,
        promised: 'fault',
        verdicts: set.referee.verdicts(set.keys),
        moved,
      })
    }
    expect(set.keys.every((key) => set.holders().get(key)?.length === 1)).toBe(true)
  })
})
