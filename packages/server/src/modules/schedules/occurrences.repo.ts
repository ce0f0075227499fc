import { type Selectable, sql } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import type { ScheduleOccurrenceTable } from '../../platform/db/tables/schedules.ts'
import { type Fact, writeFacts } from '../../platform/outbox/facts.ts'
import { broadcastIdOf } from './occurrence-id.ts'

export type OccurrenceRow = Selectable<ScheduleOccurrenceTable>
export type NewOccurrence = Omit<
  OccurrenceRow,
  'warning' | 'blocked_for' | 'broadcast_id' | 'started_at' | 'tries' | 'attempt' | 'watch_at'
>
export type OccurrencesRepo = ReturnType<typeof createOccurrencesRepo>

/** While one is being handled nobody else takes it; afterwards its holder counts as dead. */
const LEASE_MS = 30_000
/** It goes on being checked until it is due, since what was wrong may be mended. */
const CHECK_AGAIN_MS = 600_000

export const createOccurrencesRepo = (db: Db) => ({
  ...claims(db),
  ...outcomes(db),
  ...warnings(db),
  ...watches(db),
  ...reads(db),
})

/** What a fact says beside what the row has. */
interface Telling {
  readonly title: string
  readonly at: number
}

const tell = (inside: Db, row: OccurrenceRow, fact: Fact): Promise<void> =>
  writeFacts(inside, { kind: 'schedule', id: row.schedule_id, userId: row.user_id }, [fact])

interface Claims {
  /** So many of one user: a hundred of one hold up nobody who has one. */
  readonly mostEach?: number
  /** Users who have enough under way. */
  readonly except?: readonly string[]
}

/** The ids of what is due by this column, the users in turn. */
function dueInTurn(db: Db, by: 'next_try_at' | 'check_at', now: number, most: number, claims: Claims) {
  const { mostEach = most, except = [] } = claims
  const at = sql.ref<number>(by)
  const due = ofOthers(db, except)
    .select(['id', by, sql<number>`row_number() over (partition by user_id order by ${at})`.as('turn')])
    .where(isDue(by, now))
  return db.selectFrom(due.as('due')).select('id').where('turn', '<=', mostEach).orderBy('turn').orderBy(at).limit(most)
}

const isDue = (by: 'next_try_at' | 'check_at', now: number) => {
  const at = sql.ref<number>(by)
  return sql<boolean>`${at} is not null and ${at} <= ${now}`
}

function ofOthers(db: Db, except: readonly string[]) {
  const all = db.selectFrom('schedule_occurrences')
  return except.length === 0 ? all : all.where('user_id', 'not in', except)
}

const claims = (db: Db) => ({
  /**
   * Takes what has come due: to be started, tried again, or ended. In one statement, whose outer condition PostgreSQL looks at once more
   * when it has waited for another program: of several that ask at once, one gets each row.
   */
  async claim(now: number, most: number, claims: Claims = {}): Promise<OccurrenceRow[]> {
    return db
      .updateTable('schedule_occurrences')
      .set({
        state: sql`case when state = 'due' then 'starting' else state end`,
        tries: sql<number>`tries + 1`,
        next_try_at: now + LEASE_MS,
        check_at: null,
      })
      .where(isDue('next_try_at', now))
      .where('id', 'in', dueInTurn(db, 'next_try_at', now, most, claims))
      .returningAll()
      .execute()
  },
  /** When the next one is to be claimed; null: none is planned. */
  async nextAt(except: readonly string[] = []): Promise<number | null> {
    const row = await ofOthers(db, except)
      .select('next_try_at')
      .where('next_try_at', 'is not', null)
      .orderBy('next_try_at')
      .limit(1)
      .executeTakeFirst()
    return row?.next_try_at ?? null
  },
  /** For a program that is alone: what a crash has left half-done is nobody's. */
  async releaseAll(now: number): Promise<void> {
    await db
      .updateTable('schedule_occurrences')
      .set({ next_try_at: now })
      .where('next_try_at', '>', now)
      .where('state', '=', 'starting')
      .execute()
  },
  async claimChecks(now: number, most: number, claims: Claims = {}): Promise<OccurrenceRow[]> {
    return db
      .updateTable('schedule_occurrences')
      .set({ check_at: now + CHECK_AGAIN_MS })
      .where(isDue('check_at', now))
      .where('id', 'in', dueInTurn(db, 'check_at', now, most, claims))
      .returningAll()
      .execute()
  },
})

/** Each writes only while the claim is still the writer's: who was slow finds that another has taken the row. */
const outcomes = (db: Db) => {
  const held = (inside: Db, { id, tries }: OccurrenceRow) =>
    inside.updateTable('schedule_occurrences').where('id', '=', id).where('tries', '=', tries)
  return {
    /** False: somebody else has seen to it. Told with its first broadcast: what is started again is the same occurrence, and only said to be one of its broadcasts. */
    async started(row: OccurrenceRow, { title, at, watchAt }: Telling & { watchAt: number }): Promise<boolean> {
      const isFirst = row.attempt === 0
      const streamId = broadcastIdOf(row)
      return atomically(db, async (inside) => {
        const { numUpdatedRows } = await held(inside, row)
          // Its end may have been changed meanwhile: the row has the newest.
          .set({ state: 'started', broadcast_id: streamId, started_at: at, next_try_at: sql`ends_at` })
          // Why the one before it was never on air is true until this one is.
          .set({ reason: isFirst ? null : row.reason, warning: null, watch_at: watchAt })
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        const payload = { scheduleId: row.schedule_id, title, dueAt: row.due_at, streamId }
        await tell(inside, row, { at, fact: isFirst ? 'schedule.started' : 'schedule.restarted', payload })
        return true
      })
    },
    async ended(row: OccurrenceRow): Promise<void> {
      await held(db, row).set({ state: 'ended', next_try_at: null, watch_at: null }).execute()
    },
    async skipped(row: OccurrenceRow, reason: string): Promise<void> {
      await held(db, row).set({ state: 'skipped', reason, warning: null, next_try_at: null }).execute()
    },
    async reasonIs(row: OccurrenceRow, reason: string): Promise<void> {
      await held(db, row).set({ reason }).execute()
    },
    async putOff(row: OccurrenceRow, untilMs: number): Promise<void> {
      const again = row.state === 'starting' ? { state: 'due', next_try_at: Math.min(untilMs, row.start_by) } : {}
      await held(db, row)
        .set({ next_try_at: untilMs, ...again })
        .execute()
    },
    /** True: it is told, here and now; false: somebody else has seen to it. */
    async lost(
      row: OccurrenceRow,
      { title, ...outcome }: Telling & { state: 'missed' | 'failed'; reason: string },
    ): Promise<boolean> {
      return atomically(db, async (inside) => {
        const { state, reason, at } = outcome
        const { numUpdatedRows } = await held(inside, row)
          .set({ state, reason, warning: null, next_try_at: null, watch_at: null })
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        const payload = { scheduleId: row.schedule_id, title, dueAt: row.due_at, reason }
        await tell(inside, row, { at, fact: `schedule.${state}`, payload })
        return true
      })
    },
  }
}

const warnings = (db: Db) => ({
  /**
   * Null: nothing is in its way. Each reason is told once, also where it was mended and came back. A check that the due time has overtaken
   * says nothing any more.
   */
  async warn(row: OccurrenceRow, reason: string | null, { title, at }: Telling): Promise<void> {
    await atomically(db, async (inside) => {
      const own = inside
        .updateTable('schedule_occurrences')
        .where('id', '=', row.id)
        .where('state', '=', 'due')
        .where('check_at', 'is not', null)
      if (reason === null) return void (await own.set({ warning: null }).execute())
      const { numUpdatedRows: isNew } = await own
        .set({ warning: reason, blocked_for: reason })
        .where('blocked_for', 'is distinct from', reason)
        .executeTakeFirst()
      if (isNew === 0n) return void (await own.set({ warning: reason }).execute())
      const payload = { scheduleId: row.schedule_id, title, dueAt: row.due_at, reason }
      await tell(inside, row, { at, fact: 'schedule.blocked', payload })
    })
  },
})

/** What becomes of one that was started, until it is on air. Each writes only about the attempt that its writer has looked at. */
const watches = (db: Db) => {
  const same = ({ id, attempt }: OccurrenceRow) =>
    db
      .updateTable('schedule_occurrences')
      .where('id', '=', id)
      .where('state', '=', 'started')
      .where('attempt', '=', attempt)
  return {
    async claimWatches(now: number, most: number, againMs: number): Promise<OccurrenceRow[]> {
      const isDue = sql<boolean>`watch_at is not null and watch_at <= ${now} and state = 'started'`
      return db
        .updateTable('schedule_occurrences')
        .set({ watch_at: now + againMs })
        .where(isDue)
        .where('id', 'in', (eb) =>
          eb.selectFrom('schedule_occurrences').select('id').where(isDue).orderBy('watch_at').limit(most),
        )
        .returningAll()
        .execute()
    },
    /** It needs no further look. `reason`: why it goes to some of its targets only. */
    async settled(row: OccurrenceRow, reason: string | null): Promise<void> {
      await same(row).set({ reason, watch_at: null }).execute()
    },
    async troubled(row: OccurrenceRow, reason: string): Promise<void> {
      await same(row).set({ reason }).execute()
    },
    /** To be started anew, as another broadcast: the one from before is over and was never on air. */
    async startAgain(row: OccurrenceRow, { reason, at }: { reason: string; at: number }): Promise<void> {
      await same(row)
        .set({ state: 'due', attempt: row.attempt + 1, reason, broadcast_id: null, started_at: null, watch_at: null })
        .set({ next_try_at: Math.min(at, row.start_by) })
        .execute()
    },
  }
}

const reads = (db: Db) => ({
  async between(userId: string, fromMs: number, toMs: number, most: number): Promise<OccurrenceRow[]> {
    return db
      .selectFrom('schedule_occurrences')
      .selectAll()
      .where('user_id', '=', userId)
      .where('due_at', '>=', fromMs)
      .where('due_at', '<', toMs)
      .orderBy('due_at')
      .orderBy('id')
      .limit(most)
      .execute()
  },
  /** The broadcasts of a schedule that were started and have no end of their own. */
  async endlessOf(scheduleId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('schedule_occurrences')
      .select(['id', 'broadcast_id'])
      .where('schedule_id', '=', scheduleId)
      .where('state', '=', 'started')
      .where('ends_at', 'is', null)
      .orderBy('due_at', 'desc')
      .limit(10)
      .execute()
    return rows.map(({ id, broadcast_id }) => broadcast_id ?? id)
  },
  /** Started ones of a user that will have ended by then. */
  async endingBy(userId: string, byMs: number): Promise<string[]> {
    const rows = await db
      .selectFrom('schedule_occurrences')
      .select(['id', 'broadcast_id'])
      .where('user_id', '=', userId)
      .where('state', '=', 'started')
      .where('ends_at', '<=', byMs)
      .limit(500)
      .execute()
    return rows.map(({ id, broadcast_id }) => broadcast_id ?? id)
  },
})
