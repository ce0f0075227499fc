import type { Log } from '../../../platform/log.ts'
import { repeat } from '../../../platform/repeat.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { PlansService } from '../../plans/index.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface PlanKeeperDeps {
  plans: Pick<PlansService, 'toBeStopped'>
  repo: Pick<StreamsRepo, 'askEndOf' | 'revokeEndOf' | 'usersOnAir' | 'usersWithEnding'>
  log: Log
  timings: Pick<Timings, 'endedPlansMs'>
}

/**
 * Ends the broadcasts of users who have no right to them any more: at the end of a pass, or at once when the operator says so. A clock that
 * may be wrong ends nothing, since what has ended does not come back.
 */
export function createPlanKeeper({ plans, repo, log, timings }: PlanKeeperDeps) {
  let stopRefreshing = async () => {}

  async function refresh(): Promise<void> {
    const stopped = await plans.toBeStopped(await repo.usersOnAir())
    for (const { userId, when } of stopped) {
      if (when === 'in-doubt') continue
      const atOnce = when === 'at-once'
      log.info({ userId, atOnce }, 'the broadcasts of a user have to end')
      await repo.askEndOf(userId, atOnce ? 'stopped' : 'ending', atOnce ? 'suspended' : 'plan-ended')
    }
    // A user who has renewed meanwhile goes on as if nothing had been. A clock in doubt changes nothing of what was asked for before.
    const ending = new Set(stopped.map(({ userId }) => userId))
    for (const userId of await repo.usersWithEnding()) if (!ending.has(userId)) await repo.revokeEndOf(userId)
  }

  return {
    /** Looks once before anything goes on air again. */
    async start(): Promise<void> {
      const complaint = 'could not look for plans that have ended'
      await refresh().catch((error) => log.warn({ err: error }, complaint))
      // Nothing is put off here: each time all that should end is asked to, and what may go on after all is let be.
      const everyMs = timings.endedPlansMs
      stopRefreshing = repeat({ firstAfterMs: everyMs, everyMs, log, complaint, work: refresh })
    },
    stop: (): Promise<void> => stopRefreshing(),
  }
}
