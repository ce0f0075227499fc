import { setImmediate as anotherTurn } from 'node:timers/promises'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { DeliveryQueue } from './delivery-queue.repo.ts'
import type { EndpointsRepo } from './endpoints.repo.ts'

interface TidyingDeps {
  readonly endpoints: Pick<EndpointsRepo, 'ids' | 'owners' | 'keepToPlan' | 'removeMarked'>
  readonly queue: Pick<DeliveryQueue, 'trimFinished' | 'catchUpWithClock'>
  readonly allowedOf: (userId: string) => Promise<number>
  readonly clock: Clock
  readonly log: Log
}

export const KEPT_FINISHED = 1000

/** Now and then: waits keep to the clock, endpoints keep to their owner's plan, and the log of each to its length. */
export function createTidying({ endpoints, queue, allowedOf, clock, log }: TidyingDeps) {
  let isStopping = false

  async function keepToPlan(userId: string): Promise<void> {
    const allowed = await allowedOf(userId).catch((error) => {
      // The account went meanwhile, and its endpoints with it.
      if (error instanceof DomainError) return null
      throw error
    })
    if (allowed === null) return
    const changed = await endpoints.keepToPlan(userId, allowed, clock.now())
    if (changed > 0) log.info({ userId, allowed, changed }, 'webhooks follow the plan')
  }

  async function catchUp(): Promise<void> {
    let count = 0
    for (
      let some = await queue.catchUpWithClock(clock.now());
      some > 0;
      some = await queue.catchUpWithClock(clock.now())
    ) {
      count += some
      // Everybody else gets a turn in between.
      await anotherTurn()
    }
    if (count > 0) log.warn({ count }, 'the clock was set back: webhooks that waited are tried now')
  }

  return {
    async run(): Promise<void> {
      await catchUp()
      await endpoints.removeMarked()
      for (const userId of await endpoints.owners()) await keepToPlan(userId)
      // All of them: a full queue drops deliveries without a try, and a note of which have any would not outlive the program.
      for (const endpointId of await endpoints.ids()) {
        if (isStopping) return
        await queue.trimFinished(endpointId, KEPT_FINISHED, () => isStopping)
        await anotherTurn()
      }
    },
    /** There may be a week of them to go, for which nobody waits. */
    stop(): void {
      isStopping = true
    },
  }
}
