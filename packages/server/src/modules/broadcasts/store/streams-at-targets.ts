import type { Db } from '../../../platform/db/database.ts'
import type { StreamAtTarget } from '../../platforms/index.ts'
import { isWanted } from './wanted-streams.ts'

/** Whether a broadcast goes to this stored target, by whatever key it had when that began. */
export const isStoredTargetOnAir =
  (db: Db) =>
  async (workspaceId: string, targetId: string): Promise<boolean> => {
    const stream = db.selectFrom('streams').select('id').where('user_id', '=', workspaceId).where(isWanted)
    return (await stream.where('target_id', '=', targetId).executeTakeFirst()) !== undefined
  }

/** For code that ends at a platform what is over here: which streams go, or have gone since a moment, to one of these targets. */
export const streamsAtTargets =
  (db: Db) =>
  async (targetMarks: readonly string[], since: number): Promise<StreamAtTarget[]> => {
    if (targetMarks.length === 0) return []
    const all = () =>
      db
        .selectFrom('streams')
        .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
        .select(['broadcasts.user_id', 'target_mark', 'streams.created_at'])
        .where('target_mark', 'in', targetMarks)
    const [wanted, recent] = await Promise.all([
      all().where(isWanted).execute(),
      all().where('streams.created_at', '>=', since).execute(),
    ])
    return [
      ...wanted.map((row) => ({ ...row, isWanted: true })),
      ...recent.map((row) => ({ ...row, isWanted: false })),
    ].map(({ user_id, target_mark, created_at, isWanted }) => ({
      userId: user_id,
      targetMark: target_mark,
      createdAt: created_at,
      isWanted,
    }))
  }
