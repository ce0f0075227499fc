import { sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import type { Place } from '../../playlists/next-item.ts'
import { holdBroadcast, ofStream, tellStreams } from './broadcast-end.ts'
import { SCHEDULE_ENDED } from './scheduled-broadcasts.ts'
import { settleVideos } from './stream-videos.ts'
import { isWanted } from './wanted-streams.ts'

/** What somebody wants of a stream that a worker keeps, perhaps on another machine: written down here, read there. */
export const desiredState = (db: Db) => ({ ...askFor(db), ...askLists(db), ...readDesired(db) })

const askFor = (db: Db) => ({
  /** Asks one stream to stop; the last one takes its broadcast with it. `cause`: where it is not its owner who wants it. */
  async askStop(id: string, cause: string | null = null): Promise<void> {
    const stopped = { desired: 'stopped', ...(cause === null ? {} : { end_cause: cause }) }
    await atomically(db, async (inside) => {
      await holdBroadcast(inside, ofStream(id))
      await inside.updateTable('streams').set(stopped).where('id', '=', id).execute()
      await inside
        .updateTable('broadcasts')
        .set(stopped)
        .where('id', '=', ofStream(id))
        .where(
          sql<boolean>`not exists (
            select 1 from streams
            where streams.broadcast_id = broadcasts.id and phase <> 'ended' and streams.desired <> 'stopped')`,
        )
        .execute()
    })
  },
  /** Asks a broadcast to stop with all of its streams. */
  async askStopOf(broadcastId: string): Promise<void> {
    await atomically(db, async (inside) => {
      await inside.updateTable('broadcasts').set({ desired: 'stopped' }).where('id', '=', broadcastId).execute()
      await tellStreams(inside, sql`broadcast_id = ${broadcastId}`)
    })
  },
  /** Those whose end was asked for and who may go on after all. */
  async revokeEndOf(userId: string): Promise<void> {
    await atomically(db, async (inside) => {
      await inside
        .updateTable('broadcasts')
        .set({ desired: 'live', end_cause: null })
        .where('user_id', '=', userId)
        .where('desired', '=', 'ending')
        .where(endsByPlan)
        .where('ended_at', 'is', null)
        .execute()
      await tellStreams(inside, wantedOf(userId))
    })
  },
  /**
   * Asks for the end of all that a user has under way; 'ending': at the end of the pass. What its schedule ends then keeps that cause: as one of
   * the plan its end would be taken back with that, and nothing would ever end it.
   */
  async askEndOf(userId: string, desired: 'stopped' | 'ending', cause: string): Promise<void> {
    await atomically(db, async (inside) => {
      await inside
        .updateTable('broadcasts')
        .set({ desired, end_cause: cause })
        .where('user_id', '=', userId)
        .where('desired', '<>', 'stopped')
        .where('ended_at', 'is', null)
        .$if(desired === 'ending', (query) => query.where(sql<boolean>`(desired <> 'ending' or ${endsByPlan})`))
        .execute()
      await tellStreams(inside, wantedOf(userId))
    })
  },
  /**
   * Asks for the whole broadcast: each of its streams changes at the end of its own pass. A stream that plays it already is asked too while
   * another one is to come: only its worker knows whether that has begun by now.
   */
  async askSwap(id: string, videoId: string): Promise<void> {
    await atomically(db, async (inside) => {
      const row = await inside
        .updateTable('broadcasts')
        .set({ next_video_id: videoId })
        .where('id', '=', ofStream(id))
        .returning('id')
        .executeTakeFirst()
      if (!row) return
      await inside
        .updateTable('streams')
        .set({ next_video_id: videoId })
        .where('broadcast_id', '=', row.id)
        .where(isWanted)
        .where(sql<boolean>`(next_video_id is not null or video_id is null or video_id <> ${videoId})`)
        .execute()
      await settleVideos(inside, row.id)
    })
  },
})

export interface SkippingStream {
  readonly id: string
  readonly position_item_id: string | null
  readonly position_round: number
  readonly playlist_skip: string | null
}

/** Lists may be changed while they play: their keepers are told like of any other wish. */
const askLists = (db: Db) => ({
  /** Answers the streams that play it. */
  async askPlaylist(playlistId: string): Promise<string[]> {
    const rows = await db
      .updateTable('streams')
      .set({ playlist_asked: sql<number>`playlist_asked + 1` })
      .where('playlist_id', '=', playlistId)
      .where(isWanted)
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  },
  /**
   * For all streams of a broadcast in one go: `skipsOf` says what each is to leave out, from how all of them are now. Two who ask at once wait
   * for each other, so that each of them leaves out one more.
   */
  async askSkip(
    broadcastId: string,
    skipsOf: (streams: readonly SkippingStream[]) => ReadonlyMap<string, readonly Place[]>,
  ): Promise<string[]> {
    return atomically(db, async (inside) => {
      await holdBroadcast(inside, broadcastId)
      const streams = await inside
        .selectFrom('streams')
        .select(['id', 'position_item_id', 'position_round', 'playlist_skip'])
        .where('broadcast_id', '=', broadcastId)
        .where('phase', '<>', 'ended')
        .orderBy('id')
        .execute()
      const skips = skipsOf(streams)
      for (const [id, places] of skips) {
        await inside
          .updateTable('streams')
          .set({ playlist_skip: JSON.stringify(places), playlist_asked: sql<number>`playlist_asked + 1` })
          .where('id', '=', id)
          .execute()
      }
      return [...skips.keys()]
    })
  },
  /** Whatever was asked up to then has been looked at. */
  async playlistSeen(id: string, asked: number): Promise<void> {
    await db
      .updateTable('streams')
      .set({ playlist_asked: 0 })
      .where('id', '=', id)
      .where('playlist_asked', '=', asked)
      .execute()
  },
  async isPlaylistOnAir(playlistId: string): Promise<boolean> {
    const row = await db
      .selectFrom('streams')
      .select('id')
      .where('playlist_id', '=', playlistId)
      .where(isWanted)
      .executeTakeFirst()
    return row !== undefined
  },
})

const readDesired = (db: Db) => ({
  /** Whose broadcasts are wanted, and may have to stop. */
  async usersOnAir(): Promise<string[]> {
    const rows = await db
      .selectFrom('broadcasts')
      .select('user_id')
      .distinct()
      .where('desired', '<>', 'stopped')
      .where('ended_at', 'is', null)
      .execute()
    return rows.map((row) => row.user_id)
  },
  async hasWanted(userId: string): Promise<boolean> {
    const row = await db
      .selectFrom('broadcasts')
      .select('id')
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  },
  async usersWithEnding(): Promise<string[]> {
    const rows = await db
      .selectFrom('broadcasts')
      .select('user_id')
      .distinct()
      .where('desired', '=', 'ending')
      .where(endsByPlan)
      .where('ended_at', 'is', null)
      .execute()
    return rows.map((row) => row.user_id)
  },
  async swapAskedOf(worker: string): Promise<string[]> {
    const rows = await db
      .selectFrom('streams')
      .select('id')
      .where('worker', '=', worker)
      .where(({ eb, or }) => or([eb('next_video_id', 'is not', null), eb('playlist_asked', '>', 0)]))
      .where(isWanted)
      .execute()
    return rows.map((row) => row.id)
  },
  /** What is to be ended, at once or at the end of its pass. */
  async endAskedOf(worker: string): Promise<{ id: string; desired: string; end_cause: string | null }[]> {
    return db
      .selectFrom('streams')
      .select(['id', 'desired', 'end_cause'])
      .where('worker', '=', worker)
      .where('desired', '<>', 'live')
      .where(isWanted)
      .execute()
  },
})

/** What its schedule ends is not taken back when its owner's plan goes on. */
const endsByPlan = sql<boolean>`coalesce(end_cause, '') <> ${SCHEDULE_ENDED}`

const wantedOf = (userId: string) =>
  sql`broadcast_id in (select id from broadcasts where user_id = ${userId} and ended_at is null)`
