import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { asOwner } from '../identity/caller.ts'
import type { ScheduledBroadcasts } from './fire-occurrence.ts'
import type { ScheduleRow, SchedulesRepo } from './schedules.repo.ts'
import { openRequest, sealRequest } from './start-request.ts'

interface PinVideosDeps {
  repo: Pick<SchedulesRepo, 'byId' | 'allAfter' | 'rewriteRequest'>
  broadcasts: Pick<ScheduledBroadcasts, 'pinsOf'>
  sealer: Sealer
  log: Log
}

const AT_ONCE = 50

/**
 * Versions before 0.8 kept of a scheduled video its name alone, so that another one that was uploaded under it went on air. The first look
 * at such a request finds out which video it means, and writes that down: from then on no other one is sent.
 */
export function createPinVideos({ repo, broadcasts, sealer, log }: PinVideosDeps) {
  let isStopped = false

  async function pin(row: ScheduleRow): Promise<ScheduleRow> {
    const request = openRequest(sealer, row.request_sealed)
    if (request.pins) return row
    const pins = await broadcasts.pinsOf(asOwner(row.user_id), request)
    const request_sealed = sealRequest(sealer, { ...request, pins })
    if (await repo.rewriteRequest(row, request_sealed)) return { ...row, request_sealed }
    return (await repo.byId(row.id)) ?? row
  }

  async function pinAll(): Promise<void> {
    let rows: readonly ScheduleRow[] = []
    do {
      rows = await repo.allAfter(rows.at(-1)?.id ?? '', AT_ONCE)
      for (const row of rows) {
        if (isStopped) return
        await anotherTurn()
        // One that cannot be opened must not keep the others from it; its start says what is wrong.
        await pin(row).catch((error) => log.warn({ err: error, schedule: row.id }, 'a schedule could not be looked at'))
      }
    } while (rows.length > 0)
  }

  return {
    /** For what starts it: an older version may have written it a moment ago. */
    async byId(id: string): Promise<ScheduleRow | null> {
      const row = await repo.byId(id)
      return row && pin(row)
    },
    start: (): void => void pinAll().catch((error) => log.warn({ err: error }, 'schedules could not be looked at')),
    stop: (): void => {
      isStopped = true
    },
  }
}
