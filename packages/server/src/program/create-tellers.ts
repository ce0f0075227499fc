import { createChannels } from '../modules/alerts/channels/index.ts'
import { createAlerts } from '../modules/alerts/index.ts'
import { createAnalytics } from '../modules/analytics/index.ts'
import { streamLabels } from '../modules/broadcasts/store/stream-labels.ts'
import { streamLives, timelineOf } from '../modules/broadcasts/store/stream-lives.ts'
import { createWebhooks } from '../modules/webhooks/index.ts'
import type { People, Streams } from './create-modules.ts'
import type { Platform } from './open-platform.ts'

/** Those that follow the outbox and tell others: they know no module that it tells of, and what they need of one is handed to them. */
export function createTellers(platform: Platform, people: People, streams: Streams) {
  const analytics = createAnalyticsOf(platform, people, streams)
  const alerts = createAlertsOf(platform, people)
  const webhooks = createWebhooksOf(platform, people)
  return { analytics, alerts, webhooks }
}

/** PostgreSQL keeps its rows elsewhere. */
export const hasDiskRoomOf =
  ({ reserve }: Platform) =>
  (): boolean =>
    reserve?.hasRoomForTelling() ?? true

function createWebhooksOf(platform: Platform, { plans, activity }: People) {
  const { db, changes, sealer, clock, trust, log, egress, timings } = platform
  return createWebhooks({
    ...{ db, changes, sealer, clock, trust, log, egress, timings },
    hasDiskRoom: hasDiskRoomOf(platform),
    activity: activity.service,
    plans: { allowedOf: plans.service.webhooksOf, refusal: plans.service.webhookRefusal },
    streamWords: (inside, ids) => streamLabels(inside)(ids),
  })
}

function createAnalyticsOf(platform: Platform, { identity, plans }: People, { takeFigures }: Streams) {
  const { db, changes, clock, trust, log, timings, mailer, config } = platform
  return createAnalytics({
    ...{ db, changes, clock, trust, log, timings, mailer, takeFigures },
    hasDiskRoom: hasDiskRoomOf(platform),
    brand: config.brandName,
    publicUrl: config.publicUrl,
    planOf: plans.service.analyticsOf,
    nameOf: identity.users.usernameOf,
    addressOf: identity.users.verifiedEmailOf,
    livesOf: streamLives,
    timelineOf: (streamIds, limit) => timelineOf(db, streamIds, limit),
  })
}

function createAlertsOf(platform: Platform, { identity }: People) {
  const { db, changes, sealer, clock, log, timings, egress, config, isAlone } = platform
  const verifiedMailOf = async (userId: string): Promise<string | null> => {
    const user = await identity.users.userById(userId)
    return user && user.email_verified_at !== null ? user.email : null
  }
  const isSessionOver = async (sessionId: string): Promise<boolean> => {
    const session = await identity.users.sessionById(sessionId)
    return session === null || session.ended_at !== null
  }
  const shared = { db, changes, sealer, clock, log, timings, isAlone, verifiedMailOf }
  const { telegram, discordApiUrl, mail, pushContact, allowPrivateNetwork, publicUrl, brandName: brand } = config
  const settings = { telegram, discordApiUrl, mail, pushContact, allowPrivateNetwork, publicUrl, brand }
  return createAlerts({
    ...shared,
    hasDiskRoom: hasDiskRoomOf(platform),
    labelsOf: (inside, ids) => streamLabels(inside)(ids),
    openChannels: (keepLinked) => createChannels({ ...shared, egress, settings, keepLinked, isSessionOver }),
    publicUrl,
  })
}
