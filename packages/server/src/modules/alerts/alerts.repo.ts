import { ALERT_KINDS } from '@siarin/contracts/alert-kinds'
import type { Db } from '../../platform/db/database.ts'
import type { AlertRow } from './alert-views.ts'

export type AlertsRepo = ReturnType<typeof createAlertsRepo>

/** The list in the app. */
export function createAlertsRepo(db: Db) {
  // A kind of another version has no words here.
  const shown = (workspaceId: string) =>
    db.selectFrom('alerts').where('user_id', '=', workspaceId).where('in_app', '=', 1).where('kind', 'in', ALERT_KINDS)
  const unreadOf = (workspaceId: string) => shown(workspaceId).where('read_at', 'is', null)

  return {
    /** Newest first, from behind `before` on. */
    page(
      workspaceId: string,
      { before, limit, unread }: { before: number | null; limit: number; unread: boolean },
    ): Promise<AlertRow[]> {
      const all = (unread ? unreadOf(workspaceId) : shown(workspaceId))
        .select(['id', 'kind', 'at', 'details', 'subject_id', 'read_at'])
        .orderBy('id', 'desc')
        .limit(limit)
      return (before === null ? all : all.where('id', '<', before)).execute()
    },
    /** The list has a bound, and so has this count. */
    async unread(workspaceId: string): Promise<number> {
      const row = await unreadOf(workspaceId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    async newestId(workspaceId: string): Promise<number | null> {
      const row = await shown(workspaceId).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id ?? null
    },
    /** False: there is no such alert. */
    async read(workspaceId: string, id: number, now: number): Promise<boolean> {
      const row = await shown(workspaceId).select('read_at').where('id', '=', id).executeTakeFirst()
      if (!row) return false
      if (row.read_at !== null) return true
      await db
        .updateTable('alerts')
        .set({ read_at: now })
        .where('user_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
      return true
    },
    async readUpTo(workspaceId: string, id: number, now: number): Promise<void> {
      await db
        .updateTable('alerts')
        .set({ read_at: now })
        .where('user_id', '=', workspaceId)
        .where('id', '<=', id)
        .where('read_at', 'is', null)
        .execute()
    },
  }
}
