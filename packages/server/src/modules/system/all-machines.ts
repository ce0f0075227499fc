import type { HeardMachine } from './machines.repo.ts'
import { percent } from './read-machine.ts'

/** What of a machine is shown: its CPU in percent, and memory and disk in bytes. */
export interface MachineReading {
  readonly cpu: { readonly usage: number }
  readonly memory: { readonly total: number; readonly used: number; readonly usage: number }
  readonly disk: { readonly size: number; readonly used: number; readonly available: number; readonly usage: number }
}

/** People are told of a machine that fell silent for so long; the operator for a day. */
const GONE_SHOWN_MS = 600_000

const tenth = (value: number): number => Math.round(value * 10) / 10

const readingOf = (row: HeardMachine): MachineReading => ({
  cpu: { usage: Math.min(100, Math.max(0, tenth(row.cpu))) },
  memory: { total: row.memory_total, used: row.memory_used, usage: percent(row.memory_used, row.memory_total) },
  disk: {
    size: row.disk_size,
    used: row.disk_used,
    available: row.disk_available,
    usage: percent(row.disk_used, row.disk_used + row.disk_available),
  },
})

/** The machines, of which each may run several programs: of these the one that was heard last. */
function machinesOf(rows: readonly HeardMachine[]): { host: string; isGone: boolean; row: HeardMachine }[] {
  const byHost = new Map<string, HeardMachine>()
  for (const row of rows) {
    const known = byHost.get(row.host)
    if (!known || row.silentMs < known.silentMs) byHost.set(row.host, row)
  }
  return [...byHost].map(([host, row]) => ({ host, isGone: row.isGone, row }))
}

/**
 * All machines as one: CPU on average, memory together, and the disk of the one that is fullest, since machines may share theirs. A
 * machine that fell silent is counted apart, for a while. Null: this machine is the only one, whatever programs run on it.
 */
export function asOneMachine(own: { host: string; reading: MachineReading }, rows: readonly HeardMachine[]) {
  const machines = machinesOf(rows)
  const others = machines.filter(({ host, isGone }) => host !== own.host && !isGone)
  const isMissed = (row: HeardMachine): boolean => row.isGone && row.silentMs < GONE_SHOWN_MS
  const gone = machines.filter(({ host, row }) => host !== own.host && isMissed(row)).length
  if (others.length === 0 && gone === 0) return null
  const readings = [own.reading, ...others.map(({ row }) => readingOf(row))]
  const sum = (of: (reading: MachineReading) => number): number => readings.reduce((all, each) => all + of(each), 0)
  const [total, used] = [sum(({ memory }) => memory.total), sum(({ memory }) => memory.used)]
  const [fullest = own.reading] = readings.toSorted((one, other) => other.disk.usage - one.disk.usage)
  return {
    cpu: { usage: tenth(sum(({ cpu }) => cpu.usage) / readings.length) },
    memory: { total, used, usage: percent(used, total) },
    disk: fullest.disk,
    machines: { total: readings.length, gone },
  }
}
