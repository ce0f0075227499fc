import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { PROGRAM_VERSION } from '../../../platform/version.ts'
import type { ToldLoad, WorkerLeaseRow, WorkerLeasesRepo, WorkerState } from '../store/worker-leases.repo.ts'
import type { Beats } from './beats.ts'
import type { Fleet } from './fleet.ts'
import { BEAT_MS, type Hold, held, judged, mayTake, type Sighting, sighted, TAKE_AFTER_MS } from './lease-state.ts'
import { monotonicDeadline } from './monotonic-deadline.ts'
import { type SharedHold, shareHold } from './shared-hold.ts'

interface LeaseDeps {
  worker: string
  repo: WorkerLeasesRepo
  fleet: Pick<Fleet, 'witness' | 'onExtended' | 'runMark' | 'startBeats'>
  told: () => ToldLoad
  /** Whatever this worker keeps has to end, and does: the fence sees to it. */
  onLapsed: () => void
  /** Gives what dead workers kept to those of these rows. */
  deal: (inside: Db, dead: readonly string[], rows: readonly WorkerLeaseRow[]) => Promise<void>
  log: Log
}

export type Lease = ReturnType<typeof createLease>

const JUDGE_MS = 100
const SILENT_MS = 3 * BEAT_MS

/**
 * Keeps this worker's lease, and takes away those of workers that are dead. The rules are those of lease-state.ts.
 *
 * It registers, and asks before it acts; a thread renews (beats.ts), so that a loop which stands still for some seconds takes nobody off air.
 * Both see one cell (shared-hold.ts): when the loop goes on again, its first question tells what is true then, before anything is started or
 * claimed. Only this side registers, so the incarnation is the same for as long as the loop stands still.
 */
export function createLease({ worker, repo, fleet, told, onLapsed, deal, log }: LeaseDeps) {
  const fleetCheck = createFleetCheck({ worker, repo, fleet, isHeld, deal, log })
  const boot = fleet.runMark ?? randomUUID()
  const registering = { worker, boot, repo, told, log, checkFleet: fleetCheck.run, isStopped: () => isStopped }
  let beats: Beats | null = null
  let hold: SharedHold | null = null
  let isLapseKnown = false
  let state: WorkerState = 'up'
  let isStopped = false
  let timers: NodeJS.Timeout[] = []

  function isHeld(): boolean {
    if (!hold || hold.judge().at === 'held') return hold !== null
    if (!isLapseKnown) {
      isLapseKnown = true
      log.error({ worker }, 'the lease was not renewed in time, or taken away: this worker ends what it keeps')
      onLapsed()
    }
    return false
  }

  function onState(incarnation: string, next: WorkerState): void {
    if (incarnation === hold?.incarnation) state = next
  }

  /** Until it holds the lease. Nothing of an earlier incarnation may run any more, but what the new one takes up. */
  async function register(): Promise<void> {
    const registered = await tryRegister(registering)
    if (!registered || isStopped) return
    state = registered.state
    hold = shareHold(registered.hold)
    isLapseKnown = false
    fleet.onExtended(BigInt(monotonicDeadline(registered.hold.deadlineMs)))
    beats?.keep(hold, told())
  }

  return {
    isHeld,
    /** The run that holds it now: what was asked in one run and is answered in the next counts for nothing. */
    incarnation: (): string | null => (isHeld() && hold ? hold.incarnation : null),
    register,
    checkFleet: fleetCheck.run,
    takeInMs: fleetCheck.takeInMs,
    /** What its operator wants of it. */
    state: (): WorkerState => state,
    async start(): Promise<void> {
      beats = fleet.startBeats({ worker, onState })
      await beats.ready()
      await register()
      timers = [setInterval(() => beats?.tell(told()), BEAT_MS), setInterval(isHeld, JUDGE_MS)]
    },
    /** It keeps nothing any more. */
    async stop(): Promise<void> {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      await beats?.stop()
      const { incarnation } = hold ?? {}
      hold = null
      if (incarnation) await repo.release({ id: worker, incarnation }).catch(() => {})
    },
  }
}

interface RegisterDeps extends Pick<LeaseDeps, 'worker' | 'repo' | 'told' | 'log'> {
  boot: string
  checkFleet: () => Promise<unknown>
  isStopped: () => boolean
}

/** Again and again: the database may be away, and another machine may have the name until it is seen to be dead. */
async function tryRegister(
  deps: RegisterDeps,
): Promise<{ state: WorkerState; hold: Extract<Hold, { at: 'held' }> } | null> {
  const { worker, boot, repo, told, checkFleet, isStopped, log } = deps
  for (let tries = 0; !isStopped(); tries++) {
    const incarnation = randomUUID()
    const begunMs = steadyMs()
    const run = { id: worker, incarnation, boot, version: PROGRAM_VERSION }
    const state = await repo.register(run, told()).catch((error) => {
      log.warn({ err: (error as Error).message }, 'a lease cannot be had yet')
      return undefined
    })
    const hold = judged(held(incarnation, begunMs), steadyMs())
    if (state && hold.at === 'held') return { state, hold }
    if (state === null) {
      if (tries === 0) log.warn({ worker }, 'another program has this WORKER_ID, or had it until a moment ago: waiting')
      await checkFleet().catch(() => {})
    }
    await sleep(BEAT_MS)
  }
  return null
}

interface FleetCheckDeps extends Pick<LeaseDeps, 'worker' | 'repo' | 'fleet' | 'deal' | 'log'> {
  isHeld: () => boolean
}

/** What this worker has seen of all. One look at a time. */
function createFleetCheck({ worker, repo, fleet, isHeld, deal, log }: FleetCheckDeps) {
  const now = steadyMs
  const rowsSeen = new Map<string, Sighting>()
  const witnessesSeen = new Map<string, Sighting>()
  /** When the lease that was silent longest may be taken away; only those that somebody holds count. */
  let nextTakeMs = Number.POSITIVE_INFINITY

  /** Their rows after it. */
  async function take(dead: readonly WorkerLeaseRow[], others: readonly WorkerLeaseRow[]): Promise<WorkerLeaseRow[]> {
    if (dead.length === 0) return []
    const taken = await repo.takeAway(dead, (inside, ids) => deal(inside, ids, others))
    for (const id of taken) {
      log.warn({ deadWorker: id }, 'a worker is dead: its streams are taken over')
      await fleet.witness.forget(id).catch(() => {})
    }
    return dead.map((row) => (taken.includes(row.id) ? { ...row, incarnation: null, isLive: false, room: 0 } : row))
  }

  return {
    /** Every worker, after those were taken away that may be. */
    async run(): Promise<WorkerLeaseRow[]> {
      const rowAskedMs = now()
      const rows = await repo.all()
      for (const { id, incarnation, beat_seq } of rows) {
        rowsSeen.set(id, sighted(rowsSeen.get(id), `${incarnation}:${beat_seq}`, now()))
      }
      const witnessAskedMs = now()
      const shownOf = await fleet.witness.readBeats().catch(() => null)
      if (!shownOf) return rows
      const answeredMs = now()
      nextTakeMs = Number.POSITIVE_INFINITY
      const dead = rows.filter(({ id, incarnation }) => {
        const witness = sighted(witnessesSeen.get(id), shownOf(id), answeredMs)
        witnessesSeen.set(id, witness)
        if (incarnation === null || (id === worker && isHeld())) return false
        const row = rowsSeen.get(id)
        nextTakeMs = Math.min(nextTakeMs, Math.max(witness.sinceMs, row?.sinceMs ?? 0) + TAKE_AFTER_MS)
        return mayTake({ row, rowAskedMs, witness, witnessAskedMs })
      })
      const others = rows.filter((row) => !dead.includes(row))
      // Who has been silent for some beats may be dead too: it is given nothing.
      const heard = others.filter(({ id }) => answeredMs - (rowsSeen.get(id)?.sinceMs ?? 0) < SILENT_MS)
      return [...others, ...(await take(dead, heard))]
    },
    /** In how long a look could find somebody dead, from what is known now. */
    takeInMs: (): number => nextTakeMs - now(),
  }
}
