import { SystemStatusAnswer } from '@siarin/contracts/system'
import { SYSTEM_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../http/types.ts'
import type { Log } from '../../platform/log.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createMachineWatch } from './machine-watch.ts'

export interface SystemDeps {
  dataDir: string
  log: Log
}

export function createSystem(deps: SystemDeps) {
  const watch = createMachineWatch(deps)
  return {
    routes: (hooks: CallerHooks) =>
      async function routes(app: App): Promise<void> {
        app.addHook('onReady', async () => watch.start())
        app.addHook('onClose', async () => watch.stop())
        app.get(
          '/fitur/system/status',
          {
            schema: { summary: 'How the machine is', tags: ['system'], response: { 200: SystemStatusAnswer } },
            preValidation: hooks.requireFeatureSession,
          },
          async () => ({ success: true, message: SYSTEM_TEXTS.status, ...(await watch.status()) }),
        )
      },
  }
}
