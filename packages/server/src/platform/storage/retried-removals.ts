import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { type DueRows, dueRows } from '../due-rows.ts'
import type { Log } from '../log.ts'
import type { Timings } from '../timings.ts'
import type { Storage } from './storage.ts'
import { isPrefix } from './storage-keys.ts'

interface RemovalDeps {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly timings: Timings['storageRemovals']
}

/** A caller that deletes something waits so long for its files to go. */
const WAITED_FOR_MS = 5_000
/** Longer than one try takes, so that no two are at the same. */
const CLAIM_MS = 600_000
const LONGEST_WAIT_MS = 6 * 3_600_000
const COMPLAINT = 'files could not be removed from the store, this is tried again'

/** A store elsewhere may be away: what is to go is written down, and goes when it is back. */
export function withRetriedRemovals({
  db,
  storage,
  clock,
  log,
  timings,
}: RemovalDeps): Storage & { readonly removals: DueRows } {
  const forget = async (prefix: string): Promise<void> => {
    await db.deleteFrom('storage_removals').where('prefix', '=', prefix).execute()
  }

  async function removeNow(prefix: string): Promise<void> {
    await storage.remove(prefix)
    await forget(prefix)
  }

  /** Those that this program gets: another one may ask for the same at the same moment. */
  async function claim(most: number) {
    const now = clock.now()
    const due = await db
      .selectFrom('storage_removals')
      .selectAll()
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(most)
      .execute()
    const taken: typeof due = []
    for (const row of due) {
      const { numUpdatedRows } = await db
        .updateTable('storage_removals')
        .set({ due_at: now + CLAIM_MS, tries: row.tries + 1 })
        .where('prefix', '=', row.prefix)
        .where('due_at', '=', row.due_at)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) taken.push(row)
    }
    return taken
  }

  const removals = dueRows({
    claim,
    idOf: ({ prefix }) => prefix,
    async handle({ prefix }) {
      await removeNow(prefix)
      return true
    },
    backoff: {
      firstMs: timings.firstRetryMs,
      longestMs: LONGEST_WAIT_MS,
      inRow: {
        triesOf: ({ tries }) => tries,
        async putOff({ prefix }, due_at) {
          await db.updateTable('storage_removals').set({ due_at }).where('prefix', '=', prefix).execute()
        },
      },
    },
    ...{ atOnce: 4, everyMs: timings.everyMs, clock, log, complaint: COMPLAINT },
  })

  return {
    ...storage,
    removals,
    async remove(prefix) {
      if (!isPrefix(prefix)) throw new Error(`not a storage key: ${prefix}`)
      const row = { prefix, due_at: clock.now() + CLAIM_MS }
      await db
        .insertInto('storage_removals')
        .values(row)
        .onConflict((conflict) => conflict.column('prefix').doNothing())
        .execute()
      const tried = removeNow(prefix).catch(async (error) => {
        log.warn({ err: error, prefix }, COMPLAINT)
        const due_at = clock.now() + timings.firstRetryMs
        await db.updateTable('storage_removals').set({ due_at }).where('prefix', '=', prefix).execute()
      })
      // It goes on behind the answer.
      const written = tried.catch((error) => log.warn({ err: error, prefix }, COMPLAINT))
      await Promise.race([written, sleep(WAITED_FOR_MS, undefined, { ref: false })])
    },
  }
}
