import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Changes } from '../../platform/db/changes.ts'
import { dueRows } from '../../platform/due-rows.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import { type Claimed, createClaims } from './claim-deliveries.ts'
import type { DeliveryQueue } from './delivery-queue.repo.ts'
import type { EndpointRow, EndpointsRepo } from './endpoints.repo.ts'
import { inBatches } from './in-batches.ts'
import { judgeTry } from './judge-try.ts'
import { PLACES, SLOW_CALLS } from './places.ts'
import type { SendDelivery } from './send-delivery.ts'

interface DeliveryRunnerDeps {
  readonly queue: DeliveryQueue
  readonly endpoints: Pick<EndpointsRepo, 'byIds'>
  readonly send: SendDelivery
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly timings: Timings['webhooks']
  /** Without room what was sent could not be noted, and would be sent again. */
  readonly hasDiskRoom: () => boolean
  /** We have switched it off. */
  readonly onDisabled: (endpoint: EndpointRow, reason: 'gone' | 'failing') => Promise<void>
}

/** Sends what is due, a few at a time, and writes down what came of it. The rows are the truth. */
export function createDeliveryRunner(deps: DeliveryRunnerDeps) {
  const { queue, clock, trust, log, timings } = deps
  const claims = createClaims({ ...deps, claimMs: timings.claimMs })
  const finish = inBatches(queue.finish)
  const halt = new AbortController()

  async function handle(claimed: Claimed): Promise<boolean> {
    const { row, endpoint } = claimed
    try {
      // Before it is sent: from then on nothing but its outcome counts.
      const { isSure } = await trust()
      const tried = await deps.send(row, endpoint, halt.signal)
      claims.noteDuration(endpoint.id, tried.durationMs)
      const now = clock.now()
      const verdict = judgeTry(
        tried,
        // By a clock in doubt none is too old.
        { tries: row.tries, sinceMs: isSure ? row.since_at : now },
        { now, random: Math.random(), retriesMs: timings.retriesMs },
      )
      const disabled = await finish({ row, address: endpoint.url_sealed, tried, verdict, now, isSure })
      if (disabled) await deps.onDisabled(endpoint, disabled)
    } catch (error) {
      // The program ends: the next one may try at once.
      if (!halt.signal.aborted) throw error
      await queue.release(row, clock.now())
    } finally {
      // Once nobody counts it as under way any more.
      setImmediate(() => {
        claims.give(claimed)
        runner.wake()
      })
    }
    return true
  }

  /** Others that fail may have waited for it, also where there is a place. */
  function moveAside(claimed: Claimed): void {
    claims.moveAside(claimed)
    runner.wake()
  }

  const runner = dueRows<Claimed>({
    claim: async (most) => (deps.hasDiskRoom() ? claims.claim(most) : []),
    idOf: ({ row }) => row.id,
    handle,
    // What could not be written down is due again once its claim lapses.
    backoff: { firstMs: 0, longestMs: 0, inRow: { triesOf: () => 0, putOff: async () => {} } },
    atOnce: PLACES.inAll,
    slow: { ...SLOW_CALLS, onSlow: moveAside },
    everyMs: timings.everyMs,
    clock,
    log,
    complaint: 'a webhook could not be delivered',
  })

  return {
    start: (): void => runner.start(),
    wake: (): void => runner.wake(),
    forgetGone: claims.forgetGone,
    /** Nobody waits for receivers that hang. */
    async stop(): Promise<void> {
      halt.abort()
      await runner.stop()
    },
  }
}
