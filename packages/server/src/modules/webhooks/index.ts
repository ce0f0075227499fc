import type { Routes } from '../../http/types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Log } from '../../platform/log.ts'
import { createFactReader } from '../../platform/outbox/fact-reader.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import { deliveriesRoutes } from './deliveries.routes.ts'
import { createDeliveriesService } from './deliveries.service.ts'
import { createDeliveryLog } from './delivery-log.repo.ts'
import { createDeliveryQueue } from './delivery-queue.repo.ts'
import { createDeliveryRunner } from './delivery-runner.ts'
import { createEndpointsRepo } from './endpoints.repo.ts'
import type { StreamWords } from './event-of.ts'
import { createSendDelivery } from './send-delivery.ts'
import { createTakeFacts } from './take-facts.ts'
import { createTidying, KEPT_FINISHED } from './tidying.ts'
import { webhooksRoutes } from './webhooks.routes.ts'
import { createWebhooksService, nameOf, type WebhooksServiceDeps } from './webhooks.service.ts'

export interface WebhooksDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly egress: Egress
  readonly timings: Pick<Timings, 'webhooks'>
  readonly activity: Pick<ActivityService, 'record'>
  readonly plans: WebhooksServiceDeps['plans']
  /** What people know these streams by, read through `inside`. */
  readonly streamWords: (inside: Db, streamIds: readonly string[]) => Promise<ReadonlyMap<string, StreamWords>>
  /** False: the disk is full, and what is left is for broadcasts. */
  readonly hasDiskRoom: () => boolean
}

const MOST_WAITING = { perEndpoint: 10_000, perUser: 20_000 }

/** Tells other programs what happened. */
export function createWebhooks(deps: WebhooksDeps) {
  const { db, sealer, clock, log, activity, changes, hasDiskRoom } = deps
  const timings = deps.timings.webhooks
  const endpoints = createEndpointsRepo(db)
  const queue = createDeliveryQueue(db, (endpoint) => nameOf(endpoint, sealer))
  const send = createSendDelivery({ ...deps, tryMs: timings.tryMs })
  const tidying = createTidying({ endpoints, queue, allowedOf: deps.plans.allowedOf, clock, log })
  const runner = createDeliveryRunner({
    ...{ queue, endpoints, send, changes, clock, trust: deps.trust, log, timings, hasDiskRoom },
    onDisabled: async (endpoint, reason) => {
      log.warn({ endpoint: endpoint.id, reason }, 'a webhook was switched off')
      const detail = nameOf(endpoint, sealer)
      await activity.record({ userId: endpoint.user_id, kind: 'webhook-disabled', visitor: null, failed: true, detail })
    },
  })
  const reader = createFactReader({
    ...{ db, changes, log, hasDiskRoom, name: 'webhooks', everyMs: timings.everyMs },
    take: createTakeFacts({ streamWords: deps.streamWords, now: clock.now, most: MOST_WAITING }),
    onTaken: runner.wake,
  })
  const service = createWebhooksService({ ...deps, repo: endpoints, wake: runner.wake })
  const deliveries = createDeliveriesService({
    ...{ log: createDeliveryLog(db), ownRow: service.ownRow, send, clock, wake: runner.wake },
    claimMs: timings.claimMs,
    trim: (endpointId) => queue.trimFinished(endpointId, KEPT_FINISHED),
  })
  let stopTidying = async () => {}

  return {
    /** Before an account goes: what it has here may be much. */
    removeAllOf: endpoints.removeAllOf,
    routes:
      (hooks: CallerHooks): Routes =>
      async (app) => {
        await app.register(webhooksRoutes({ service, hooks }))
        await app.register(deliveriesRoutes({ service: deliveries, hooks }))
      },
    async start() {
      await reader.start()
      runner.start()
      const complaint = 'webhooks could not be tidied up'
      const work = async () => {
        await tidying.run()
        await runner.forgetGone()
      }
      stopTidying = repeat({ firstAfterMs: 0, everyMs: timings.tidyMs, log, complaint, work })
    },
    async stop() {
      tidying.stop()
      await reader.stop()
      await stopTidying()
      await deliveries.stop()
      await runner.stop()
    },
  }
}
