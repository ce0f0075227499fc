import { steadyMs } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { JobContext, JobOutcome } from '../../../platform/queue/queue.ts'
import type { Lease } from '../lease/lease.ts'
import { place } from '../lease/placement.ts'
import type { AssignableStream, AssignedStreamsRepo } from '../store/assigned-streams.repo.ts'
import type { Claim, StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import { dealtTo } from './deals.ts'

/** How a job of several machines differs: it claims what somebody has seen to be free. */
export interface AssignedContext extends JobContext {
  readonly claim: () => Promise<StreamRow | null>
}

export interface AssignmentsDeps {
  worker: string
  repo: Pick<StreamsRepo, 'claimSeen' | 'claimed'>
  assigned: AssignedStreamsRepo
  lease: Lease
  handle: (streamId: string, context: AssignedContext) => Promise<JobOutcome>
  /** For how many more there is room, and for how many at most, however tight it is. */
  room: () => number
  mostRoom: () => number
  /** For its video, which is not ready yet. */
  isWaiting: (streamId: string) => boolean
  /** Names of workers without a lease that are dead. */
  deadNames: (rows: readonly WorkerLeaseRow[]) => Promise<readonly string[]>
  log: Log
}

export interface Running extends Claim {
  /** Ends it here; it goes on elsewhere. Answers once nothing of it runs any more. */
  end(): Promise<void>
}

export type Assignments = ReturnType<typeof createAssignments>

/** A stream that its first choice has not taken by then is anybody's. */
const FIRST_CHOICE_MS = 2_000
/** Each worker takes its own of so many; more are dealt out by one of them. */
const MOST_FREE = 100
const MOST_AT_ONCE = 100
/** What is assigned to this worker is looked at seldom: it knows what it keeps. */
const SWEEPS_PER_OWN = 5

/**
 * Which streams this worker keeps, where there are several. The rows say whose a stream is, and each claim names the epoch in which it was
 * seen: of two that claim it, one gets it.
 */
export function createAssignments(deps: AssignmentsDeps) {
  const { worker, repo, assigned, lease, log } = deps
  const running = new Map<string, Running & { readonly abort: AbortController; readonly done: Promise<void> }>()
  const freeSince = new Map<string, number>()
  let sweeps = 0
  let isOwnDue = true

  function take(stream: AssignableStream, how: 'claimSeen' | 'claimed' = 'claimSeen'): void {
    const { id } = stream
    const abort = new AbortController()
    const taken = { id, epoch: stream.epoch, abort, done: Promise.resolve(), end }
    async function claim(): Promise<StreamRow | null> {
      // Asked again: names and files were waited for.
      if (!lease.isHeld() || abort.signal.aborted) return null
      const row = await repo[how](stream, worker)
      if (!row) return null
      taken.epoch = row.epoch
      // A process of another machine may have the number of one of ours.
      return stream.worker === worker ? row : { ...row, pid: null, pid_birth: null }
    }
    async function end(): Promise<void> {
      abort.abort('handover')
      await taken.done
    }
    running.set(id, taken)
    taken.done = deps
      .handle(id, { signal: abort.signal, claim })
      .then(
        (outcome) => {
          if (outcome === 'again') isOwnDue = true
        },
        (error) => {
          isOwnDue = true
          log.error({ err: error, streamId: id }, 'a stream could not be kept, it is tried again')
        },
      )
      .finally(() => running.delete(id))
  }

  const canTake = ({ id }: AssignableStream): boolean => !running.has(id) && !deps.isWaiting(id)

  /** What this worker has claimed and does not keep: after a start, and what was handed to it. */
  async function takeOwn(): Promise<void> {
    if (!lease.isHeld()) return
    isOwnDue = false
    for (const stream of (await assigned.assignedTo(worker)).filter(canTake)) take(stream)
  }

  /** Its own first choices at once, and whatever has waited for long. */
  function choose(free: readonly AssignableStream[], rows: readonly WorkerLeaseRow[]): AssignableStream[] {
    const nowMs = steadyMs()
    const ids = new Set(free.map(({ id }) => id))
    for (const id of freeSince.keys()) if (!ids.has(id)) freeSince.delete(id)
    for (const { id } of free) if (!freeSince.has(id)) freeSince.set(id, nowMs)
    const others = rows.filter(({ id, isLive, state }) => isLive && state === 'up' && id !== worker)
    const own = rows.find(({ id }) => id === worker)
    const room = deps.room()
    const choices = place(free, own ? [...others, { ...own, room }] : others)
    const hasWaited = ({ id }: AssignableStream): boolean => nowMs - (freeSince.get(id) ?? nowMs) > FIRST_CHOICE_MS
    const wished = free.filter((stream) => choices.get(stream.id) === worker || hasWaited(stream))
    const chosen = wished.slice(0, Math.min(room, MOST_AT_ONCE))
    // What was on air must come back, also where no machine is at its ease.
    const onAir = wished.filter((stream) => stream.worker !== null && hasWaited(stream) && !chosen.includes(stream))
    return [...chosen, ...onAir.slice(0, Math.max(0, Math.min(deps.mostRoom(), MOST_AT_ONCE) - chosen.length))]
  }

  return {
    running: running as ReadonlyMap<string, Running>,
    /** To be called again and again, one at a time. Answers what is known of all workers. */
    async sweep(): Promise<WorkerLeaseRow[]> {
      const rows = await lease.look()
      if (!lease.isHeld()) return rows
      if (isOwnDue || sweeps % SWEEPS_PER_OWN === 0) await takeOwn()
      sweeps++
      const dead = rows.filter(({ id, incarnation }) => incarnation === null && id !== worker).map(({ id }) => id)
      const former = [...dead, ...(await deps.deadNames(rows))]
      const found = await assigned.free(former, MOST_FREE)
      if (found.length === MOST_FREE) await assigned.dealFree(former, dealtTo(rows, deps.isWaiting))
      const free = found.filter(canTake)
      if (free.length > 0 && lease.isHeld()) for (const stream of choose(free, rows)) take(stream)
      return rows
    },
    takeOwn,
    /** Somebody has handed it something: nobody sends that now, so it waits for no sweep. */
    async takeGiven(): Promise<void> {
      if (!lease.isHeld()) return
      const given = await assigned.claimGiven(worker)
      // A worker of the version before hands over without a mark.
      if (given.length === 0) return takeOwn()
      for (const stream of given) {
        if (canTake(stream)) take(stream, 'claimed')
        else isOwnDue = true
      }
    },
    /** Ends all that runs here: it goes on elsewhere, or here once the lease is held again. */
    async endAll(why: 'lapsed' | 'closing'): Promise<void> {
      const all = [...running.values()]
      for (const { abort } of all) abort.abort(why)
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
