import type { Db } from '../../../platform/db/database.ts'
import { isWanted } from './wanted-streams.ts'

/**
 * For whoever removes what was made of videos: whether a wanted stream plays a list with this video as it was made by this recipe. Only
 * what plays now and what follows it is written down as used: the others of the list would be missed when their turn comes.
 */
export const playedRenditions =
  (db: Db) =>
  async (videoId: string, recipe: string): Promise<boolean> => {
    const row = await db
      .selectFrom('playlist_items')
      .innerJoin('playlists', 'playlists.id', 'playlist_items.playlist_id')
      .innerJoin('streams', 'streams.playlist_id', 'playlists.id')
      .select('streams.id')
      .where('playlist_items.video_id', '=', videoId)
      .where('playlist_items.removed_at', 'is', null)
      .where(isWanted)
      .where((eb) =>
        eb.or([
          eb('playlists.recipe', '=', recipe),
          eb('streams.recipe', '=', recipe),
          eb('streams.position_recipe', '=', recipe),
        ]),
      )
      .executeTakeFirst()
    return row !== undefined
  }
