import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { place } from '../lease/placement.ts'
import type { AssignedStreamsRepo, HandedStream } from '../store/assigned-streams.repo.ts'
import type { Claim } from '../store/streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import type { Assignments } from './assignments.ts'

interface DrainDeps {
  worker: string
  assigned: AssignedStreamsRepo
  running: Assignments['running']
  mustLeave: (streamId: string) => boolean
  log: Log
}

/** One target takes so many: more at once would be off air for longer than each by itself. */
const MOST_PER_SECOND = 5
const SECOND_MS = 1_000
/** Who is not ready by then is asked no more for a while. */
const READY_MS = 20_000

/**
 * Moves streams of this worker to others, one by one: all where it is to end, else those that it cannot hold. The next worker fetches and
 * reads the file and says so, then the ffmpeg here ends, and with the position the stream is the next one's. Where nobody is ready, it stays
 * here.
 */
export function createDrain({ worker, assigned, running, mustLeave, log }: DrainDeps) {
  const offered = new Map<string, { readonly to: string; readonly atMs: number }>()
  const moving = new Set<string>()
  /** When the next one may go to a worker. */
  const nextMoves = new Map<string, number>()
  const notReady = new Map<string, number>()
  const pace = createPace()

  async function handOver(stream: HandedStream, to: string): Promise<void> {
    const kept = running.get(stream.id)
    if (!kept || moving.has(stream.id)) return
    moving.add(stream.id)
    try {
      // One after the other: several that start at once are off air for longer each.
      const atMs = Math.max(steadyMs(), nextMoves.get(to) ?? 0)
      nextMoves.set(to, atMs + SECOND_MS / MOST_PER_SECOND)
      await sleep(atMs - steadyMs())
      await kept.end()
      const isHanded = await assigned.handOver(kept, to)
      log.info({ streamId: stream.id, to, isHanded }, 'a stream was handed over')
    } finally {
      moving.delete(stream.id)
      offered.delete(stream.id)
    }
  }

  function takersNow(rows: readonly WorkerLeaseRow[], nowMs: number): WorkerLeaseRow[] {
    return rows.flatMap((row) => {
      const { id, isLive, state, room } = row
      if (id === worker || !isLive || state !== 'up' || room <= 0) return []
      if (nowMs - (notReady.get(id) ?? Number.NEGATIVE_INFINITY) < READY_MS) return []
      const waiting = [...offered.values()].filter(({ to }) => to === id).length
      // It tells its room once a second: what was offered since is not in there yet.
      return [{ ...row, room: Math.min(room - waiting, MOST_PER_SECOND - pace.lately(id, nowMs)) }]
    })
  }

  async function offerMore(rows: readonly WorkerLeaseRow[]): Promise<void> {
    const nowMs = steadyMs()
    const takers = takersNow(rows, nowMs)
    const room = takers.reduce((sum, taker) => sum + Math.max(0, taker.room), 0)
    const isLeft = ({ id }: Claim): boolean => mustLeave(id) && !offered.has(id) && !moving.has(id)
    const left = [...running.values()].filter(isLeft).slice(0, room)
    for (const [id, to] of place(left, takers)) {
      const kept = running.get(id)
      if (!kept) continue
      await assigned.offer(kept, to)
      offered.set(id, { to, atMs: nowMs })
      pace.note(to, nowMs)
    }
    if (left.length > 0) await assigned.hint()
  }

  async function giveUpLate(): Promise<void> {
    for (const [id, { to, atMs }] of [...offered]) {
      if (moving.has(id) || steadyMs() - atMs < READY_MS) continue
      log.warn({ streamId: id, to }, 'a worker was not ready for a stream in time: it stays here')
      notReady.set(to, steadyMs())
      offered.delete(id)
      const kept = running.get(id)
      if (kept) await assigned.offer(kept, null)
    }
  }

  /** What has to leave no more stays. */
  async function takeBack(): Promise<void> {
    for (const id of [...offered.keys()]) {
      const kept = running.get(id)
      if (moving.has(id) || (kept && mustLeave(id))) continue
      offered.delete(id)
      if (kept) await assigned.offer(kept, null)
    }
  }

  return {
    /** With each sweep. Does not wait for what it has begun. */
    async step(rows: readonly WorkerLeaseRow[]): Promise<void> {
      await takeBack()
      if (![...running.keys()].some(mustLeave)) return
      for (const stream of await assigned.offeredBy(worker)) {
        const { id, handover_to: to, handover_ready } = stream
        if (to === null || !running.has(id) || !mustLeave(id)) continue
        // An earlier run of this program offered it.
        if (!offered.has(id)) offered.set(id, { to, atMs: steadyMs() })
        if (handover_ready !== 1) continue
        handOver(stream, to).catch((error) => log.warn({ err: error, streamId: id }, 'a stream was not handed over'))
      }
      await giveUpLate()
      await offerMore(rows)
    },
    /** Whether there is anybody to move something to. */
    hasTakers: (rows: readonly WorkerLeaseRow[]): boolean => takersNow(rows, steadyMs()).length > 0,
    isMoving: (): boolean => moving.size > 0,
    isOffering: (): boolean => offered.size > 0,
  }
}

/** How many were offered to a worker within the last second. */
function createPace() {
  let offers: { readonly to: string; readonly atMs: number }[] = []
  return {
    lately: (worker: string, nowMs: number): number =>
      offers.filter(({ to, atMs }) => to === worker && nowMs - atMs < SECOND_MS).length,
    note(to: string, nowMs: number): void {
      offers = [...offers.filter(({ atMs }) => nowMs - atMs < SECOND_MS), { to, atMs: nowMs }]
    },
  }
}
