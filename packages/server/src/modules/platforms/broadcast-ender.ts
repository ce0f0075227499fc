import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import { dueRows } from '../../platform/due-rows.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { BroadcastRow, BroadcastsRepo } from './broadcasts.repo.ts'
import { findDue, type StreamsAtTargets } from './due-broadcasts.ts'
import type { StreamlabsClient } from './streamlabs-client.ts'

/** Ends one at its platform; false: it did not work. */
export type EndAtPlatform = (broadcast: Pick<BroadcastRow, 'id' | 'token_sealed' | 'broadcast_id'>) => Promise<boolean>

interface EndAtPlatformDeps {
  repo: Pick<BroadcastsRepo, 'ended'>
  streamlabs: Pick<StreamlabsClient, 'end'>
  sealer: Sealer
  clock: Clock
  log: Log
}

interface BroadcastEnderDeps {
  repo: BroadcastsRepo
  end: EndAtPlatform
  streamsAt: StreamsAtTargets
  clock: Clock
  trust: ClockTrust
  events: Events
  log: Log
  timings: Pick<Timings, 'platformEndings'>
}

const AT_ONCE = 20
/** A broadcast that was begun at TikTok and goes nowhere is ended after this time. */
const UNUSED_MS = 600_000
/** Longer than a call takes: meanwhile no other worker makes the same one. */
const TAKEN_MS = 30_000
const LONGEST_WAIT_MS = 300_000
/** A day, with the waits between. */
const TRIES_MAX = 293

export const createEndAtPlatform =
  ({ repo, streamlabs, sealer, clock, log }: EndAtPlatformDeps): EndAtPlatform =>
  async ({ id, token_sealed, broadcast_id }) => {
    const ended = await streamlabs.end(sealer.open(token_sealed), broadcast_id)
    // With a token that is no longer valid nobody can end it; TikTok does, as nothing is sent any more.
    if (!ended.ok && ended.fault !== 'token-invalid') return false
    await repo.ended(id, clock.now())
    log.info({ broadcast: id, ...(ended.ok ? {} : { fault: ended.fault }) }, 'broadcast ended at the platform')
    return true
  }

/** Ends at the platforms what is over here. The rows say what that is, so it goes on after a crash. */
export function createBroadcastEnder(deps: BroadcastEnderDeps) {
  const { repo, end, clock, trust, events, log } = deps
  const { everyMs, firstRetryMs } = deps.timings.platformEndings
  let stopListening = () => {}

  /** Only one of several workers gets each. */
  async function claim(most: number): Promise<BroadcastRow[]> {
    const { now, isTrusted } = await trust()
    // By a clock that may be ahead none has been unused for long: at its platform none can be begun again.
    const due = await findDue(deps, { now, unusedBefore: isTrusted ? now - UNUSED_MS : 0, limit: most })
    const taken = await Promise.all(due.map((row) => repo.take(row, now + TAKEN_MS)))
    return due.filter((_, index) => taken[index])
  }

  async function tryOne(row: BroadcastRow): Promise<boolean> {
    if (await end(row)) return true
    const tries = row.tries + 1
    if (tries < TRIES_MAX) return false
    log.warn({ broadcast: row.id, tries }, 'a broadcast could not be ended at the platform')
    await repo.ended(row.id, clock.now())
    return true
  }

  const endings = dueRows<BroadcastRow>({
    claim,
    idOf: ({ id }) => id,
    handle: tryOne,
    backoff: {
      firstMs: firstRetryMs,
      longestMs: LONGEST_WAIT_MS,
      inRow: { triesOf: ({ tries }) => tries, putOff: ({ id }, untilMs) => repo.retryAt(id, untilMs) },
    },
    atOnce: AT_ONCE,
    everyMs,
    clock,
    log,
    complaint: 'broadcasts at the platforms could not be looked at',
  })

  return {
    start(): void {
      // Only wakes: the rows say what has ended.
      stopListening = events.on('stream.changed', ({ phase }) => {
        if (phase === 'ended') endings.wake()
      })
      endings.start()
    },
    async stop(): Promise<void> {
      stopListening()
      await endings.stop()
    },
  }
}
