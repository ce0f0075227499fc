import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError, OperationalError } from '../../../errors.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../../platform/db/database.ts'
import { createTurns } from '../../../platform/turns.ts'
import type { PlansService } from '../../plans/index.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import type { Shortage } from '../store/workers.repo.ts'

export interface PlacesDeps {
  repo: Pick<StreamsRepo, 'activePlaces'>
  plans: Pick<PlansService, 'limitsOf' | 'streamRefusal'>
  /** Why so many streams more cannot be taken on; null: they can. */
  shortage: (count: number) => Promise<Shortage | null>
}

interface Asked {
  readonly userId: string
  readonly targetMarks: readonly string[]
  /** Whether it names a stand-in, which may be what is gone. */
  readonly hasFallback: boolean
}

/** Each lost race means that another stream of this owner took the place: nobody starts more than this at once. */
const MOST_PLACE_TRIES = 500
const FULL_TEXTS: Record<Shortage, string> = {
  places: STREAM_TEXTS.serverFull,
  cpu: STREAM_TEXTS.serverBusy,
  memory: STREAM_TEXTS.serverMemoryFull,
}
const sameTarget = (): DomainError => new DomainError('target_in_use', STREAM_TEXTS.sameTarget)

/** One at a time for each owner: of several at once in this program, all but one would look in vain. */
function createOwnTurns() {
  const turns = new Map<string, { waiting: number; readonly inTurn: ReturnType<typeof createTurns> }>()
  return async (userId: string, work: () => Promise<void>): Promise<void> => {
    const own = turns.get(userId) ?? { waiting: 0, inTurn: createTurns(1) }
    turns.set(userId, own)
    own.waiting++
    try {
      await own.inTurn(work)
    } finally {
      if (--own.waiting === 0) turns.delete(userId)
    }
  }
}

/** Gives new streams their places, in the plan and on the machines: to all of them, or to none. */
export function createPlaces({ repo, plans, shortage }: PlacesDeps) {
  const inOwnTurn = createOwnTurns()

  /** A double click, or the same key in two tabs: the database lets one of them through. False: a place was taken meanwhile. */
  async function tryInsert({ hasFallback }: Asked, insert: () => Promise<void>): Promise<boolean> {
    try {
      await insert()
      return true
    } catch (error) {
      const constraint = uniqueViolation(error)
      if (constraint?.includes('target')) throw sameTarget()
      if (constraint?.includes('slot')) return false
      // Deleted since it was chosen.
      if (isForeignKeyViolation(error)) {
        throw new DomainError('source_invalid', hasFallback ? ONLINE_TEXTS.fallbackInvalid : STREAM_TEXTS.sourceInvalid)
      }
      throw error
    }
  }

  /**
   * A second press on Go Live is told that the first one runs, and not that nothing is left for it. So this is asked after whatever may
   * be short has been looked at: of two starts at once, one may be what the other finds too many.
   */
  async function takenPlaces({ userId, targetMarks }: Asked): Promise<Set<number>> {
    const places = await repo.activePlaces(userId)
    if (places.some((place) => targetMarks.includes(place.target_mark))) throw sameTarget()
    return new Set(places.map(({ slot }) => slot))
  }

  async function assertRoom(asked: Asked): Promise<void> {
    const count = asked.targetMarks.length
    const short = await shortage(count)
    if (!short) return
    await takenPlaces(asked)
    // With room for some of them, its owner may do with fewer.
    const isRoomForSome = short === 'places' && count > 1 && (await shortage(1)) === null
    throw new DomainError('server_full', isRoomForSome ? BROADCAST_TEXTS.noRoomForAll(count) : FULL_TEXTS[short])
  }

  async function planRefusal(userId: string, needed: number, left: number): Promise<DomainError> {
    const refusal = await plans.streamRefusal(userId)
    if (needed === 1) return refusal
    return new DomainError(refusal.code, `${refusal.message} ${BROADCAST_TEXTS.needsPlaces(needed, Math.max(0, left))}`)
  }

  async function takeNow(asked: Asked, insert: (places: readonly number[]) => Promise<void>): Promise<void> {
    await assertRoom(asked)
    const { concurrentStreams } = await plans.limitsOf(asked.userId)
    const count = asked.targetMarks.length
    for (let tries = 0; tries < MOST_PLACE_TRIES; tries++) {
      const taken = await takenPlaces(asked)
      const left = concurrentStreams - taken.size
      if (left < count) throw await planRefusal(asked.userId, count, left)
      if (await tryInsert(asked, () => insert(freePlaces(taken, count)))) return
    }
    throw new OperationalError('no place that looks free can be had')
  }

  /** `insert` gets a place of the plan for each target. However many ask at once, each place is given once, by the database. */
  return (asked: Asked, insert: (places: readonly number[]) => Promise<void>): Promise<void> =>
    inOwnTurn(asked.userId, () => takeNow(asked, insert))
}

/** The lowest ones. */
function freePlaces(taken: ReadonlySet<number>, count: number): number[] {
  const free: number[] = []
  for (let place = 0; free.length < count; place++) if (!taken.has(place)) free.push(place)
  return free
}
