import type { Filling } from './account.ts'
import { fillAlerts } from './fill/fill-alerts.ts'
import { fillAnalytics } from './fill/fill-analytics.ts'
import { fillBroadcasts } from './fill/fill-broadcasts.ts'
import { fillIdentity } from './fill/fill-identity.ts'
import { fillLibrary } from './fill/fill-library.ts'
import { fillPlatforms } from './fill/fill-platforms.ts'
import { fillSchedules } from './fill/fill-schedules.ts'

export type Filled = Awaited<ReturnType<typeof fillAccount>>

/** Everything that an account can have, as much as it may have of it. */
export async function fillAccount(filling: Filling) {
  const library = await fillLibrary(filling)
  return {
    library,
    ...(await fillIdentity(filling)),
    ...(await fillSchedules(filling)),
    ...(await fillPlatforms(filling)),
    ...(await fillAlerts(filling)),
    ...(await fillBroadcasts(filling, library)),
    ...(await fillAnalytics(filling)),
  }
}
