import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Timings } from '../../platform/timings.ts'
import { dueNotice, endsToTell } from './due-notice.ts'
import { judgeStanding } from './judge-standing.ts'
import type { PlansRepo } from './plans.repo.ts'

interface TellEndsDeps {
  repo: Pick<PlansRepo, 'endingBetween' | 'tellEnd'>
  trust: ClockTrust
  log: Log
  timings: Pick<Timings, 'planEnds'>
  trialDays: number
  /** False: none ends. */
  enforced: boolean
}

const DAY_MS = 86_400_000
const AT_ONCE = 500

/** Tells the owners of plans that end soon, or have ended. Several programs may: the rows say what was told. */
export function createEndTeller({ repo, trust, log, timings, trialDays, enforced }: TellEndsDeps) {
  let end = async () => {}

  async function tellAll(atOnce = AT_ONCE): Promise<void> {
    // What was told once is not told again: a clock that is wrong would say it too early, and then nobody at its time.
    const { now, isSure } = await trust()
    let afterId: string | null = isSure ? '' : null
    while (afterId !== null) afterId = await tellSome(afterId, atOnce, now)
  }

  /** Returns the next cursor, or null at the end. */
  async function tellSome(afterId: string, most: number, now: number): Promise<string | null> {
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
