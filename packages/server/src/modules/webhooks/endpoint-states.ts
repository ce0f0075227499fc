import type { Db } from '../../platform/db/database.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { readyHeads } from './delivery-heads.ts'
import { REMOVING } from './endpoint-removal.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { lockEndpoint } from './lock-endpoint.ts'
import { isPausedByPlan, type PlannedEndpoint, planStates } from './plan-states.ts'

/** `reason`: why it is not active; null: its owner wants that. Its queue stands still as it is, and goes on by `activate`. */
export async function setState(inside: Db, id: string, state: string, reason: string | null): Promise<void> {
  await inside.updateTable('webhook_endpoints').set({ state, state_reason: reason }).where('id', '=', id).execute()
}

/** Its heads were made ready before, see `readyHeads`. */
const activate = (inside: Db, id: string): Promise<unknown> =>
  inside
    .updateTable('webhook_endpoints')
    .set({ state: 'active', state_reason: null, failing_since: null, dropped: 0 })
    .where('id', '=', id)
    .execute()

/** Those too that only the plan holds back: their owner has not said that they may go on. Returns how many there were. */
export async function pauseEndpointsOf(inside: Db, workspaceId: string): Promise<number> {
  const own = inside.selectFrom('webhook_endpoints').select('id').where('user_id', '=', workspaceId)
  const rows = await own
    .where((eb) => eb.or([eb('state', '=', 'active'), eb('state_reason', '=', 'plan')]))
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    if (await lockEndpoint(inside, id)) await setState(inside, id, 'paused', null)
  }
  return rows.length
}

const isOwn = ({ user_id, state }: EndpointRow, workspaceId: string): boolean =>
  user_id === workspaceId && state !== REMOVING

/** Which endpoints are active: by their owner's will, and by the plan. */
export function endpointStates(db: Db) {
  return {
    pause: (workspaceId: string, id: string): Promise<void> =>
      withUserLocked(db, workspaceId, async (locked) => {
        const row = await lockEndpoint(locked, id)
        if (row && isOwn(row, workspaceId)) await setState(locked, id, 'paused', null)
      }),
    /** False: as many are active as may be. */
    async resumeWithin(
      workspaceId: string,
      id: string,
      { most, now }: { most: number; now: number },
    ): Promise<boolean> {
      /** Null: it is not active, and may be. */
      const unlessAnswered = (change: (locked: Db, row: EndpointRow) => Promise<unknown>): Promise<boolean | null> =>
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
          if (row && isOwn(row, workspaceId)) await change(locked, row)
          return null
        })
      // Its owner wants it from here on: after a crash `keepToPlan` goes on with it. A pause meanwhile takes that back.
      const answer = await unlessAnswered((locked) => setState(locked, id, 'paused', 'plan'))
      if (answer !== null) return answer
      await readyHeads(db, { id, user_id: workspaceId }, now)
      const lastAnswer = await unlessAnswered(async (locked, row) => {
        if (isPausedByPlan(row)) await activate(locked, id)
      })
      return lastAnswer ?? true
    },
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
      const before = planStates(await planned(db), allowed)
      if (countOf(before) === 0) return 0
      const ready = new Set(before.resume.map(({ id }) => id))
      for (const id of ready) await readyHeads(db, { id, user_id: userId }, now)
      return withUserLocked(db, userId, async (locked) => {
        const { pause, resume } = planStates(await planned(locked), allowed)
        // One that may go on only since then does so the next time.
        const states = { pause, resume: resume.filter(({ id }) => ready.has(id)) }
        for (const { id } of states.pause) {
          if (await lockEndpoint(locked, id)) await setState(locked, id, 'paused', 'plan')
        }
        for (const { id } of states.resume) if (await lockEndpoint(locked, id)) await activate(locked, id)
        return countOf(states)
      })
    },
  }
}
