import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { PlansService } from '../../plans/index.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface PlanKeeperDeps {
  plans: Pick<PlansService, 'toBeStopped'>
  repo: Pick<StreamsRepo, 'askEndOf' | 'revokeEndOf' | 'usersOnAir' | 'usersWithEnding'>
  log: Log
  timings: Pick<Timings, 'endedPlansMs'>
}

/** Ends the broadcasts of whoever has no right to them any more: at the end of a pass, or at once when the operator says so. */
export function createPlanKeeper({ plans, repo, log, timings }: PlanKeeperDeps) {
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const stopped = await plans.toBeStopped(await repo.usersOnAir())
    for (const { userId, atOnce } of stopped) {
      log.info({ userId, atOnce }, 'the broadcasts of a user have to end')
      await repo.askEndOf(userId, atOnce ? 'stopped' : 'ending', atOnce ? 'suspended' : 'plan-ended')
    }
    // Whoever has renewed meanwhile goes on as if nothing had been.
    const ending = new Set(stopped.map(({ userId }) => userId))
    for (const userId of await repo.usersWithEnding()) if (!ending.has(userId)) await repo.revokeEndOf(userId)
  }

  return {
    /** Looks once before anything goes on air again. */
    async start(): Promise<void> {
      const complain = (error: unknown) => log.warn({ err: error }, 'could not look for plans that have ended')
      await look().catch(complain)
      timer = setInterval(() => void look().catch(complain), timings.endedPlansMs)
    },
    stop: () => clearInterval(timer),
  }
}
