import type { Selectable } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { StreamTable } from '../../../platform/db/tables/broadcasts.ts'
import { videoUses } from '../../library/video-uses.repo.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { isWanted } from './wanted-streams.ts'

type PlayedColumns = Pick<Selectable<StreamTable>, 'playlist_id' | 'recipe' | 'position_recipe'>

const USERS_AT_ONCE = 500

/**
 * For code that removes what was made of videos: whether a wanted stream plays this video as it was made by this recipe, or a list with it.
 * Only what plays now and what follows it is written down as used: the others of the list would be missed when their turn comes.
 */
export const playedRenditions =
  (db: Db, playlists: Pick<PlaylistsRepo, 'listsWith'>) =>
  async (videoId: string, recipe: string): Promise<boolean> => {
    const lists = new Map((await playlists.listsWith(videoId)).map((list) => [list.id, list.recipe]))
    const wanted = db.selectFrom('streams').select(['playlist_id', 'recipe', 'position_recipe']).where(isWanted)
    const plays = (streams: readonly PlayedColumns[]): boolean =>
      streams.some((stream) =>
        [lists.get(stream.playlist_id ?? ''), stream.recipe, stream.position_recipe].includes(recipe),
      )
    if (lists.size > 0 && plays(await wanted.where('playlist_id', 'in', [...lists.keys()]).execute())) return true
    const users = await videoUses(db).broadcastsWith(videoId)
    for (let from = 0; from < users.length; from += USERS_AT_ONCE) {
      const some = users.slice(from, from + USERS_AT_ONCE)
      // A stream that an older version has started uses its video by its own id.
      const using = wanted.where(({ or, eb }) => or([eb('broadcast_id', 'in', some), eb('id', 'in', some)]))
      if (plays(await using.execute())) return true
    }
    return false
  }
