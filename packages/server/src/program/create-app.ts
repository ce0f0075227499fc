import { join } from 'node:path'
import { buildApp } from '../app.ts'
import { OperationalError } from '../errors.ts'
import type { App } from '../http/types.ts'
import { createCallerHooks } from '../modules/identity/caller-hooks.ts'
import { pingDatabase } from '../platform/db/database.ts'
import type { Modules } from './create-modules.ts'
import type { Platform } from './open-platform.ts'

const WEB_ROOT = join(import.meta.dirname, '../../../web/dist')

/** What answers HTTP: every module's routes in the web role, and in each role whether it is ready and how it fares. */
export function createApp(platform: Platform, modules: Modules, hasStarted: () => boolean): Promise<App> {
  const { log, events, queue, timings, sharedCounters, keepWritten, reserve, isWeb, isWorker, config } = platform
  const { identity, plans, system, streams } = modules
  return buildApp({
    ...{ log, timings, sharedCounters, keepWritten },
    plans: plans.service,
    callerHooks: (counting) =>
      createCallerHooks(identity.service, { ...counting, assertAccess: plans.service.assertAccess }),
    modules: isWeb ? modules.inOrder : [],
    readinessChecks: readinessChecks(platform, hasStarted),
    metrics: {
      events,
      streamsByPhase: streams.countByPhase,
      jobCounts: queue.counts,
      machines: system.machines,
      token: config.metricsToken,
      needsToken: config.trustProxy.length > 0 || config.publicUrl !== null,
    },
    webRoot: isWeb ? WEB_ROOT : null,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    mostBroadcasts: isWorker ? config.maxStreamsPerWorker : 0,
    assertRoomForMore: async () => reserve?.assertWhole(),
    publicSettings: {
      brand: config.brandName,
      whatsappNumber: config.whatsappNumber,
      trialDays: config.trialDays,
      videoServiceUrl: config.videoServiceUrl,
      sendsMail: config.mail !== null,
    },
  })
}

const readinessChecks = ({ db, reserve, queue, tools }: Platform, hasStarted: () => boolean) => [
  { name: 'database', check: () => pingDatabase(db) },
  { name: 'disk', check: async () => reserve?.assertWritable() },
  { name: 'queue', check: () => queue.ping() },
  ...tools,
  { name: 'start', check: async () => assertStarted(hasStarted()) },
]

/** A program that says it is ready has taken up what an earlier run left. */
function assertStarted(hasStarted: boolean): void {
  if (!hasStarted) throw new OperationalError('what an earlier run left is still being taken up')
}
