import type { Keyframe } from '@siarin/media/argv/recording'
import type { Db } from '../../platform/db/database.ts'

export type FileFactsRepo = ReturnType<typeof createFileFactsRepo>

/** What was found out about stored files by reading them. */
export function createFileFactsRepo(db: Db) {
  const factsOf = (key: string) =>
    db.selectFrom('file_facts').select(['frames', 'likeness']).where('key', '=', key).executeTakeFirst()

  const keep = (user_id: string, key: string, clip_key: string, fact: { frames: string } | { likeness: string }) =>
    db
      .insertInto('file_facts')
      .values({ key, user_id, clip_key, frames: null, likeness: null, ...fact })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(fact))
      .execute()

  return {
    /** Null: nobody knows them yet. */
    async framesOf(key: string): Promise<Keyframe[] | null> {
      const { frames = null } = (await factsOf(key)) ?? {}
      if (frames === null) return null
      return (JSON.parse(frames) as [number, number][]).map(([shown, decoded]) => ({ shown, decoded }))
    },
    async keepFrames(
      userId: string,
      { key, clipKey }: { key: string; clipKey: string },
      frames: readonly Keyframe[],
    ): Promise<void> {
      await keep(userId, key, clipKey, { frames: JSON.stringify(frames.map(({ shown, decoded }) => [shown, decoded])) })
    },
    async likenessOf(key: string): Promise<string | null> {
      return (await factsOf(key))?.likeness ?? null
    },
    async keepLikeness(userId: string, key: string, likeness: string): Promise<void> {
      await keep(userId, key, key, { likeness })
    },

    /** The clips of an owner of which something is known, in pages. */
    async clipsOf(userId: string, after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('file_facts')
        .select('clip_key')
        .distinct()
        .where('user_id', '=', userId)
        .where('clip_key', '>', after)
        .orderBy('clip_key')
        .limit(limit)
        .execute()
      return rows.map(({ clip_key }) => clip_key)
    },
    async forget(userId: string, clipKey: string): Promise<void> {
      await db.deleteFrom('file_facts').where('user_id', '=', userId).where('clip_key', '=', clipKey).execute()
    },
  }
}
