import { createBoundedMap } from '../../platform/bounded-map.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import { type DueRows, dueRows } from '../../platform/due-rows.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Timings } from '../../platform/timings.ts'
import type { OccurrenceRow, OccurrencesRepo } from './occurrences.repo.ts'
import { createPlanSchedules, type PlanSchedulesDeps } from './plan-schedules.ts'

interface ScheduleRunnerDeps extends PlanSchedulesDeps {
  occurrences: OccurrencesRepo
  clock: Clock
  trust: ClockTrust
  fire: (row: OccurrenceRow, now: number) => Promise<boolean>
  check: (row: OccurrenceRow) => Promise<boolean>
  watch: (row: OccurrenceRow) => Promise<boolean>
  timings: Pick<Timings, 'schedules'>
  /** No other program changes or fires anything. */
  isAlone: boolean
}

/** A thousand may be due in the same minute. */
const STARTS_AT_ONCE = 25
/** A start may wait for a server that does not answer. Then it costs little, and others are due in the same second. */
const SLOW_STARTS = { afterMs: 500, most: 100 }
/** For one user, slow or not. */
const STARTS_EACH = 10
/** They have an hour, and each may look at a foreign server. */
const CHECKS_AT_ONCE = 2
const CHECKS_EACH = 1
/** Each look for what is due names all of them. One that had to make room is known again after its next start. */
const MOST_SLOW = 500
const SLOW_CHECKS = { ...SLOW_STARTS, most: 20 }
/** Each is a small read, and they are in no hurry. */
const WATCHES_AT_ONCE = 4
const LONGEST_RETRY_MS = 60_000
/** A user who sees that it did not start mends it then: soon after its minute it is tried often. */
const EAGER_FOR_MS = 600_000
const EAGER_RETRY_MS = 15_000
const CHECK_EVERY_MS = 20_000

/** Brings schedules about: plans their occurrences, fires those that are due, and looks an hour ahead. The rows are the truth. */
export function createScheduleRunner(deps: ScheduleRunnerDeps) {
  const { occurrences, trust, fire, clock, log, timings, isAlone } = deps
  const { everyMs: sharedEveryMs, aloneEveryMs, planEveryMs, firstRetryMs } = timings.schedules
  const everyMs = isAlone ? aloneEveryMs : sharedEveryMs
  let alarm: NodeJS.Timeout | undefined
  let isRunning = false
  /** The last time that was believed. */
  let judgedAt = 0
  let stopPlanning = async () => {}

  /** Polls come anyway, so only what is due before the next one needs a timer. One that rings early finds nothing and is set anew. */
  function setAlarm(next: number | null): void {
    const waitMs = next === null ? Number.POSITIVE_INFINITY : Math.max(1, next - clock.now())
    clearTimeout(alarm)
    if (isRunning && waitMs < everyMs) alarm = setTimeout(() => starts.wake(), waitMs)
  }

  const crowd = createCrowd(STARTS_EACH)
  const planner = createPlanSchedules(deps)
  const starts = dueRows<OccurrenceRow>({
    async claim(most) {
      const { now, isTrusted, stepsBack } = await trust()
      if (!isTrusted) return []
      await planner.afterSteps(stepsBack, now)
      judgedAt = now
      // A read first: a program at rest writes nothing.
      const except = crowd.full(starts.areSlowPlacesTaken())
      const next = await occurrences.nextAt(except)
      const isDue = next !== null && next <= now
      const rows = isDue ? await occurrences.claim(now, most, { mostEach: STARTS_EACH, except }) : []
      if (rows.length < most) setAlarm(isDue ? await occurrences.nextAt(crowd.with(rows)) : next)
      return rows
    },
    idOf: ({ id }) => id,
    handle: (row) =>
      crowd.enter(
        row.user_id,
        () => fire(row, judgedAt),
        () => starts.wake(),
      ),
    backoff: {
      firstMs: firstRetryMs,
      longestMs: LONGEST_RETRY_MS,
      inRow: {
        triesOf: ({ tries }) => tries - 1,
        putOff: (row, untilMs) => occurrences.putOff(row, soonEnough(row, untilMs, clock.now())),
      },
    },
    atOnce: STARTS_AT_ONCE,
    slow: SLOW_STARTS,
    everyMs,
    clock,
    log,
    complaint: 'a schedule could not be carried out',
  })

  const looks = createLooks(deps)

  async function plan(): Promise<void> {
    const { now, isTrusted } = await trust()
    if (!isTrusted) return
    await planner.plan(() => isRunning, now)
    starts.wake()
    await planner.clearDeleted(() => isRunning)
  }

  return {
    async start(): Promise<void> {
      isRunning = true
      if (isAlone) await releaseAll(deps)
      starts.start()
      for (const each of looks) each.start()
      const complaint = 'schedules could not be planned'
      stopPlanning = repeat({ firstAfterMs: 0, everyMs: planEveryMs, log, complaint, work: plan })
    },
    /** Something has changed in this program. */
    wake(): void {
      starts.wake()
      for (const each of looks) each.wake()
    },
    async stop(): Promise<void> {
      isRunning = false
      clearTimeout(alarm)
      await stopPlanning()
      await starts.stop()
      for (const each of looks) await each.stop()
      clearTimeout(alarm)
    },
  }
}

/** A full disk must not end the program: a claim lapses within a minute by itself. */
async function releaseAll({ occurrences, clock, log }: Pick<ScheduleRunnerDeps, 'occurrences' | 'clock' | 'log'>) {
  const complain = (error: unknown) => log.warn({ err: error }, 'schedules wait for claims to lapse')
  await occurrences.releaseAll(clock.now()).catch(complain)
}

/** How many each user has under way, and whose last start was slow. */
function createCrowd(mostEach: number) {
  const counts = new Map<string, number>()
  const slow = createBoundedMap<true>(MOST_SLOW)
  const fullOf = (seen: ReadonlyMap<string, number>): string[] =>
    [...seen].filter(([, count]) => count >= mostEach).map(([userId]) => userId)
  return {
    /** Those who get no place now. */
    full: (areSlowPlacesTaken: boolean): string[] => [
      ...new Set([...fullOf(counts), ...(areSlowPlacesTaken ? slow.keys() : [])]),
    ],
    /** As it will be once these are under way too. */
    with(rows: readonly OccurrenceRow[]): string[] {
      const then = new Map(counts)
      for (const { user_id } of rows) then.set(user_id, (then.get(user_id) ?? 0) + 1)
      return fullOf(then)
    },
    /** `onRoom`: the user had all that one may have, and has a place again. */
    async enter<T>(userId: string, work: () => Promise<T>, onRoom: () => void): Promise<T> {
      counts.set(userId, (counts.get(userId) ?? 0) + 1)
      const late = setTimeout(() => slow.set(userId, true), SLOW_STARTS.afterMs)
      const begunMs = performance.now()
      try {
        return await work()
      } finally {
        clearTimeout(late)
        if (performance.now() - begunMs < SLOW_STARTS.afterMs) slow.delete(userId)
        const left = (counts.get(userId) ?? 1) - 1
        if (left === 0) counts.delete(userId)
        else counts.set(userId, left)
        if (left === mostEach - 1) onRoom()
      }
    },
  }
}

const soonEnough = ({ due_at }: OccurrenceRow, untilMs: number, now: number): number =>
  now < due_at + EAGER_FOR_MS ? Math.min(untilMs, now + EAGER_RETRY_MS) : untilMs

/** What only looks: at what is due within the hour, and at what was started. */
function createLooks({
  occurrences,
  trust,
  check,
  watch,
  clock,
  log,
  timings,
}: ScheduleRunnerDeps): readonly DueRows[] {
  const { planEveryMs, firstRetryMs, watchMs } = timings.schedules
  async function ifTrusted(claim: (now: number) => Promise<OccurrenceRow[]>): Promise<OccurrenceRow[]> {
    const { now, isTrusted } = await trust()
    return isTrusted ? claim(now) : []
  }
  const crowd = createCrowd(CHECKS_EACH)
  const checks = dueRows<OccurrenceRow>({
    claim: (most) =>
      ifTrusted((now) => {
        const except = crowd.full(checks.areSlowPlacesTaken())
        return occurrences.claimChecks(now, most, { mostEach: CHECKS_EACH, except })
      }),
    idOf: ({ id }) => id,
    handle: (row) =>
      crowd.enter(
        row.user_id,
        () => check(row),
        () => checks.wake(),
      ),
    backoff: { firstMs: firstRetryMs, longestMs: LONGEST_RETRY_MS },
    atOnce: CHECKS_AT_ONCE,
    slow: SLOW_CHECKS,
    everyMs: Math.min(CHECK_EVERY_MS, planEveryMs),
    clock,
    log,
    complaint: 'schedules could not be checked ahead of time',
  })

  const watches = dueRows<OccurrenceRow>({
    claim: (most) => ifTrusted((now) => occurrences.claimWatches(now, most, watchMs)),
    idOf: ({ id }) => id,
    handle: watch,
    backoff: { firstMs: watchMs, longestMs: LONGEST_RETRY_MS },
    atOnce: WATCHES_AT_ONCE,
    everyMs: watchMs / 2,
    clock,
    log,
    complaint: 'what schedules have started could not be looked at',
  })
  return [checks, watches]
}
