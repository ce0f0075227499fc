import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type Clock, SMALLEST_STEP_MS, steadyMs } from './clock.ts'
import { type Db, isPostgres } from './db/database.ts'
import { type ClockLook, type ClockState, judgeClock } from './judge-clock.ts'
import type { Log } from './log.ts'
import type { Timings } from './timings.ts'

interface ClockTrustDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'schedules'>
  /** The running kernel, with the time that it counts. */
  readonly machine?: {
    readonly bootId: string
    readonly steadyMs: () => number
    readonly isSynchronized: () => boolean
  }
}

export type ClockTrust = () => Promise<ClockVerdict>

interface ClockVerdict {
  /** What was judged. What is done on the verdict goes by this: the clock may be set a moment later. */
  readonly now: number
  /** False: it may be ahead. Nothing is started, ended or given up by it. */
  readonly isTrusted: boolean
  /**
   * Trusted, and for an hour after any big jump not in doubt: only then is done what nobody can undo, and what can wait. A wrong clock may
   * stand for many minutes before somebody, or a time server, sets it right.
   */
  readonly isSure: boolean
  /** Rises each time that the clock is found behind where it was. What was written meanwhile may be wrong. */
  readonly stepsBack: number
}

const MARK_EVERY_MS = 60_000
/** Machines of one house differ by less, and a call of the database takes less. */
const AHEAD_MS = 10_000
/** How many times as long as a small jump has to stand: an hour. */
const SURE_PATIENCE = 60
/** Marks of boots that lie longer back say nothing, and marks that lie ahead are of a clock that was wrong. */
const KEPT_MS = 90 * 86_400_000

/** What systemd's time service writes once a server has told it the time. Others, and containers, have none. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized'

function thisMachine() {
  const isSynchronized = () => existsSync(SYNCHRONIZED)
  try {
    return { bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), steadyMs, isSynchronized }
  } catch {
    return { bootId: randomUUID(), steadyMs, isSynchronized }
  }
}

/** Null: SQLite has the clock of its machine. */
async function aheadOfDatabase(db: Db, wallMs: number): Promise<number | null> {
  if (!isPostgres(db)) return null
  const asked = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  const [row] = (await asked.execute(db)).rows
  return row ? Math.round(wallMs - row.now) : null
}

/** Another machine that has lately found its clock and the database's alike. */
async function hasWitness(db: Db, bootId: string, databaseMs: number): Promise<boolean> {
  const alike = await db
    .selectFrom('schedule_clocks')
    .select('boot_id')
    .where('boot_id', '<>', bootId)
    .where('wall_at', '>', databaseMs - 2 * MARK_EVERY_MS)
    .where('ahead_ms', '<', AHEAD_MS)
    .executeTakeFirst()
  return alike !== undefined
}

/**
 * Whether to go by the wall clock now: the one judge of the whole program. What the clock showed is marked in the database: a program that
 * starts again on a running machine knows how its clock stood, and after a boot it sees that many hours would have passed.
 */
export function createClockTrust({ db, clock, log, timings, machine = thisMachine() }: ClockTrustDeps): ClockTrust {
  const { bootId, steadyMs: steady, isSynchronized } = machine
  const { settleMs } = timings.schedules
  let state: ClockState | null = null
  let seenAt: number | null = null
  let loading: Promise<void> | null = null
  let marked = { wallMs: 0, steadyMs: Number.NEGATIVE_INFINITY }
  let stepsBack = 0
  let cannotMark = false
  let wasAhead = false

  async function load(): Promise<void> {
    const marks = await db.selectFrom('schedule_clocks').selectAll().execute()
    const own = marks.find(({ boot_id }) => boot_id === bootId)
    seenAt = marks.length === 0 ? null : Math.max(...marks.map(({ wall_at }) => wall_at))
    if (own) {
      const trustedMs = own.wall_at - own.steady_at
      state = { offsetMs: trustedMs, sinceMs: own.steady_at, trustedMs, mayBeAhead: false, doubtedMs: own.doubted_at }
    }
    // It ran with a clock that was ahead.
    if (seenAt !== null && seenAt > clock.now() + SMALLEST_STEP_MS) stepsBack++
  }

  /** Before anything is done by a clock, it is marked where it stands. Where that cannot be written, as on a full disk, nothing is done by it. */
  async function isMarked(look: ClockLook, doubtedMs: number | null): Promise<boolean> {
    try {
      if (isMarkedAlready(look)) return true
      const aheadMs = await aheadOfDatabase(db, look.wallMs)
      // With several machines the database and the others are witnesses: a clock that is ahead of both is wrong, however long it has stood.
      // Where the others are ahead of the database as well, the database is wrong.
      const isAhead = aheadMs !== null && aheadMs >= AHEAD_MS && (await hasWitness(db, bootId, look.wallMs - aheadMs))
      if (isAhead && !wasAhead)
        log.warn('the clock is ahead of the database and of other machines: schedules wait here')
      wasAhead = isAhead
      if (isAhead) return false
      await mark(look, { doubtedMs, aheadMs })
      cannotMark = false
    } catch (error) {
      if (!cannotMark) log.warn({ err: error }, 'how the clock stands cannot be written down: schedules wait')
      cannotMark = true
    }
    return !cannotMark
  }

  function isMarkedAlready({ wallMs, steadyMs }: ClockLook): boolean {
    const passedMs = steadyMs - marked.steadyMs
    const isKnown = Math.abs(wallMs - marked.wallMs - passedMs) < SMALLEST_STEP_MS
    return isKnown && passedMs < MARK_EVERY_MS
  }

  async function mark(
    look: ClockLook,
    { doubtedMs, aheadMs }: { doubtedMs: number | null; aheadMs: number | null },
  ): Promise<void> {
    const doubted_at = doubtedMs === null ? null : Math.round(doubtedMs)
    const times = { wall_at: Math.round(look.wallMs), steady_at: Math.round(look.steadyMs) }
    const place = { ...times, doubted_at, ahead_ms: aheadMs }
    await db
      .insertInto('schedule_clocks')
      .values({ boot_id: bootId, ...place })
      .onConflict((conflict) => conflict.column('boot_id').doUpdateSet(place))
      .execute()
    await db
      .deleteFrom('schedule_clocks')
      .where('boot_id', '<>', bootId)
      .where((eb) =>
        eb.or([eb('wall_at', '<', look.wallMs - KEPT_MS), eb('wall_at', '>', look.wallMs + MARK_EVERY_MS)]),
      )
      .execute()
    marked = look
  }

  return async () => {
    loading ??= load().catch((error) => {
      loading = null
      throw error
    })
    await loading
    const look = { wallMs: clock.now(), steadyMs: steady() }
    const before = state
    state = judgeClock(before, look, { settleMs, seenAt, isSynchronized })
    if (before && look.wallMs - look.steadyMs < before.offsetMs - SMALLEST_STEP_MS) stepsBack++
    if (state.mayBeAhead !== (before?.mayBeAhead ?? false)) {
      const facts = { wallMs: look.wallMs, setByMs: before && Math.round(state.offsetMs - before.offsetMs) }
      if (state.mayBeAhead) log.warn(facts, 'the clock was set forward: schedules wait until it has stood for a while')
      else log.info(facts, 'schedules go by the clock again')
    }
    const { mayBeAhead, doubtedMs } = state
    const isTrusted = !mayBeAhead && (await isMarked(look, doubtedMs))
    const isSure = isTrusted && (doubtedMs === null || look.steadyMs - doubtedMs >= settleMs * SURE_PATIENCE)
    return { now: look.wallMs, isTrusted, isSure, stepsBack }
  }
}
