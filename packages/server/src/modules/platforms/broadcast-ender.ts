import type { Clock } from '../../platform/clock.ts'
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
  events: Events
  log: Log
  timings: Pick<Timings, 'platformEndings'>
}

const AT_ONCE = 20
/** Whoever has begun at TikTok and goes nowhere with it. */
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
  const { repo, end, clock, events, log } = deps
  const { everyMs, firstRetryMs } = deps.timings.platformEndings
  let round: Promise<void> | null = null
  let again = false
  let stopped = false
  let release = () => {}

  async function tryOne(row: BroadcastRow): Promise<void> {
    if (!(await repo.take(row, clock.now() + TAKEN_MS)) || (await end(row))) return
    const tries = row.tries + 1
    if (tries < TRIES_MAX) {
      const waitMs = Math.min(LONGEST_WAIT_MS, firstRetryMs * 2 ** Math.min(row.tries, 10))
      return repo.retryAt(row.id, clock.now() + waitMs)
    }
    log.warn({ broadcast: row.id, tries }, 'a broadcast could not be ended at the platform')
    await repo.ended(row.id, clock.now())
  }

  async function look(): Promise<void> {
    const now = clock.now()
    const due = await findDue(deps, { now, unusedBefore: now - UNUSED_MS, limit: AT_ONCE })
    await Promise.all(due.map((row) => tryOne(row)))
    if (due.length === AT_ONCE) again = true
  }

  /** One round at a time; whoever asks meanwhile gets another one after it. */
  function wake(): void {
    again = true
    round ??= (async () => {
      while (again && !stopped) {
        again = false
        await look().catch((error) => log.warn({ err: error }, 'broadcasts at the platforms could not be looked at'))
      }
      round = null
    })()
  }

  return {
    start(): void {
      const timer = setInterval(wake, everyMs)
      const off = events.on('stream.changed', ({ phase }) => {
        if (phase === 'ended') wake()
      })
      release = () => {
        clearInterval(timer)
        off()
      }
      wake()
    },
    async stop(): Promise<void> {
      release()
      stopped = true
      await round
    },
  }
}
