import type { Db } from '../../../platform/db/database.ts'

/** What people know a stream by. */
export interface StreamLabel {
  readonly id: string
  readonly broadcastId: string
  readonly userId: string
  /** Its title, or else the name of what it plays. */
  readonly title: string
  readonly platform: string
  /** Only a saved target has one. */
  readonly targetName: string | null
}

/** For those who tell others what happened to a stream. One that is gone is left out. */
export const streamLabels =
  (db: Db) =>
  async (ids: readonly string[]): Promise<Map<string, StreamLabel>> => {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select(['streams.id', 'broadcasts.id as broadcastId', 'broadcasts.user_id as userId'])
      .select(['broadcasts.title', 'streams.source', 'platform', 'target_name as targetName'])
      .where('streams.id', 'in', [...new Set(ids)])
      .execute()
    return new Map(rows.map(({ title, source, ...row }) => [row.id, { ...row, title: title || source }]))
  }
