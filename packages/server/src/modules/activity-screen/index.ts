import type { CallerHooks } from '../identity/caller-hooks.ts'
import { activityScreenRoutes } from './activity-screen.routes.ts'
import { createActivityScreenService } from './activity-screen.service.ts'

export type ActivityScreenDeps = Parameters<typeof createActivityScreenService>[0]

export function createActivityScreen(deps: ActivityScreenDeps) {
  const service = createActivityScreenService(deps)
  return { routes: (hooks: CallerHooks) => activityScreenRoutes({ service, hooks }) }
}
