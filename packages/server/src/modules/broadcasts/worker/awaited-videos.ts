import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { isTooLarge } from '../../library/video-view.ts'
import type { PlansService } from '../../plans/index.ts'
import type { StreamsRepo, UnclaimedRow } from '../store/streams.repo.ts'
import { type AwaitedVerdict, judgeAwaited } from './judge-awaited.ts'

export interface AwaitedVideosDeps {
  repo: Pick<StreamsRepo, 'unclaimed' | 'endIfUnclaimed'>
  library: Pick<LibraryService, 'outlinesOf'>
  queue: Pick<Queue, 'add'>
  plans: Pick<PlansService, 'libraryLimitsOf' | 'mustStop'>
  events: Events
  clock: Clock
  log: Log
}

/** A broadcast that was asked for just now has its job, and is about to be claimed. */
const YOUNG_MS = 2_000

/** Where nothing waits, its job tells of what begins to: only what other programs did has to be looked for. */
const POLLS_PER_LOOK_AT_REST = 5

export type AwaitedVideos = ReturnType<typeof createAwaitedVideos>

/**
 * Broadcasts that were asked for before their video was ready. No worker has claimed them and nothing runs for them: the job of one is
 * done at once, and it gets another job when its video is ready. The rows are the truth, so this goes on after a crash and on any machine.
 */
export function createAwaitedVideos(deps: AwaitedVideosDeps) {
  const { repo, library, queue, plans, events, clock, log } = deps
  /** As of the last look. */
  let waiting: ReadonlySet<string> = new Set()
  let polls = 0
  let isRefreshing = false
  let isAskedAgain = false
  /** Launched by this program a moment ago, which had just looked at their video. */
  const knownReady = new Set<string>()

  const videoIdOf = ({ next_video_id, video_id }: UnclaimedRow): string => next_video_id ?? video_id ?? ''

  async function verdicts(rows: readonly UnclaimedRow[]): Promise<[UnclaimedRow, AwaitedVerdict][]> {
    const videos = await library.outlinesOf([...new Set(rows.map(videoIdOf))])
    return Promise.all(
      rows.map(async (row): Promise<[UnclaimedRow, AwaitedVerdict]> => {
        const video = videos.find(({ id }) => id === videoIdOf(row))
        const isReady = video?.status === 'ready'
        const isLarge = isReady && isTooLarge(video, await plans.libraryLimitsOf(row.user_id))
        const isOwnerStopped = row.desired === 'ending' && (await plans.mustStop(row.user_id))
        const facts = { desired: row.desired, endCause: row.end_cause, isOwnerStopped }
        return [row, judgeAwaited({ ...facts, video: video ? { status: video.status, isTooLarge: isLarge } : null })]
      }),
    )
  }

  async function end({ id, user_id: userId }: UnclaimedRow, verdict: AwaitedVerdict & { at: 'over' }): Promise<void> {
    const { end: reason, cause } = verdict
    const at = clock.now()
    const told = [{ at, kind: 'ended', reason: cause, offAirMs: null }] as const
    const change = { state: { at: 'ended', reason, cause }, reason: cause, endedAt: at } as const
    if (!(await repo.endIfUnclaimed(id, change, told))) return
    log.info({ streamId: id, cause }, 'a broadcast ended before its video was ready')
    events.emit('stream.changed', { streamId: id, userId, phase: 'ended', reason: null })
  }

  async function judgeAll(): Promise<void> {
    const before = waiting
    const rows = await repo.unclaimed(null)
    const judged = rows.length === 0 ? [] : await verdicts(rows)
    waiting = new Set(judged.filter(([, { at }]) => at === 'waits').map(([{ id }]) => id))
    for (const [row, verdict] of judged) {
      if (verdict.at === 'over') await end(row, verdict)
      const hasWaited = before.has(row.id) || clock.now() - row.created_at > YOUNG_MS
      if (verdict.at === 'ready' && hasWaited) await queue.add('stream', row.id)
    }
  }

  /** One look at a time; what changes meanwhile is seen by the next. */
  async function refresh(): Promise<void> {
    if (isRefreshing) {
      isAskedAgain = true
      return
    }
    isRefreshing = true
    try {
      do {
        isAskedAgain = false
        await judgeAll()
      } while (isAskedAgain)
    } finally {
      isRefreshing = false
    }
  }

  return {
    async poll(): Promise<void> {
      if (waiting.size > 0 || polls++ % POLLS_PER_LOOK_AT_REST === 0) await refresh()
    },
    knowReady: (streamId: string): void => void knownReady.add(streamId),
    isWaiting: (streamId: string): boolean => waiting.has(streamId),
    /** Whether a broadcast whose job has come is not to be claimed: its video is not ready yet, or never will be. */
    async mustWait(streamId: string): Promise<boolean> {
      if (knownReady.delete(streamId)) return false
      const [row] = await repo.unclaimed(streamId)
      if (!row) return false
      const [judged] = await verdicts([row])
      if (!judged || judged[1].at === 'ready') return false
      if (judged[1].at === 'over') await end(row, judged[1])
      else waiting = new Set([...waiting, streamId])
      return true
    },
    /** Wakes where the video was prepared in this program; `poll` sees the others. Answers how to stop listening. */
    listen: (): (() => void) =>
      events.on('video.ready', () => {
        refresh().catch((error) => log.warn({ err: error }, 'could not look for broadcasts that wait for their video'))
      }),
  }
}
