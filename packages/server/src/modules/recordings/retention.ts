import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'
import { nameOf, type RecordingRow, subjectOf } from './recordings.repo.ts'

interface RetentionDeps {
  readonly db: Db
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly daysOf: (userId: string) => Promise<{ days: number; hasEnded: boolean }>
  /** False while somebody is suspended: they cannot take away what is theirs, so that nothing goes. */
  readonly mayWork: (userId: string) => Promise<boolean>
  readonly remove: (row: RecordingRow) => Promise<void>
}

const DAY_MS = 86_400_000
/** The machine was off, or its clock was set: that was no warning. */
const UNWATCHED_MS = 3_600_000
const AT_ONCE = 200

/** When one goes, as things are: at least a day after its owner was told. */
export const goesAt = ({ kept_until, told_at }: Pick<RecordingRow, 'kept_until' | 'told_at'>): number | null =>
  kept_until === null ? null : Math.max(kept_until, (told_at ?? 0) + DAY_MS)

/** What is to be done with one whose time is nearly over. */
export function judgeKept(
  { kept_until, told_at, checked_at }: Pick<RecordingRow, 'kept_until' | 'told_at' | 'checked_at'>,
  now: number,
): 'keep' | 'tell' | 'note' | 'warn-anew' | 'forget-told' | 'remove' {
  if (kept_until === null) return 'keep'
  if (told_at === null) return now >= kept_until - DAY_MS ? 'tell' : 'keep'
  // It was told by a clock that was ahead.
  if (told_at > now + UNWATCHED_MS) return 'forget-told'
  if (checked_at === null || Math.abs(now - checked_at) > UNWATCHED_MS) return 'warn-anew'
  return now >= Math.max(kept_until, told_at + DAY_MS) ? 'remove' : 'note'
}

/**
 * Recordings go when the time of their plan is over, and not before their owner was told, a whole day before. That day counts only while
 * somebody looks: as for videos of a plan that has ended.
 */
export function createRetention({ db, clock, trust, log, daysOf, mayWork, remove }: RetentionDeps) {
  /** A better plan lengthens the time of what there is; a lesser one does not shorten it. */
  async function lengthen(): Promise<void> {
    const owners = await db.selectFrom('recordings').select('user_id').distinct().execute()
    for (const { user_id } of owners) {
      const { days, hasEnded } = await daysOf(user_id).catch(() => ({ days: 0, hasEnded: true }))
      if (hasEnded) continue
      await db
        .updateTable('recordings')
        .set({ kept_until: sql<number>`to_at + ${days * DAY_MS}`, told_at: null, checked_at: null })
        .where('user_id', '=', user_id)
        .where('removing_at', 'is', null)
        .where(sql<boolean>`to_at is not null and kept_until < to_at + ${days * DAY_MS}`)
        .execute()
    }
  }

  /** Tells it once, however many programs look. */
  async function tell(row: RecordingRow, now: number): Promise<void> {
    await db.transaction().execute(async (inside) => {
      const { numUpdatedRows } = await inside
        .updateTable('recordings')
        .set({ told_at: now, checked_at: now })
        .where('id', '=', row.id)
        .where('told_at', 'is', null)
        .where('removing_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      const payload = { title: nameOf(row), goesAt: goesAt({ ...row, told_at: now }) ?? now }
      await writeFacts(inside, subjectOf(row), [{ at: now, fact: 'recording.expiring', payload }])
    })
  }

  const note = (id: string, change: { told_at?: number | null; checked_at: number | null }) =>
    db.updateTable('recordings').set(change).where('id', '=', id).execute()

  async function see(row: RecordingRow): Promise<void> {
    if (row.removing_at !== null) return remove(row)
    // By a clock in doubt nothing goes, and no warning counts.
    const { now, isSure } = await trust()
    if (!isSure || !(await mayWork(row.user_id))) return
    switch (judgeKept(row, now)) {
      case 'keep':
        return
      case 'tell':
        return tell(row, now)
      case 'note':
        return void (await note(row.id, { checked_at: now }))
      case 'warn-anew':
        await note(row.id, { told_at: now, checked_at: now })
        return
      case 'forget-told':
        await note(row.id, { told_at: null, checked_at: null })
        return
      case 'remove':
        log.info({ recordingId: row.id }, 'the time of a recording is over')
        return remove(row)
    }
  }

  /** Behind one of them on. */
  const near = (afterId: string) =>
    db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '>', afterId)
      .where(sql<boolean>`(kept_until <= ${clock.now() + DAY_MS} or removing_at is not null or told_at is not null)`)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()

  return {
    async round(): Promise<void> {
      await lengthen()
      for (let rows = await near(''); rows.length > 0; rows = await near(rows.at(-1)?.id ?? '')) {
        for (const row of rows) {
          await see(row).catch((error) => {
            log.warn({ err: error, recordingId: row.id }, 'a recording could not be judged or removed')
          })
        }
      }
    },
    /** The end of a plan takes the videos: what needs them goes too, and is told a day before. */
    async expireAllOf(userId: string): Promise<void> {
      const until = clock.now() + DAY_MS
      await db
        .updateTable('recordings')
        .set({ kept_until: until })
        .where('user_id', '=', userId)
        .where('kept_until', '>', until)
        .execute()
    },
  }
}
