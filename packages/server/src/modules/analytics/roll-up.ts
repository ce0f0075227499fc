import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RollUpRepo } from './roll-up.repo.ts'
import { HOUR_MS, MINUTE_MS, MINUTES_PER_HOUR, SLOT_MS, SLOTS_PER_MINUTE } from './sample-rules.ts'

interface RollUpDeps {
  readonly db: Db
  readonly repo: RollUpRepo
  readonly clock: Clock
}

const DAY_MS = 86_400_000
export const SAMPLES_KEPT_MS = 2 * DAY_MS
export const MINUTES_KEPT_MS = 30 * DAY_MS
export const HOURS_KEPT_MS = 366 * DAY_MS

/** A sample is written within the seconds in which it was taken, or not at all. */
const LATE_MS = 15_000
/** So many at once: each holds up all other writers for some milliseconds. The rest has time until the next round. */
const MINUTES_PER_ROUND = 120
const HOURS_PER_ROUND = 6
const STREAMS_PER_SLICE = 100
const CLEARED_AT_ONCE = 12
const MOST_CLEARINGS = 40
/** Further ahead is a clock that was set back since. */
const AHEAD = 2

/** 'done': one, and there may be more. 'waits': what is left is not over yet. */
type Step = 'done' | 'waits' | 'empty'

/** Whether the program ends: asked between statements, since what is left has time until the next start. */
export type IsOver = () => boolean
const never: IsOver = () => false

export type RollUp = ReturnType<typeof createRollUp>

/** Makes minutes of samples and hours of minutes, and takes away what is too old. Whatever is killed: the next round goes on. */
export function createRollUp({ db, repo, clock }: RollUpDeps) {
  /** Where it goes on: the place, unless it lies in the future. */
  const sane = (place: number | null, now: number): number | null =>
    place !== null && place > now + AHEAD ? Math.max(0, now - AHEAD) : place

  /** One minute, with the place that says so. */
  async function nextMinute(): Promise<Step> {
    const now = Math.floor((clock.now() - LATE_MS) / MINUTE_MS)
    return db.transaction().execute(async (inside) => {
      const place = sane(await repo.lockPlace(inside, 'minutes'), now) ?? 0
      const first = await repo.firstFrom(inside, 'stat_samples', place * SLOTS_PER_MINUTE)
      const minute = first === null ? now : Math.floor(first / SLOTS_PER_MINUTE)
      if (minute >= now) {
        // Nothing lies before it: no later round has to look there again.
        if (place < now) await repo.setPlace(inside, 'minutes', now)
        return first === null ? 'empty' : 'waits'
      }
      await repo.rollUpMinute(inside, minute)
      await repo.setPlace(inside, 'minutes', minute + 1)
      return 'done'
    })
  }

  /** An hour is whole once all of its minutes are. */
  async function nextHour(isOver: IsOver): Promise<Step> {
    const minutes = (await repo.placeOf('minutes')) ?? 0
    const now = Math.floor(minutes / MINUTES_PER_HOUR)
    const place = sane(await repo.placeOf('hours'), now) ?? 0
    const first = await repo.firstFrom(db, 'stat_minutes', place * MINUTES_PER_HOUR)
    const hour = first === null ? now : Math.floor(first / MINUTES_PER_HOUR)
    if (hour >= now) {
      if (place < now) await repo.setPlace(db, 'hours', now)
      return first === null ? 'empty' : 'waits'
    }
    for (let after = 0; ; ) {
      const streams = await repo.streamsOf(hour, after, STREAMS_PER_SLICE)
      if (streams.length > 0) await repo.rollUpHour(hour, streams)
      if (streams.length < STREAMS_PER_SLICE) break
      after = streams.at(-1) ?? after
      await anotherTurn()
      if (isOver()) return 'done'
    }
    // Only now: a program that is killed before makes the whole hour again.
    await repo.setPlace(db, 'hours', hour + 1)
    return 'done'
  }

  async function atMost(rounds: number, isOver: IsOver, next: (isOver: IsOver) => Promise<Step>): Promise<Step> {
    for (let round = 0; round < rounds && !isOver(); round++) {
      const step = await next(isOver)
      if (step !== 'done') return step
      await anotherTurn()
    }
    return 'done'
  }

  /** Slices of time, from the oldest on. */
  async function clearBefore(table: 'stat_samples' | 'stat_minutes', before: number, isOver: IsOver): Promise<void> {
    for (let slice = 0; slice < MOST_CLEARINGS && !isOver(); slice++) {
      const first = await repo.firstFrom(db, table, 0)
      if (first === null || first >= before) return
      await repo.clear(table, first, Math.min(before, first + CLEARED_AT_ONCE))
      await anotherTurn()
    }
  }

  return {
    /** Answers whether something is left for a later round. */
    async rollUp(isOver: IsOver = never): Promise<boolean> {
      const steps = [
        await atMost(MINUTES_PER_ROUND, isOver, nextMinute),
        await atMost(HOURS_PER_ROUND, isOver, nextHour),
      ]
      return steps.some((step) => step !== 'empty')
    },
    /** What has not been rolled up yet stays, also where the program was away for days. */
    async clear(isOver: IsOver = never): Promise<void> {
      const now = clock.now()
      const minutes = (await repo.placeOf('minutes')) ?? 0
      const hours = (await repo.placeOf('hours')) ?? 0
      const oldSlot = Math.floor((now - SAMPLES_KEPT_MS) / SLOT_MS)
      const oldMinute = Math.floor((now - MINUTES_KEPT_MS) / MINUTE_MS)
      await clearBefore('stat_samples', Math.min(oldSlot, minutes * SLOTS_PER_MINUTE), isOver)
      await clearBefore('stat_minutes', Math.min(oldMinute, hours * MINUTES_PER_HOUR), isOver)
      if (isOver()) return
      await repo.clearHours(Math.floor((now - HOURS_KEPT_MS) / HOUR_MS), now - HOURS_KEPT_MS)
    },
  }
}
