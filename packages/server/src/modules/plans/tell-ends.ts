import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Timings } from '../../platform/timings.ts'
import { dueNotice, endsToTell } from './due-notice.ts'
import { judgeStanding } from './judge-standing.ts'
import type { PlansRepo } from './plans.repo.ts'

interface TellEndsDeps {
  repo: Pick<PlansRepo, 'endingBetween' | 'tellEnd'>
  clock: Clock
  log: Log
  timings: Pick<Timings, 'planEnds'>
  trialDays: number
  /** False: none ends. */
  enforced: boolean
}

const DAY_MS = 86_400_000
const AT_ONCE = 500

/** Tells the owners of plans that end soon, or have ended. Several programs may: the rows say what was told. */
export function createEndTeller({ repo, clock, log, timings, trialDays, enforced }: TellEndsDeps) {
  let end = async () => {}

  async function tellAll(atOnce = AT_ONCE): Promise<void> {
    let afterId: string | null = ''
    while (afterId !== null) afterId = await tellSome(afterId, atOnce)
  }

  /** Answers behind whom to go on; null: that were all. */
  async function tellSome(afterId: string, most: number): Promise<string | null> {
    const now = clock.now()
    const trialMs = trialDays * DAY_MS
    const near = await repo.endingBetween({ ...endsToTell(now), trialMs, afterId, most })
    for (const { row, holder } of near) {
      const { endsAt } = judgeStanding(holder, now, trialDays)
      const notice = endsAt === null ? null : dueNotice({ since: holder.trialSince, endsAt }, now)
      if (endsAt === null || !notice) continue
      // A read tells most of them; the update decides where others tell too.
      if (row.plan_told_until === endsAt && row.plan_told_step >= notice.step) continue
      if (await repo.tellEnd(row, { ...notice, endsAt, at: now })) {
        log.info({ userId: row.id, fact: notice.fact, endsAt }, 'the end of a plan is told')
      }
    }
    return near.length < most ? null : (near.at(-1)?.row.id ?? null)
  }

  return {
    /** Those who have to be told something now. */
    tellAll,
    start(): void {
      const complaint = 'the ends of plans could not be told'
      if (enforced) end = repeat({ ...timings.planEnds, log, complaint, work: () => tellAll() })
    },
    stop: (): Promise<void> => end(),
  }
}
