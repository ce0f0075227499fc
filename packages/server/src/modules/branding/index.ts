import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { PlansService } from '../plans/index.ts'
import { createBrandRepo } from './brand.repo.ts'
import { createBrandLooks } from './brand-looks.ts'
import { brandingRoutes } from './branding.routes.ts'
import { createBrandingService } from './branding.service.ts'
import { createLogoMaker } from './make-logo.ts'

interface BrandingDeps {
  db: Db
  storage: Storage
  clock: Clock
  trust: ClockTrust
  log: Log
  plans: PlansService
  dataDir: string
  ffmpegPath: string
  timings: Pick<Timings, 'clearance' | 'mediaTools'>
  /** The looks that what is made of a user's videos names, or what is to be made of them. */
  usedLooks: (userId: string) => Promise<ReadonlySet<string>>
}

/** A look is frozen a moment before something names it. */
const YOUNG_MS = 3_600_000

/** What of a workspace's own stands on its videos. */
export function createBranding(deps: BrandingDeps) {
  const { db, storage, clock, trust, log, plans, timings } = deps
  const repo = createBrandRepo(db)
  const withLogo = createLogoMaker({ ...deps, workDir: join(deps.dataDir, 'uploads') })
  const service = createBrandingService({ repo, storage, plans, withLogo, clock })
  let stopClearing = async () => {}

  async function clearOf(userId: string, before: number, spared = 0): Promise<void> {
    const used = await deps.usedLooks(userId)
    for await (const unneeded of repo.removeUnused(userId, { used, before, spared })) {
      for (const key of unneeded) await storage.remove(key)
    }
  }

  async function clearUnused(): Promise<void> {
    const { now, isSure } = await trust()
    if (!isSure) return
    for await (const userId of repo.lookOwners()) await clearOf(userId, now - YOUNG_MS)
  }

  return {
    looks: createBrandLooks({
      ...{ repo, plans, clock },
      clearBut: (userId, spared) => clearOf(userId, clock.now(), spared),
    }),
    routes: (hooks: CallerHooks) => brandingRoutes({ service, hooks }),
    clearUnused,
    /** In the worker role. */
    start() {
      const complaint = 'could not look for logos that nothing needs any more'
      stopClearing = repeat({ ...timings.clearance, log, complaint, work: clearUnused })
    },
    stop: () => stopClearing(),
  }
}
