import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import { deleteOldRows } from '../../platform/db/old-rows.ts'
import type { Log } from '../../platform/log.ts'
import { oldFacts } from '../../platform/outbox/facts.ts'
import { createReadFacts } from '../../platform/outbox/read-facts.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Timings } from '../../platform/timings.ts'
import { oldActivity } from '../activity/old-activity.ts'
import { oldTelegramBots, oldTelegramLinks } from '../alerts/channels/old-rows.ts'
import { oldAlertIncidents, oldAlerts } from '../alerts/old-alerts.ts'
import { oldSpans, oldStatBroadcasts, oldStatStreams, oldSums } from '../analytics/old-analytics.ts'
import { oldStreamEvents, trimTimelines } from '../broadcasts/store/old-stream-events.ts'
import { wantedStreamIds } from '../broadcasts/store/wanted-streams.ts'
import { oldSessions } from '../identity/old-sessions.ts'
import { oldPlatformBroadcasts } from '../platforms/old-broadcasts.ts'
import { oldOccurrences } from '../schedules/old-occurrences.ts'
import { oldDeliveries } from '../webhooks/old-deliveries.ts'

export interface HousekeepingDeps {
  db: Db
  log: Log
  timings: Pick<Timings, 'oldRows'>
  /** The program's own: one that looks once a day would not see what the clock did in between. */
  trust: ClockTrust
  flapsEveryMs?: number
}

/** Deletes what nobody will ask for again. Returns how many rows went, by table. */
export const clearOldRows = (db: Db, now: number, isOver?: () => boolean): Promise<Record<string, number>> =>
  deleteOldRows(
    db,
    [
      oldSessions(now),
      oldActivity(now),
      oldStreamEvents(now),
      oldPlatformBroadcasts(now),
      oldFacts(now),
      oldOccurrences(now),
      oldSpans(now),
      oldStatStreams(now),
      oldStatBroadcasts(now),
      ...oldSums(now),
      oldAlerts(now),
      oldAlertIncidents(now),
      oldTelegramLinks(now),
      oldTelegramBots(now),
      oldDeliveries(now),
    ],
    isOver,
  )

/** What flaps is written faster than once a day can take it away. */
const FLAPS_EVERY_MS = 10 * 60_000

/** What lines that break every few seconds have left behind, and nobody needs any more. */
export function createFlapClearing(db: Db) {
  const readFacts = createReadFacts(db)
  let wantedBefore: readonly string[] = []
  return async (now: number, isOver: () => boolean): Promise<void> => {
    const flapping = await readFacts.clear(now, isOver)
    // Those too that write much of which no fact tells, such as swaps at each pass. What has ended since the last look may have written until then.
    const wanted = await wantedStreamIds(db)
    await trimTimelines(db, new Set([...flapping, ...wantedBefore, ...wanted]), isOver)
    wantedBefore = wanted
  }
}

/** In the worker role: what has grown old goes, by what each module says of its own rows. By a clock that may be ahead nothing goes. */
export function createHousekeeping(deps: HousekeepingDeps) {
  const { db, log, timings, trust, flapsEveryMs = FLAPS_EVERY_MS } = deps
  let isStopping = false
  const clearFlaps = createFlapClearing(db)
  const isOver = () => isStopping
  let stopClearing = async () => {}
  let stopFlaps = async () => {}
  async function clear(): Promise<void> {
    const { now, isSure } = await trust()
    if (isSure) log.info(await clearOldRows(db, now, isOver), 'old rows cleared')
  }
  async function clearFlapping(): Promise<void> {
    const { now, isSure } = await trust()
    if (isSure) await clearFlaps(now, isOver)
  }
  return {
    start(): void {
      stopClearing = repeat({
        ...timings.oldRows,
        log,
        complaint: 'old rows could not be cleared',
        work: clear,
      })
      stopFlaps = repeat({
        ...{ firstAfterMs: flapsEveryMs, everyMs: flapsEveryMs, log },
        complaint: 'what flapping lines have left could not be cleared',
        work: clearFlapping,
      })
    },
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([stopClearing(), stopFlaps()])
    },
  }
}
