import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/schema.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { roomBytes } from './library.repo.ts'

export type ReservationKind = Selectable<Database['upload_reservations']>['kind']

export interface Wanted {
  readonly id: string
  readonly userId: string
  readonly kind: ReservationKind
  /** Less than this is of no use; more than that is not needed. */
  readonly atLeast: number
  readonly atMost: number
  /** Of the user's room. */
  readonly limit: number
  readonly mostOpen: number
  readonly now: number
  readonly heldUntil: number
}

/** `taken`: what the user's videos take, and what else of theirs is on its way. */
export type Verdict =
  | { readonly outcome: 'granted'; readonly bytes: number }
  | { readonly outcome: 'no-room'; readonly taken: number }
  | { readonly outcome: 'too-many' }

export type ReservationsRepo = ReturnType<typeof createReservationsRepo>

export function createReservationsRepo(db: Db) {
  /** What else of this user is on its way now. */
  async function othersOf(
    { userId, id, now }: Pick<Wanted, 'userId' | 'id' | 'now'>,
    inside: Db = db,
  ): Promise<{ bytes: number; open: number }> {
    const row = await inside
      .selectFrom('upload_reservations')
      .select(sql<string | number | null>`sum(bytes)`.as('bytes'))
      .select(sql<string | number | null>`sum(case when kind = 'import' then 0 else 1 end)`.as('open'))
      .where('user_id', '=', userId)
      .where('id', '<>', id)
      .where('held_until', '>', now)
      .executeTakeFirst()
    return { bytes: Number(row?.bytes ?? 0), open: Number(row?.open ?? 0) }
  }

  return {
    othersOf,
    /** Judges and writes down at one moment, so that however many ask at once, no two are given the same bytes. */
    reserve: (wanted: Wanted): Promise<Verdict> =>
      withUserLocked(db, wanted.userId, async (locked) => {
        const { id, userId, kind, atLeast, atMost, limit, mostOpen, heldUntil } = wanted
        const videos = await locked
          .selectFrom('videos')
          .select(roomBytes.as('bytes'))
          .where('user_id', '=', userId)
          .executeTakeFirst()
        const others = await othersOf(wanted, locked)
        if (kind !== 'import' && others.open >= mostOpen) return { outcome: 'too-many' }
        const taken = Number(videos?.bytes ?? 0) + others.bytes
        const left = Math.max(0, limit - taken)
        if (left === 0 || atLeast > left) return { outcome: 'no-room', taken }
        const bytes = Math.min(atMost, left)
        await locked
          .insertInto('upload_reservations')
          .values({ id, user_id: userId, kind, bytes, held_until: heldUntil })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ bytes, held_until: heldUntil }))
          .execute()
        return { outcome: 'granted', bytes }
      }),
    /** How much is reserved for it; 0: nothing. */
    async bytesOf(id: string, now: number): Promise<number> {
      const row = await db
        .selectFrom('upload_reservations')
        .select('bytes')
        .where('id', '=', id)
        .where('held_until', '>', now)
        .executeTakeFirst()
      return row?.bytes ?? 0
    },
    async hold(ids: readonly string[], heldUntil: number): Promise<void> {
      await db.updateTable('upload_reservations').set({ held_until: heldUntil }).where('id', 'in', ids).execute()
    },
    async release(id: string): Promise<void> {
      await db.deleteFrom('upload_reservations').where('id', '=', id).execute()
    },
    async releaseOf(kinds: readonly ReservationKind[]): Promise<void> {
      await db.deleteFrom('upload_reservations').where('kind', 'in', kinds).execute()
    },
    async releaseLapsed(now: number): Promise<void> {
      await db.deleteFrom('upload_reservations').where('held_until', '<=', now).execute()
    },
    async tusHeldBefore(moment: number): Promise<string[]> {
      const rows = await db
        .selectFrom('upload_reservations')
        .select('id')
        .where('kind', '=', 'tus')
        .where('held_until', '<', moment)
        .execute()
      return rows.map((row) => row.id)
    },
    async isHeld(id: string, now: number): Promise<boolean> {
      const row = await db
        .selectFrom('upload_reservations')
        .select('id')
        .where('id', '=', id)
        .where('held_until', '>', now)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
