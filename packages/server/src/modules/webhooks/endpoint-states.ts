import { type Db, isPostgres } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { parkWaiting, releaseHeads } from './delivery-heads.ts'
import { REMOVING } from './endpoint-removal.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { type PlannedEndpoint, planStates } from './plan-states.ts'

/** Nobody else changes it, or adds to its queue, until the transaction is over. Null: it is gone. */
export async function lockEndpoint(inside: Db, id: string): Promise<EndpointRow | null> {
  const row = await inside
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    // SQLite has one writer at a time.
    .$if(isPostgres(inside), (query) => query.forUpdate())
    .executeTakeFirst()
  return row ?? null
}

/** `reason`: why it is not active; null: its owner wants that, or it is. Its queue stands still, or goes on. */
export async function setState(
  inside: Db,
  id: string,
  { state, reason, now }: { state: string; reason: string | null; now: number },
): Promise<void> {
  const isActive = state === 'active'
  await inside
    .updateTable('webhook_endpoints')
    .set({ state, state_reason: reason, ...(isActive && { failing_since: null, dropped: 0 }) })
    .where('id', '=', id)
    .execute()
  if (isActive) await releaseHeads(inside, id, now)
  else await parkWaiting(inside, id)
}

/** Those too that only the plan holds back: their owner has not said that they may go on. Returns how many there were. */
export async function pauseEndpointsOf(inside: Db, workspaceId: string, now: number): Promise<number> {
  const own = inside.selectFrom('webhook_endpoints').select('id').where('user_id', '=', workspaceId)
  const rows = await own
    .where((eb) => eb.or([eb('state', '=', 'active'), eb('state_reason', '=', 'plan')]))
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    if (await lockEndpoint(inside, id)) await setState(inside, id, { state: 'paused', reason: null, now })
  }
  return rows.length
}

const isOwn = ({ user_id, state }: EndpointRow, workspaceId: string): boolean =>
  user_id === workspaceId && state !== REMOVING

/** Which endpoints are active: by their owner's will, and by the plan. */
export function endpointStates(db: Db) {
  return {
    pause: (workspaceId: string, id: string, now: number): Promise<void> =>
      withUserLocked(db, workspaceId, async (locked) => {
        const row = await lockEndpoint(locked, id)
        if (row && isOwn(row, workspaceId)) await setState(locked, id, { state: 'paused', reason: null, now })
      }),
    /** False: as many are active as may be. */
    resumeWithin: (workspaceId: string, id: string, { most, now }: { most: number; now: number }): Promise<boolean> =>
      withUserLocked(db, workspaceId, async (locked) => {
        const active = await locked
          .selectFrom('webhook_endpoints')
          .select('id')
          .where('user_id', '=', workspaceId)
          .where('state', '=', 'active')
          .execute()
        if (active.some((each) => each.id === id)) return true
        if (active.length >= most) return false
        const row = await lockEndpoint(locked, id)
        if (row && isOwn(row, workspaceId)) await setState(locked, id, { state: 'active', reason: null, now })
        return true
      }),
    /** Whose endpoints there are: everybody who has one. */
    async owners(): Promise<string[]> {
      const rows = await db.selectFrom('webhook_endpoints').select('user_id').distinct().execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** Brings what somebody has to what the plan has. Answers how many were changed. */
    async keepToPlan(userId: string, allowed: number, now: number): Promise<number> {
      const planned = (from: Db): Promise<PlannedEndpoint[]> =>
        from
          .selectFrom('webhook_endpoints')
          .select(['id', 'state', 'state_reason'])
          .where('user_id', '=', userId)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      const countOf = ({ pause, resume }: ReturnType<typeof planStates>): number => pause.length + resume.length
      // A read first: nearly always there is nothing to change.
      if (countOf(planStates(await planned(db), allowed)) === 0) return 0
      return withUserLocked(db, userId, async (locked) => {
        const states = planStates(await planned(locked), allowed)
        for (const { id } of states.pause) {
          if (await lockEndpoint(locked, id)) await setState(locked, id, { state: 'paused', reason: 'plan', now })
        }
        for (const { id } of states.resume) {
          if (await lockEndpoint(locked, id)) await setState(locked, id, { state: 'active', reason: null, now })
        }
        return countOf(states)
      })
    },
  }
}
