import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { lastingRoomBytes } from './video-bytes.ts'

/** How much room somebody has; null: nobody has said. */
export type RoomOf = (userId: string) => Promise<number | null>

/** What a user's recordings take of it besides. */
export type RecordedOf = (inside: Db, userId: string) => Promise<number>

const LOW_PART = 0.9
/** Told again only after it had fallen below this: somebody who deletes and uploads at the edge is told once. */
const ENOUGH_PART = 0.8

/** Null: the video is gone. */
export async function ownerOf(db: Db, videoId: string): Promise<string | null> {
  const row = await db.selectFrom('videos').select('user_id').where('id', '=', videoId).executeTakeFirst()
  return row?.user_id ?? null
}

interface RoomChange {
  readonly userId: string
  readonly roomOf: RoomOf
  readonly recordedOf: RecordedOf
  readonly clock: Clock
}

/** Changes what somebody's videos take, and tells them in the same step if little is left from then on. */
export async function changeRoom<T>(
  db: Db,
  { userId, roomOf, recordedOf, clock }: RoomChange,
  change: (inside: Db) => Promise<T>,
): Promise<T> {
  // Not within: it may need a connection of its own.
  const room = await roomOf(userId)
  // Two at once would each see the room without the other.
  return withUserLocked(db, userId, async (inside) => {
    const answer = await change(inside)
    if (room !== null) await noteUse(inside, userId, { room, recordedOf, at: clock.now() })
    return answer
  })
}

async function noteUse(
  inside: Db,
  userId: string,
  { room, recordedOf, at }: { room: number; recordedOf: RecordedOf; at: number },
): Promise<void> {
  const used = await usedBy(inside, userId, recordedOf)
  if (used < room * LOW_PART) return forgetIfEnough(inside, userId, used, room)
  const { numInsertedOrUpdatedRows: told } = await inside
    .insertInto('low_rooms')
    .values({ user_id: userId, room_bytes: room })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ room_bytes: room }).where('low_rooms.room_bytes', '<', room),
    )
    .executeTakeFirst()
  if (!told) return
  const payload = { usedBytes: used, roomBytes: room }
  await writeFacts(inside, { kind: 'workspace', id: userId, userId }, [{ at, fact: 'room.low', payload }])
}

/** After videos have gone. Most have never been told anything, and nothing is counted for them. */
export async function noteLessUsed(inside: Db, userId: string, recordedOf: RecordedOf): Promise<void> {
  const row = await inside.selectFrom('low_rooms').select('room_bytes').where('user_id', '=', userId).executeTakeFirst()
  if (row) await forgetIfEnough(inside, userId, await usedBy(inside, userId, recordedOf), row.room_bytes)
}

async function forgetIfEnough(inside: Db, userId: string, used: number, room: number): Promise<void> {
  if (used < room * ENOUGH_PART) await forgetLowRoom(inside, userId)
}

/** Before all of a user's videos go: what they still take would be counted after each of them. */
export async function forgetLowRoom(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('low_rooms').where('user_id', '=', userId).execute()
}

/** Nobody is told of what one that takes the place of another takes until that has gone. */
async function usedBy(inside: Db, userId: string, recordedOf: RecordedOf): Promise<number> {
  const row = await inside
    .selectFrom('videos')
    .select(lastingRoomBytes.as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0) + (await recordedOf(inside, userId))
}
