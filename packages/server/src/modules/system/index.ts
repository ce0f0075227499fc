import { hostname } from 'node:os'
import { SystemStatusAnswer } from '@siarin/contracts/system'
import { SYSTEM_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../http/types.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { processBirth } from '../../platform/process/detached.ts'
import { PROGRAM_VERSION } from '../../platform/version.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createMachineWatch } from './machine-watch.ts'
import { createMachinesRepo } from './machines.repo.ts'
import { createTelling } from './tell-machine.ts'

export interface SystemDeps {
  db: Db
  dataDir: string
  log: Log
  role: 'all' | 'web' | 'worker'
  /** There is no other machine: it tells nobody, and asks nobody. */
  isAlone: boolean
  /** The name of this machine among the workers. */
  worker: string
  workload: () => { streams: number; room: number }
}

export function createSystem({ db, dataDir, log, role, isAlone, worker, workload }: SystemDeps) {
  const host = processBirth(process.pid)?.split('/')[0] ?? hostname()
  const machines = createMachinesRepo(db)
  const watch = createMachineWatch({ dataDir, log, host, others: isAlone ? null : machines.all })
  const self = { id: worker, role, host, version: PROGRAM_VERSION }
  const idle = () => ({ streams: 0, room: 0 })
  const telling = createTelling({ repo: machines, watch, self, workload: role === 'web' ? idle : workload, log })

  function begin(): void {
    watch.start()
    if (!isAlone) telling.start()
  }
  async function end(): Promise<void> {
    watch.stop()
    await telling.stop()
  }
  return {
    /** Every program of several; none where there is one. */
    machines: async () => (isAlone ? [] : machines.all()),
    routes: (hooks: CallerHooks) =>
      async function routes(app: App): Promise<void> {
        app.addHook('onReady', async () => begin())
        app.addHook('onClose', end)
        app.get(
          '/fitur/system/status',
          {
            schema: { summary: 'How the machine is', tags: ['system'], response: { 200: SystemStatusAnswer } },
            preValidation: hooks.requireFeatureSession,
          },
          async () => ({ success: true, message: SYSTEM_TEXTS.status, ...(await watch.status()) }),
        )
      },
    /** In the worker role. Where it answers people too, it has begun with the routes. */
    start(): void {
      if (role === 'worker') begin()
    },
    stop: end,
  }
}
