import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../platform/log.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { Fleet } from '../lease/fleet.ts'
import { createLease } from '../lease/lease.ts'
import { BEAT_MS } from '../lease/lease-state.ts'
import type { ClipLibrary } from '../sequence/clips.ts'
import { assignedStreams } from '../store/assigned-streams.repo.ts'
import { createWorkerLeasesRepo, type ToldLoad, type WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import type { WorkersRepo } from '../store/workers.repo.ts'
import { type AssignmentsDeps, createAssignments } from './assignments.ts'
import { createDeadNames } from './dead-names.ts'
import { dealOfDead } from './deals.ts'
import { createDrain } from './drain.ts'
import { createOffers } from './offers.ts'
import { createPlaces } from './places-here.ts'
import { createStandby } from './standby.ts'

interface FleetWorkerDeps extends Pick<AssignmentsDeps, 'handle' | 'isWaiting'> {
  fleet: Fleet
  worker: string
  repo: AssignmentsDeps['repo']
  workers: Pick<WorkersRepo, 'lastSeen'>
  library: ClipLibrary
  storage: Storage
  prepare: (streamId: string) => Promise<() => void>
  /** The streams here that cannot begin, since this machine has no room for their video. */
  unheld?: ReadonlySet<string>
  maxStreams: number
  machineShortage: () => MachineShortage | null
  machineLoad: () => { cpu: number; memory: number }
  log: Log
}

const SWEEPS_PER_CHORE = 10
/** A timer may come a little early. */
const EARLY_MS = 5

/** A worker among others: it holds a lease, takes streams, and hands them over when it is to end. */
export function createFleetWorker(deps: FleetWorkerDeps) {
  const { fleet, worker, maxStreams, machineShortage, log } = deps
  const leases = createWorkerLeasesRepo(fleet.db)
  const assigned = assignedStreams(fleet.db)
  const onLapsed = () => void goOnAfterLapse()
  const lease = createLease({ worker, repo: leases, fleet, told, onLapsed, deal: dealOfDead, log })
  const places = createPlaces({ ...deps, kept: () => running.size, isDraining, isEnding: () => isEnding })
  const { room, mostRoom } = places
  const deadNames = createDeadNames({ ...deps, assigned })
  const assignments = createAssignments({ ...deps, assigned, lease, room, mostRoom, deadNames })
  const { running } = assignments
  const mustLeave = (streamId: string): boolean => isDraining() || deps.unheld?.has(streamId) === true
  const drain = createDrain({ worker, assigned, running, mustLeave, log })
  const offers = createOffers({ ...deps, assigned, running, room })
  const standby = createStandby({ ...deps, assigned, running })
  const sweeps = createSweeps(sweep, log)
  let isEnding = false
  let isStopped = false
  let chores = 0
  let stopHearing = () => {}

  function isDraining(): boolean {
    return isEnding || lease.state() === 'draining'
  }

  function told(): ToldLoad {
    const load = deps.machineLoad()
    return { room: room(), max_streams: maxStreams, kept: running.size, ...load, short_of: machineShortage() }
  }

  /** Whatever ran has ended before this worker is anybody again: the deadline of the fence moves with the new lease. */
  async function goOnAfterLapse(): Promise<void> {
    await assignments.endAll('lapsed')
    if (isStopped) return
    await lease.register()
    await assignments.takeOwn().catch(() => {})
    sweeps.soon()
  }

  async function sweep(): Promise<WorkerLeaseRow[]> {
    places.refresh()
    const rows = await assignments.sweep()
    places.see(rows)
    if (!lease.isHeld()) return rows
    // Looked at just then, not up to a second later: that second is one off air.
    sweeps.within(lease.takeInMs())
    await offers.accept()
    await drain.step(rows)
    if (chores++ % SWEEPS_PER_CHORE === 0) {
      void standby.refresh(rows).catch((error) => log.debug({ err: error }, 'no video could be fetched ahead'))
      await leases.forgetOld()
    }
    return rows
  }

  return {
    room,
    /** Holds the lease from here on. */
    hold(): Promise<void> {
      places.refresh()
      return lease.start()
    },
    start(): void {
      sweeps.start()
      stopHearing = fleet.hear((heard) => {
        if (heard === '') return sweeps.soon()
        if (heard !== worker) return
        assignments.takeGiven().catch((error) => log.warn({ err: error }, 'a stream that was handed over has to wait'))
      })
    },
    /** Moves all to other workers, where there are any, until `signal` says that there is no more time. */
    async drain(signal: AbortSignal): Promise<void> {
      isEnding = true
      const isOver = (rows: readonly WorkerLeaseRow[]): boolean =>
        running.size === 0 || (!drain.isMoving() && !drain.hasTakers(rows) && !drain.isOffering())
      for (;;) {
        const rows = await sweeps.now().catch(() => [])
        if (signal.aborted || isOver(rows)) return
        await sleep(BEAT_MS / 5, undefined, { signal }).catch(() => {})
      }
    },
    async stop(): Promise<void> {
      isStopped = true
      stopHearing()
      await sweeps.stop()
      await assignments.endAll('closing')
      offers.stop()
      await lease.stop()
      await assigned.hint().catch(() => {})
    },
  }
}

/** One sweep at a time: each second, and soon after a hint. */
function createSweeps<T>(sweep: () => Promise<T>, log: Log) {
  let timer: NodeJS.Timeout | undefined
  let early: NodeJS.Timeout | undefined
  let current: Promise<T> | null = null
  let isStopped = false

  function now(): Promise<T> {
    current ??= sweep().finally(() => {
      current = null
    })
    return current
  }

  async function run(): Promise<void> {
    await now().catch((error) => log.warn({ err: (error as Error).message }, 'could not look for streams to keep'))
  }

  return {
    now,
    start(): void {
      void run()
      timer = setInterval(() => void run(), BEAT_MS)
    },
    /** What is under way may have read the rows too early. */
    soon(): void {
      if (isStopped) return
      const before = current
      if (before) void before.catch(() => {}).then(() => run())
      else void run()
    },
    /** Where that comes before the next one is due anyway. */
    within(ms: number): void {
      clearTimeout(early)
      if (!isStopped && ms > 0 && ms < BEAT_MS) early = setTimeout(() => void run(), ms + EARLY_MS)
    },
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      clearTimeout(early)
      await current?.catch(() => {})
    },
  }
}
