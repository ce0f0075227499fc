import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from '../library/library.service.ts'
import { createLikenesses } from './likenesses.ts'
import { createPlaylistsRepo } from './playlists.repo.ts'
import { playlistsRoutes } from './playlists.routes.ts'
import { createPlaylistsService, type PlaylistsServiceDeps } from './playlists.service.ts'

interface PlaylistsDeps extends Pick<PlaylistsServiceDeps, 'isOnAir' | 'onChanged'> {
  db: Db
  library: LibraryService
  clock: Clock
  ffprobePath: string
}

export function createPlaylists({ db, library, clock, ffprobePath, isOnAir, onChanged }: PlaylistsDeps) {
  const repo = createPlaylistsRepo(db)
  const likenesses = createLikenesses({ library, ffprobePath })
  const service = createPlaylistsService({ repo, library, likenesses, clock, isOnAir, onChanged })
  return {
    routes: (hooks: CallerHooks) => playlistsRoutes({ service, hooks }),
    start: (): Promise<void> => repo.holdVideos(),
  }
}
