import type { Changes } from '../../platform/db/changes.ts'
import { type DueRows, dueRows } from '../../platform/due-rows.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import type { BusyChannel, ChannelRow } from './deliveries.repo.ts'
import { createDueGate } from './due-gate.ts'

interface DeliveryRunnerDeps extends DeliverDeps {
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  /** Without room what was sent could not be noted, and would be sent again. */
  readonly hasDiskRoom: () => boolean
}

/** Each may wait for a server that says nothing, and holds up only its own place. */
const AT_ONCE = 20
/** No server is known to hang before its first message, and those of five users would have all places. So many is what 25 may have. */
const SLOW = { afterMs: 1_500, most: 100 }
/** Shorter than a claim counts: one that rests is not claimed meanwhile. */
const LONGEST_MS = 50_000

/** Sends what waits, channel by channel. Each channel is with one program at a time, so its messages stay in order. */
export function createDeliveryRunner(deps: DeliveryRunnerDeps): DueRows {
  const { repo, clock, log, timings, hasDiskRoom } = deps
  const gate = createDueGate({ ...deps, tables: ['alert_channels', 'alert_deliveries'] })
  const ending = new AbortController()
  const deliver = createDeliver({ ...deps, ending: ending.signal })
  const busy = new Map<string, BusyChannel>()

  async function claim(most: number): Promise<ChannelRow[]> {
    if (gate.isClosed() || !hasDiskRoom()) return []
    const version = gate.version()
    const now = clock.now()
    // A read first: a program at rest writes nothing.
    const next = await repo.nextAt(now)
    const isDue = next !== null && next <= now
    const rows = isDue ? await repo.claim(now, most, [...busy.values()]) : []
    if (rows.length === 0) gate.looked(version, next)
    return rows
  }

  const runner: DueRows = dueRows<ChannelRow>({
    ...{ claim, clock, log },
    idOf: ({ id }) => id,
    async handle(channel) {
      // Only now: what is claimed may rest after a failure, and is then not handled.
      busy.set(channel.id, { id: channel.id, userId: channel.user_id })
      try {
        await deliver(channel)
      } finally {
        busy.delete(channel.id)
      }
      // Its next one may wait already. Not before this one counts as handled.
      setImmediate(runner.wake)
      return true
    },
    backoff: { firstMs: timings.alerts.firstRetryMs, longestMs: LONGEST_MS },
    atOnce: AT_ONCE,
    slow: SLOW,
    everyMs: timings.alerts.everyMs,
    complaint: 'alerts could not be sent',
  })
  return {
    ...runner,
    stop() {
      ending.abort()
      return runner.stop()
    },
  }
}
