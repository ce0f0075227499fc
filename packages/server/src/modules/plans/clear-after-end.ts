import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { judgeStanding } from './judge-standing.ts'
import type { Holder, PlansRepo } from './plans.repo.ts'

interface ClearingDeps {
  repo: Pick<PlansRepo, 'holders' | 'noteEnded' | 'noteStillEnded' | 'noteVideosDeleted'>
  clock: Clock
  trust: ClockTrust
  enforced: boolean
  judge: (holder: Holder, now: number) => ReturnType<typeof judgeStanding>
}

/**
 * The machine may have been off, its clock been set, or plans not have counted: who came back then has seen no warning. One of the daily
 * checks may be left out while the clock is in doubt.
 */
const UNWATCHED_MS = 3 * 86_400_000
/** A clock is put back by a little now and then; that makes the days longer, and no warning is lost by it. */
const isRecent = (at: number | null, now: number): boolean => at !== null && Math.abs(now - at) <= UNWATCHED_MS

/** Whose videos go, some time after the end of their plan. */
export const createClearing = ({ repo, clock, trust, enforced, judge }: ClearingDeps) => ({
  /**
   * Whose videos have been kept for long enough after the plan's end, of those who have some. The end is noticed before anything is
   * deleted, and checked again every day: the days of warning count from there (see judge-standing) and begin anew after days in which
   * nobody checked.
   */
  async toBeCleared(owners: readonly string[]): Promise<string[]> {
    if (!enforced) return []
    const { now, isSure } = await trust()
    if (!isSure) return []
    const due: string[] = []
    // Who is suspended cannot renew: nothing is deleted meanwhile, and the days begin anew.
    for (const holder of (await repo.holders(owners, now)).filter(({ suspendedAt }) => suspendedAt === null)) {
      const { userId, endedSeenAt, endedCheckedAt } = holder
      // Judged and noted at one moment: a note older than its judgement would pass for days in which nobody checked.
      const { videosDeletedAt } = judge(holder, now)
      if (videosDeletedAt === null) {
        if (endedSeenAt !== null) await repo.noteEnded(userId, null)
      } else if (endedSeenAt === null || !isRecent(endedCheckedAt, now)) await repo.noteEnded(userId, now)
      else if (now >= videosDeletedAt) due.push(userId)
      else await repo.noteStillEnded(userId, now)
    }
    return due
  },
  /** Some stay for now: what a broadcast or a recording needs goes as soon as they let go of it, and not after other days of warning. */
  noteStillEnded: (userId: string): Promise<void> => repo.noteStillEnded(userId, clock.now()),
  noteCleared: (userId: string): Promise<void> => repo.noteVideosDeleted(userId, clock.now()),
})
