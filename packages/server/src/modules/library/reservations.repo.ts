import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { judgeNumbers, judgeReservation, type ReservationKind, type Verdict, type Wanted } from './judge-reservation.ts'
import type { RecordedOf } from './low-room.ts'
import { roomBytes } from './video-bytes.ts'

export type ReservationsRepo = ReturnType<typeof createReservationsRepo>

export function createReservationsRepo(db: Db, recordedOf: RecordedOf = async () => 0) {
  return {
    othersOf: (asking: Asking) => othersOf(db, asking),
    /** Judges and writes down at one moment, so that however many ask at once, no two get the same bytes. */
    reserve: (wanted: Wanted): Promise<Verdict> =>
      withUserLocked(db, wanted.userId, async (locked) => {
        const { id, userId, kind, heldUntil } = wanted
        const own = locked.selectFrom('videos').where('user_id', '=', userId)
        const [others, videos] = [
          await othersOf(locked, wanted),
          await own.select(({ fn }) => fn.countAll<string | number>().as('count')).executeTakeFirst(),
        ]
        const numbers = { videos: Number(videos?.count ?? 0), openUploads: others.open }
        const refused = judgeNumbers(wanted, numbers)
        if (refused) return refused
        const room = await own.select(roomBytes.as('bytes')).executeTakeFirst()
        const verdict = judgeReservation(wanted, {
          ...numbers,
          videoBytes: Number(room?.bytes ?? 0) + (await recordedOf(locked, userId)),
          comingBytes: others.bytes,
        })
        if (verdict.outcome !== 'granted') return verdict
        const { bytes } = verdict
        await locked
          .insertInto('upload_reservations')
          .values({ id, user_id: userId, kind, bytes, held_until: heldUntil })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ bytes, held_until: heldUntil }))
          .execute()
        return verdict
      }),
    /** How much is reserved for it; 0: nothing. */
    bytesOf: async (id: string, now: number): Promise<number> => (await heldBytesOf(db, id, now)) ?? 0,
    isHeld: async (id: string, now: number): Promise<boolean> => (await heldBytesOf(db, id, now)) !== null,
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
  }
}

type Asking = Pick<Wanted, 'userId' | 'id' | 'now'>

/** What else of this user is on its way now. */
async function othersOf(db: Db, { userId, id, now }: Asking): Promise<{ bytes: number; open: number }> {
  const row = await db
    .selectFrom('upload_reservations')
    .select(sql<string | number | null>`sum(bytes)`.as('bytes'))
    .select(sql<string | number | null>`sum(case when kind = 'import' then 0 else 1 end)`.as('open'))
    .where('user_id', '=', userId)
    .where('id', '<>', id)
    .where('held_until', '>', now)
    .executeTakeFirst()
  return { bytes: Number(row?.bytes ?? 0), open: Number(row?.open ?? 0) }
}

async function heldBytesOf(db: Db, id: string, now: number): Promise<number | null> {
  const row = await db
    .selectFrom('upload_reservations')
    .select('bytes')
    .where('id', '=', id)
    .where('held_until', '>', now)
    .executeTakeFirst()
  return row?.bytes ?? null
}
