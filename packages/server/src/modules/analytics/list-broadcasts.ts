import { setTimeout as sleep } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { StatBroadcastTable } from '../../platform/db/tables/analytics.ts'
import { lockReader } from '../../platform/outbox/fact-reader.ts'
import type { IsOver } from './roll-up.ts'

/** Few: each batch holds up everything else. */
const AT_ONCE = 100
const BREATH_MS = 10

/** In the transaction in which streams are added: at which of them their broadcasts begin. At most as many as are added at once. */
export async function listBroadcasts(inside: Db, streams: readonly Insertable<StatBroadcastTable>[]): Promise<void> {
  const firsts = new Map<string, Insertable<StatBroadcastTable>>()
  for (const { broadcast_id, user_id, asked_at } of streams) {
    const known = firsts.get(broadcast_id)
    if (!known || asked_at < known.asked_at) firsts.set(broadcast_id, { broadcast_id, user_id, asked_at })
  }
  if (firsts.size === 0) return
  await inside
    .insertInto('stat_broadcasts')
    // In one order: two that write at once would wait for each other.
    .values([...firsts.values()].sort((one, other) => (one.broadcast_id < other.broadcast_id ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('broadcast_id')
        .doUpdateSet({ asked_at: ({ ref }) => ref('excluded.asked_at') })
        .whereRef('excluded.asked_at', '<', 'stat_broadcasts.asked_at'),
    )
    .execute()
}

/**
 * Lists the broadcasts whose streams an older version has written: a batch at a time, each with its mark in one transaction, so whatever is
 * killed, the next start goes on. Until then answers read those streams as they are.
 */
export function createBroadcastLister({ db, readerName }: { db: Db; readerName: string }) {
  const nextBatch = (): Promise<boolean> =>
    db.transaction().execute(async (inside) => {
      // The reader changes these streams too.
      await lockReader(inside, readerName)
      const streams = await inside
        .selectFrom('stat_streams')
        .select(['id', 'broadcast_id', 'user_id', 'asked_at'])
        .where('listed', 'is', null)
        .orderBy('user_id')
        // The first one of a broadcast comes first.
        .orderBy('asked_at')
        .orderBy('id')
        .limit(AT_ONCE)
        .execute()
      if (streams.length === 0) return false
      await listBroadcasts(inside, streams)
      const ids = streams.map(({ id }) => id)
      await inside.updateTable('stat_streams').set({ listed: 1 }).where('id', 'in', ids).execute()
      return streams.length === AT_ONCE
    })

  return {
    async listAll(isOver: IsOver): Promise<void> {
      while (!isOver() && (await nextBatch())) await sleep(BREATH_MS)
    },
  }
}
