import type { Log } from '../../../platform/log.ts'
import type { JobContext, JobOutcome } from '../../../platform/queue/queue.ts'
import type { Lease } from '../lease/lease.ts'
import type { AssignedStreamsRepo } from '../store/assigned-streams.repo.ts'
import type { Claim, StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import { type ChoicesDeps, createChoices } from './choices.ts'
import { dealtTo } from './deals.ts'

/** How a job of several machines differs: it claims what somebody has seen to be free. */
export interface AssignedContext extends JobContext {
  readonly claim: () => Promise<StreamRow | null>
}

export interface AssignmentsDeps extends ChoicesDeps {
  repo: Pick<StreamsRepo, 'claimSeen' | 'claimAssigned'>
  assigned: AssignedStreamsRepo
  lease: Lease
  handle: (streamId: string, context: AssignedContext) => Promise<JobOutcome>
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

/** Each worker takes its own of so many of each kind; more are dealt out by one of them. */
const MOST_FREE = 100
/** What is assigned to this worker is looked at seldom: it knows what it keeps. */
const SWEEPS_PER_OWN = 5

/**
 * Which streams this worker keeps, where there are several. The rows say whose a stream is, and each claim names the epoch in which it was
 * seen: of two that claim it, one gets it.
 */
export function createAssignments(deps: AssignmentsDeps) {
  const { worker, repo, assigned, lease, log } = deps
  const running = new Map<string, Running & { readonly abort: AbortController; readonly done: Promise<void> }>()
  const choose = createChoices(deps)
  let sweeps = 0
  let isOwnDue = true

  /** `claimed`: what the claim has answered already. */
  function take(stream: Claim & { readonly worker: string | null }, claimed: StreamRow | null = null): void {
    const { id } = stream
    const abort = new AbortController()
    const taken = { id, epoch: stream.epoch, abort, done: Promise.resolve(), end }
    async function claim(): Promise<StreamRow | null> {
      // Asked again: names and files were waited for.
      if (!lease.isHeld() || abort.signal.aborted) return null
      const row = claimed ?? (await repo.claimSeen(stream, worker))
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

  const canTake = ({ id }: Claim): boolean => !running.has(id) && !deps.isWaiting(id)

  /** What this worker has claimed and does not keep: after a start, and what was handed to it. */
  async function takeOwn(): Promise<void> {
    if (!lease.isHeld()) return
    isOwnDue = false
    for (const stream of (await assigned.assignedTo(worker)).filter(canTake)) take(stream)
  }

  return {
    running: running as ReadonlyMap<string, Running>,
    /** To be called again and again, one at a time. Answers what is known of all workers. */
    async sweep(): Promise<WorkerLeaseRow[]> {
      const rows = await lease.checkFleet()
      if (!lease.isHeld()) return rows
      if (isOwnDue || sweeps % SWEEPS_PER_OWN === 0) await takeOwn()
      sweeps++
      const dead = rows.filter(({ id, incarnation }) => incarnation === null && id !== worker).map(({ id }) => id)
      const former = [...dead, ...(await deps.deadNames(rows))]
      const found = await assigned.free(former, MOST_FREE)
      if (found.length >= MOST_FREE) await assigned.dealFree(former, dealtTo(rows, deps.isWaiting))
      const free = found.filter(canTake)
      if (free.length > 0 && lease.isHeld()) for (const stream of choose(free, rows)) take(stream)
      return rows
    },
    takeOwn,
    /** Somebody has handed it something: nobody sends that now, so it waits for no sweep. */
    async takeGiven(): Promise<void> {
      const incarnation = lease.incarnation()
      if (incarnation === null) return
      const given = await repo.claimAssigned(worker)
      // A worker of the version before hands over without a mark.
      if (given.length === 0) return takeOwn()
      // Meanwhile it may have lost the lease, others these streams, and it may hold a new one.
      const isOurs = lease.incarnation() === incarnation
      for (const stream of given) {
        if (isOurs && canTake(stream)) take(stream, stream)
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
