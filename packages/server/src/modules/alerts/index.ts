import type { App } from '../../http/types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { createFactReader } from '../../platform/outbox/fact-reader.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { Module } from '../module.ts'
import { createAlertsRepo } from './alerts.repo.ts'
import { alertsRoutes } from './alerts.routes.ts'
import { createAlertsService } from './alerts.service.ts'
import type { Channels, ChannelsDeps } from './channels/channels.ts'
import { channelsRoutes } from './channels.routes.ts'
import { createChannelsService, createKeepLinked } from './channels.service.ts'
import { createDeliveriesRepo } from './deliveries.repo.ts'
import { createDeliveryRunner } from './delivery-runner.ts'
import { createTakeFacts, type TellDeps } from './take-facts.ts'
import { telegramRoutes } from './telegram.routes.ts'
import { createTellDue } from './tell-due.ts'
import { createTestChannel } from './test-channel.ts'

export interface AlertsDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'alerts'>
  readonly labelsOf: TellDeps['labelsOf']
  readonly verifiedMailOf: (userId: string) => Promise<string | null>
  readonly openChannels: (keepLinked: ChannelsDeps['keepLinked']) => Channels
  readonly publicUrl: string | null
  readonly isAlone: boolean
  /** False: the disk is full, and what is left is for broadcasts. */
  readonly hasDiskRoom: () => boolean
}

const READER = 'alerts'

/** Tells people what they have to know, where they want to be told. */
export function createAlerts(deps: AlertsDeps): Module {
  const { db, isAlone, log, timings } = deps
  const channels = deps.openChannels(createKeepLinked(deps))
  const repo = createDeliveriesRepo(db)
  const sending = { ...deps, senders: channels.senders }
  const deliveries = createDeliveryRunner({ ...sending, repo })
  const times = createTellDue({ ...deps, readerName: READER, onTold: deliveries.wake })
  const facts = createFactReader({
    ...{ ...deps, name: READER, everyMs: timings.alerts.everyMs, take: createTakeFacts(deps) },
    onTaken() {
      times.wake()
      deliveries.wake()
    },
  })
  const service = createAlertsService({ ...deps, readerName: READER, repo: createAlertsRepo(db) })
  const ownChannels = createChannelsService({ ...deps, channels })
  const test = createTestChannel({ ...sending, service: ownChannels })
  return {
    routes: (hooks: CallerHooks) =>
      async function routes(app: App): Promise<void> {
        await alertsRoutes({ service, hooks })(app)
        await telegramRoutes({ links: channels.telegramLinks, hooks })(app)
        await channelsRoutes({ service: ownChannels, test, hooks })(app)
      },
    async start() {
      // A full disk must not end the program. A claim lapses within a minute by itself.
      if (isAlone) await repo.releaseAll().catch((error) => log.warn({ err: error }, 'alerts wait for claims to lapse'))
      await facts.start()
      times.start()
      deliveries.start()
      await channels.start()
    },
    async stop() {
      await facts.stop()
      await times.stop()
      await deliveries.stop()
      await channels.stop()
    },
  }
}
