import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { initialState } from '@siarin/media/stream-state'
import { DomainError, OperationalError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../../platform/db/database.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { PlansService } from '../../plans/index.ts'
import type { NewStream, StreamsRepo } from '../store/streams.repo.ts'
import type { Shortage } from '../store/workers.repo.ts'
import type { BroadcastSpec } from './specify.ts'

interface LaunchDeps {
  repo: Pick<StreamsRepo, 'insert' | 'activePlaces' | 'note'>
  queue: Pick<Queue, 'add'>
  plans: Pick<PlansService, 'limitsOf' | 'streamRefusal'>
  /** What was begun at a platform for this target ends with this stream. */
  linkBroadcast: (link: { userId: string; targetMark: string; streamId: string }) => Promise<void>
  clock: Clock
  /** Why one more stream cannot be taken on; null: it can. */
  shortage: () => Promise<Shortage | null>
}

/** Each lost race means that another stream of this owner took the place: nobody starts more than this at once. */
const MOST_PLACE_TRIES = 500
const FULL_TEXTS: Record<Shortage, string> = {
  places: STREAM_TEXTS.serverFull,
  cpu: STREAM_TEXTS.serverBusy,
  memory: STREAM_TEXTS.serverMemoryFull,
}
const sameTarget = (): DomainError => new DomainError('target_in_use', STREAM_TEXTS.sameTarget)

/** Puts a specified broadcast on air. */
export function createLaunch({ repo, queue, plans, linkBroadcast, clock, shortage }: LaunchDeps) {
  /** A double click, or the same key in two tabs: the database lets one of them through. Null: the place was taken meanwhile. */
  async function insertAt(slot: number, stream: NewStream): Promise<number | null> {
    try {
      await repo.insert({ ...stream, slot })
      return slot
    } catch (error) {
      const constraint = uniqueViolation(error)
      if (constraint?.includes('target')) throw sameTarget()
      if (constraint?.includes('slot')) return null
      // Deleted since it was chosen.
      if (isForeignKeyViolation(error)) {
        throw new DomainError(
          'source_invalid',
          stream.fallback_video_id ? ONLINE_TEXTS.fallbackInvalid : STREAM_TEXTS.sourceInvalid,
        )
      }
      throw error
    }
  }

  /**
   * A second press on Go Live is told that the first one runs, and not that nothing is left for it. So this is asked after whatever may
   * be short has been looked at: of two starts at once, one may be what the other finds too many.
   */
  async function takenPlaces(userId: string, targetMark: string): Promise<Set<number>> {
    const places = await repo.activePlaces(userId)
    if (places.some((place) => place.target_mark === targetMark)) throw sameTarget()
    return new Set(places.map(({ slot }) => slot))
  }

  /** Takes one of the places that the plan has. However many ask at once, each place is given once, by the database. */
  async function insertWithinPlan(stream: NewStream): Promise<void> {
    const { concurrentStreams } = await plans.limitsOf(stream.user_id)
    for (let tries = 0; tries < MOST_PLACE_TRIES; tries++) {
      const taken = await takenPlaces(stream.user_id, stream.target_mark)
      if (taken.size >= concurrentStreams) throw await plans.streamRefusal(stream.user_id)
      let free = 0
      while (taken.has(free)) free++
      if ((await insertAt(free, stream)) !== null) return
    }
    throw new OperationalError('no place that looks free can be had')
  }

  /** Answers the id of its stream. */
  return async function launch(spec: BroadcastSpec): Promise<string> {
    const short = await shortage()
    if (short) {
      await takenPlaces(spec.workspaceId, spec.target.mark)
      throw new DomainError('server_full', FULL_TEXTS[short])
    }
    const { id } = spec
    await insertWithinPlan(newStream(id, spec, clock.now()))
    await linkBroadcast({ userId: spec.workspaceId, targetMark: spec.target.mark, streamId: id })
    await repo.note(id, { at: clock.now(), kind: 'asked', reason: null, offAirMs: null })
    await queue.add('stream', id)
    return id
  }
}

const newStream = (
  id: string,
  { workspaceId, source, target, title, looping }: BroadcastSpec,
  now: number,
): NewStream => ({
  id,
  user_id: workspaceId,
  ...source,
  note: null,
  platform: target.platform,
  title,
  target_sealed: target.sealed,
  target_host: target.host,
  target_mark: target.mark,
  looping: looping ? 1 : 0,
  desired: 'live',
  phase: initialState.at,
  state: JSON.stringify(initialState),
  reason: null,
  worker: null,
  pid: null,
  pid_birth: null,
  created_at: now,
  live_since: null,
  ended_at: null,
  end_cause: null,
})
