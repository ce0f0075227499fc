import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { MachineWatch } from './machine-watch.ts'
import { type MachineFigures, type MachinesRepo, TELL_EVERY_MS } from './machines.repo.ts'

/** Ten minutes. */
const CLEARED_EVERY = 60

interface TellingDeps {
  readonly repo: Pick<MachinesRepo, 'tell' | 'forget' | 'clearOld'>
  readonly watch: Pick<MachineWatch, 'own'>
  readonly self: Pick<MachineFigures, 'id' | 'role' | 'host' | 'version'>
  /** A web program has none. */
  readonly workload: () => { streams: number; room: number }
  readonly log: Log
}

/** Writes down how this machine fares, for those who ask any of the others. */
export function createTelling({ repo, watch, self, workload, log }: TellingDeps) {
  let stopTelling: (() => Promise<void>) | null = null
  let told = 0

  async function tell(): Promise<void> {
    const { cpu, memory, disk } = await watch.own()
    await repo.tell({
      ...self,
      cpu: cpu.usage,
      memory_total: memory.total,
      memory_used: memory.used,
      disk_size: disk.size,
      disk_used: disk.used,
      disk_available: disk.available,
      ...workload(),
    })
    if (told++ % CLEARED_EVERY === 0) await repo.clearOld()
  }

  return {
    start(): void {
      const complaint = 'could not tell the other machines how this one fares'
      stopTelling = repeat({ firstAfterMs: 0, everyMs: TELL_EVERY_MS, log, complaint, work: tell })
    },
    async stop(): Promise<void> {
      if (!stopTelling) return
      await stopTelling()
      stopTelling = null
      // Where the database is away it is seen as gone, which it is.
      await repo.forget(self).catch(() => {})
    },
  }
}
