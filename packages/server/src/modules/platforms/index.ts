import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { AccountBook } from '../accounts/account-book.ts'
import type { Caller } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { createBigoService } from './bigo.service.ts'
import { createBigoClient } from './bigo-client.ts'
import { createBigoRooms } from './bigo-rooms.ts'
import { createBroadcastEnder, createEndAtPlatform } from './broadcast-ender.ts'
import { createBroadcastsRepo } from './broadcasts.repo.ts'
import { createAccountCheck } from './check-account.ts'
import type { StreamsAtTargets } from './due-broadcasts.ts'
import { createOnlineRepo } from './online.repo.ts'
import { createOnlineService } from './online.service.ts'
import { platformsRoutes } from './platforms.routes.ts'
import { createPreviewProxy } from './preview-proxy.ts'
import { createPreviewTickets, type PreviewsOf } from './preview-tickets.ts'
import { createOnlineSources } from './sources.ts'
import { createStreamlabsClient } from './streamlabs-client.ts'
import { createTikTokService } from './tiktok.service.ts'

export type { StreamAtTarget } from './due-broadcasts.ts'
export type { PreviewsOf } from './preview-tickets.ts'
export { sourceFault } from './source-faults.ts'
export type { OnlineRef, OnlineSources } from './sources.ts'

export interface PlatformsDeps {
  db: Db
  sealer: Sealer
  clock: Clock
  trust: ClockTrust
  events: Events
  log: Log
  timings: Pick<Timings, 'platformEndings' | 'previewLeaveMs' | 'previewHeadMs' | 'previewStallMs'>
  egress: Egress
  accounts: AccountBook
  assertAccess: (caller: Pick<Caller, 'userId'>) => Promise<void>
  /** Tells one API key of a user from the next; null: nobody may get in with any. */
  keyMarkOf: (userId: string) => Promise<string | null>
  bigoApiUrl: string
  streamlabsApiUrl: string
}

export function createPlatforms({ db, bigoApiUrl, streamlabsApiUrl, ...deps }: PlatformsDeps) {
  const { sealer, clock, egress } = deps
  const rooms = createBigoRooms({ ask: createBigoClient({ apiUrl: bigoApiUrl, egress }), now: clock.now })
  const streamlabs = createStreamlabsClient({ apiUrl: streamlabsApiUrl })
  const repo = createOnlineRepo(db)
  const broadcasts = createBroadcastsRepo(db)
  const tickets = createPreviewTickets({ sealer, clock })
  /** Where a browser can play addresses of somebody else's, through us. */
  const previewsOf: PreviewsOf = async (userId) => {
    const keyMark = (await deps.keyMarkOf(userId)) ?? ''
    return (url) => tickets.path({ userId, keyMark, url, expiresAt: tickets.expiry() }, 'playlist')
  }
  const endAtPlatform = createEndAtPlatform({ ...deps, repo: broadcasts, streamlabs })
  const services = {
    bigo: createBigoService({ ...deps, rooms, previewsOf }),
    tiktok: createTikTokService({ ...deps, repo: broadcasts, streamlabs, endAtPlatform }),
    online: createOnlineService({ ...deps, repo, previewsOf }),
    proxy: createPreviewProxy({ ...deps, tickets }),
  }
  return {
    sources: createOnlineSources({ ...deps, rooms, repo }),
    previewsOf,
    checkAccount: createAccountCheck({ rooms, streamlabs }),
    broadcasts: {
      /** To be called when a stream begins: whatever was begun at a platform for its target ends with it. */
      link: broadcasts.link,
      /** For somebody who goes: all that was begun is to be ended. False: not all of it is yet. */
      async endAllOf(userId: string): Promise<boolean> {
        await broadcasts.letGoOf(userId)
        return !(await broadcasts.hasOpen(userId))
      },
      /** For the program that keeps streams: ends at the platforms what is over here, also what an earlier run left. */
      createEnder: (streamsAt: StreamsAtTargets) =>
        createBroadcastEnder({ ...deps, repo: broadcasts, end: endAtPlatform, streamsAt }),
    },
    routes: (hooks: CallerHooks) => platformsRoutes({ ...services, hooks }),
  }
}
