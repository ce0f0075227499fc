import type { Db } from '../../../platform/db/database.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { isWanted } from './wanted-streams.ts'

/**
 * For code that removes what was made of videos: whether a wanted stream plays a list with this video as it was made by this recipe. Only
 * what plays now and what follows it is written down as used: the others of the list would be missed when their turn comes.
 */
export const playedRenditions =
  (db: Db, playlists: Pick<PlaylistsRepo, 'listsWith'>) =>
  async (videoId: string, recipe: string): Promise<boolean> => {
    const lists = new Map((await playlists.listsWith(videoId)).map((list) => [list.id, list.recipe]))
    if (lists.size === 0) return false
    const streams = await db
      .selectFrom('streams')
      .select(['playlist_id', 'recipe', 'position_recipe'])
      .where('playlist_id', 'in', [...lists.keys()])
      .where(isWanted)
      .execute()
    return streams.some((stream) =>
      [lists.get(stream.playlist_id ?? ''), stream.recipe, stream.position_recipe].includes(recipe),
    )
  }
