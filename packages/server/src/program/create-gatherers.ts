import { createRowEraser } from '../modules/account-removal/erase-rows.ts'
import { createAccountRemovals } from '../modules/account-removal/index.ts'
import { createAccounts } from '../modules/accounts/index.ts'
import { createActivityScreen } from '../modules/activity-screen/index.ts'
import { createHousekeeping } from '../modules/housekeeping/index.ts'
import type { Library, People, Platforms, Recordings, Streams } from './create-modules.ts'
import type { createTellers } from './create-tellers.ts'
import type { Platform } from './open-platform.ts'

/** Those that stand above others and gather from them. */
export function createGatherers(
  { db, sealer, clock, trust, log, timings }: Platform,
  { activity, identity }: People,
  {
    platforms,
    library,
    streams,
    recordings,
    tellers,
  }: {
    platforms: Platforms
    library: Library
    streams: Streams
    recordings: Recordings
    tellers: Pick<ReturnType<typeof createTellers>, 'webhooks'>
  },
) {
  const accounts = createAccounts({
    ...{ db, sealer, clock },
    activity: activity.service,
    check: platforms.checkAccount,
    isInUse: streams.service.isAccountInUse,
  })
  const accountRemovals = createAccountRemovals({
    ...{ clock, log, timings },
    users: identity.users,
    ownAccount: identity.ownAccount,
    owned: {
      stopStreams: streams.stopAllOf,
      endBroadcasts: platforms.broadcasts.endAllOf,
      async eraseFiles(userId) {
        // They keep videos from being deleted.
        await recordings.removeAllOf(userId)
        await library.eraseUser(userId)
      },
      removeWebhooks: tellers.webhooks.removeAllOf,
      eraseRows: createRowEraser(db),
    },
  })
  const housekeeping = createHousekeeping({ db, log, timings, trust })
  const activityScreen = createActivityScreen({ activity: activity.service, streams: streams.service, clock })
  return { accounts, accountRemovals, housekeeping, activityScreen }
}
