import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import { PAGE } from './told-lives.ts'
import { wantedAt } from './wanted-at.ts'

/** When the first stream of a broadcast was asked for. */
export interface Begin {
  readonly at: number
  readonly id: string
}

/** Newest first. */
const byBegin = (one: Begin, other: Begin): number =>
  other.at - one.at || Number(one.id < other.id) - Number(one.id > other.id)

/** Which broadcasts were wanted in some time. However many streams they have: what is read is as much as is returned. */
export function broadcastPages(db: Db, steps: SmallSteps) {
  const listed = (workspaceId: string) =>
    db.selectFrom('stat_broadcasts').select(['asked_at as at', 'broadcast_id as id']).where('user_id', '=', workspaceId)
  const streams = (workspaceId: string) => db.selectFrom('stat_streams').where('user_id', '=', workspaceId)

  /** Those among many. */
  async function listedOf(workspaceId: string, ids: readonly string[]): Promise<Begin[]> {
    const found: Begin[] = []
    for (let first = 0; first < ids.length; first += PAGE) {
      await steps.of(workspaceId)()
      const some = ids.slice(first, first + PAGE)
      found.push(...(await listed(workspaceId).where('broadcast_id', 'in', some).execute()))
    }
    return found
  }

  /** Those of which nothing has been listed yet: none, but for some time after a start that finds streams of an older version. */
  async function unlisted(workspaceId: string, toMs: number): Promise<Begin[]> {
    const begins = new Map<string, number>()
    for (let after = { at: Number.MIN_SAFE_INTEGER, id: 0 }; ; ) {
      await steps.of(workspaceId)()
      const rows = await streams(workspaceId)
        .select(['id', 'broadcast_id', 'asked_at'])
        .where('listed', 'is', null)
        .where('asked_at', '<', toMs)
        .where(sql<boolean>`(asked_at, id) > (${after.at}, ${after.id})`)
        .orderBy('asked_at')
        .orderBy('id')
        .limit(PAGE)
        .execute()
      for (const { broadcast_id, asked_at } of rows) {
        if (!begins.has(broadcast_id)) begins.set(broadcast_id, asked_at)
      }
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = { at: last.asked_at, id: last.id }
    }
    for (const { id } of await listedOf(workspaceId, [...begins.keys()])) begins.delete(id)
    return [...begins].map(([id, at]) => ({ id, at }))
  }

  function begunIn(
    workspaceId: string,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    after: Begin | null,
    limit: number,
  ): Promise<Begin[]> {
    const isBefore = after && after.at < toMs ? after : { at: toMs, id: '' }
    return (
      listed(workspaceId)
        .where('asked_at', '>=', fromMs)
        // One upper bound: SQLite begins at the first that it finds.
        .where(sql<boolean>`(asked_at, broadcast_id) < (${isBefore.at}, ${isBefore.id})`)
        .orderBy('asked_at', 'desc')
        .orderBy('broadcast_id', 'desc')
        .limit(limit)
        .execute()
    )
  }

  /** Those of which something was wanted when this time began: as many as a workspace has at one time. */
  async function begunBefore(workspaceId: string, fromMs: number, added: readonly Begin[]): Promise<Begin[]> {
    const before = () => streams(workspaceId).select('broadcast_id').where('asked_at', '<', fromMs).limit(PAGE)
    const wanted = [
      ...(await before().where('ended_at', 'is', null).execute()),
      ...(await before().where('id', 'in', wantedAt(workspaceId, fromMs)).execute()),
    ]
    const ids = new Set(wanted.map(({ broadcast_id }) => broadcast_id))
    return [...(await listedOf(workspaceId, [...ids])), ...added.filter(({ id }) => ids.has(id))]
  }

  return {
    /** Newest first, by when the first stream of each was asked for. */
    async broadcastPage(
      workspaceId: string,
      range: { fromMs: number; toMs: number },
      after: Begin | null,
      limit: number,
    ): Promise<Begin[]> {
      const isBehind = (one: Begin) => !after || byBegin(after, one) < 0
      // First: what is listed meanwhile is found among the others then.
      const added = await unlisted(workspaceId, range.toMs)
      const begun = [
        ...added.filter((one) => one.at >= range.fromMs && isBehind(one)),
        ...(await begunIn(workspaceId, range, after, limit)),
      ]
      const older = begun.length < limit ? await begunBefore(workspaceId, range.fromMs, added) : []
      const found = new Map([...begun, ...older.filter(isBehind)].map((one) => [one.id, one]))
      return [...found.values()].sort(byBegin).slice(0, limit)
    },
  }
}
