import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'
import { ERRORS } from '@tus/utils'
import type { Db } from '../../../platform/db/database.ts'

/** How often the holder shows that it lives, and sees whether another one waits. */
const BEAT_MS = 1_000
const POLL_MS = 200
/** A holder that has shown nothing for so long is gone. */
const GONE_MS = 15_000
const PATIENCE_MS = 30_000

/** One request writes to an upload at a time, on whichever machine: pieces of two would be mixed up. Who comes later has the right of way. */
export function createUploadLocks(db: Db, { goneMs = GONE_MS } = {}): Locker {
  const rowOf = (id: string) => db.selectFrom('upload_locks').selectAll().where('id', '=', id).executeTakeFirst()

  async function insert(id: string, holder: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows: made } = await db
      .insertInto('upload_locks')
      .values({ id, holder })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    return (made ?? 0n) > 0n
  }

  async function takeFrom(id: string, seen: { holder: string; beat: number }, holder: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('upload_locks')
      .set({ holder, beat: 0, is_wanted: 0 })
      .where('id', '=', id)
      .where('holder', '=', seen.holder)
      .where('beat', '=', seen.beat)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async function acquire(id: string, holder: string, signal: AbortSignal): Promise<boolean> {
    const begunAt = performance.now()
    let seen = { holder: '', beat: -1, at: begunAt }
    while (!signal.aborted && performance.now() - begunAt < PATIENCE_MS) {
      if (await insert(id, holder)) return true
      const row = await rowOf(id)
      if (row && (row.holder !== seen.holder || row.beat !== seen.beat)) seen = { ...row, at: performance.now() }
      else if (row && performance.now() - seen.at > goneMs && (await takeFrom(id, seen, holder))) return true
      if (row?.is_wanted === 0) {
        const asked = db.updateTable('upload_locks').set({ is_wanted: 1 })
        await asked.where('id', '=', id).where('holder', '=', row.holder).execute()
      }
      await sleep(POLL_MS)
    }
    return false
  }

  /** Answers whether it has to be let go: another one waits, or has it already. */
  async function beat(id: string, holder: string): Promise<boolean> {
    const row = await db
      .updateTable('upload_locks')
      .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
      .where('id', '=', id)
      .where('holder', '=', holder)
      .returning('is_wanted')
      .executeTakeFirst()
    return row?.is_wanted !== 0
  }

  function newLock(id: string): Lock {
    const holder = randomUUID()
    let beating: NodeJS.Timeout | undefined
    return {
      async lock(signal, letGo) {
        if (!(await acquire(id, holder, signal))) throw ERRORS.ERR_LOCK_TIMEOUT
        const beatOrLetGo = async () => {
          if (await beat(id, holder)) await letGo()
        }
        // A database that is away says nothing of the lock.
        beating = setInterval(() => void beatOrLetGo().catch(() => {}), BEAT_MS)
      },
      async unlock() {
        clearInterval(beating)
        await db.deleteFrom('upload_locks').where('id', '=', id).where('holder', '=', holder).execute()
      },
    }
  }

  return { newLock }
}
