import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { LibraryLimits } from '../library/room.ts'
import { createAlike } from './alike.ts'
import { createLikenesses } from './likenesses.ts'
import { createPlaylistsRepo } from './playlists.repo.ts'
import { playlistsRoutes } from './playlists.routes.ts'
import { createPlaylistsService, type PlaylistsServiceDeps } from './playlists.service.ts'
import { createRecipeSamples } from './recipe-samples.ts'
import { recountTotals } from './recount-totals.ts'

interface PlaylistsDeps extends Pick<PlaylistsServiceDeps, 'isOnAir' | 'isScheduled' | 'onChanged' | 'leaveEnded'> {
  db: Db
  library: LibraryService
  clock: Clock
  ffmpegPath: string
  ffprobePath: string
  limitsOf: (userId: string) => Promise<LibraryLimits>
}

export function createPlaylists(deps: PlaylistsDeps) {
  const { db, library } = deps
  const repo = createPlaylistsRepo(db)
  const likenesses = createLikenesses(deps.ffprobePath)
  const alike = createAlike({ library, likenesses, samples: createRecipeSamples(deps), limitsOf: deps.limitsOf })
  const service = createPlaylistsService({ ...deps, repo, alike })
  return {
    routes: (hooks: CallerHooks) => playlistsRoutes({ service, hooks }),
    async start(): Promise<void> {
      await repo.holdVideos()
      await recountTotals(db)
    },
  }
}
