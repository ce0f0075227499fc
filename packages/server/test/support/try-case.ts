import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineCase } from './machine-cases.ts'
import type { MachineSet } from './machine-set.ts'
import type { openMachineTable, Promised } from './machine-table.ts'

/** One case on a set that is whole at its begin. Also one that does not come to its end gets its row. */
export async function tryCase(
  set: MachineSet,
  table: ReturnType<typeof openMachineTable>,
  each: MachineCase,
): Promise<void> {
  const { name } = each
  await set.restore()
  const before = set.holders()
  const victim = set.busiest()
  const keys = set.heldBy(victim)
  set.referee.begin()
  let failure: unknown = null
  let promised = each.promised
  const promise = (more: Promised): void => {
    promised = more
  }
  await each.run(set, victim, keys, promise).catch((error: unknown) => {
    failure = error
  })
  await keepLogs(set, name)
  const verdicts = set.referee.verdicts(set.keys)
  const now = set.holders()
  const moved = set.keys.filter((key) => now.get(key)?.join() !== before.get(key)?.join()).length
  table.add({
    name: failure ? `${name} (${(failure as Error).message.slice(0, 60)})` : name,
    promised,
    verdicts,
    moved,
  })
  if (failure) throw failure
}

/** What the programs said, where somebody wants to read it: SIARIN_MACHINE_LOGS names a folder. */
async function keepLogs(set: MachineSet, name: string): Promise<void> {
  const { SIARIN_MACHINE_LOGS: folder } = process.env
  if (!folder) return
  const file = (of: string) => join(folder, `${name.replaceAll(/\W+/g, '-')}.${of}.log`)
  for (const machine of set.machines) await writeFile(file(machine.name), machine.output())
}
