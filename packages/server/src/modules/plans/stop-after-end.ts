import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { judgeStanding } from './judge-standing.ts'
import type { Holder, PlansRepo } from './plans.repo.ts'

interface StopsDeps {
  repo: Pick<PlansRepo, 'holders'>
  trust: ClockTrust
  enforced: boolean
  judge: (holder: Holder, now: number) => ReturnType<typeof judgeStanding>
}

export interface ToBeStopped {
  readonly userId: string
  /** 'in-doubt': the clock says that the plan has ended, and may be wrong. */
  readonly when: 'at-once' | 'at-pass' | 'in-doubt'
}

/** Whose things end: a suspension counts at once, the end of a plan once the clock that says so is sure. */
export function createStops({ repo, trust, enforced, judge }: StopsDeps) {
  const hasEnded = (holder: Holder, now: number): boolean =>
    enforced && holder.suspendedAt === null && judge(holder, now).state === 'ended'

  return {
    async mustStop(holder: Holder): Promise<boolean> {
      if (holder.suspendedAt !== null) return true
      const { now, isSure } = await trust()
      return isSure && hasEnded(holder, now)
    },
    /** Whose broadcasts have to stop, of those who have some. */
    async toBeStopped(onAir: readonly string[]): Promise<ToBeStopped[]> {
      const { now, isSure } = await trust()
      const atEnd = isSure ? 'at-pass' : 'in-doubt'
      return (await repo.holders(onAir))
        .filter((holder) => holder.suspendedAt !== null || hasEnded(holder, now))
        .map(({ userId, suspendedAt }) => ({ userId, when: suspendedAt === null ? atEnd : 'at-once' }))
    },
  }
}
