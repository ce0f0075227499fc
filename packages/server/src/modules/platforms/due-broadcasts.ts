import type { BroadcastRow, BroadcastsRepo } from './broadcasts.repo.ts'

/** A stream that goes, or has gone, to a target. Broadcasts knows, and platforms may not import it. */
export interface StreamAtTarget {
  readonly userId: string
  readonly targetMark: string
  readonly createdAt: number
  readonly isWanted: boolean
}

/** Those that are wanted, and those that began since a moment. */
export type StreamsAtTargets = (targetMarks: readonly string[], since: number) => Promise<StreamAtTarget[]>

/**
 * What has to be ended at its platform: its stream has ended, or none took it in time. A stream is known by its target, as a crash may
 * have come between its row and the link.
 */
export function isDue(
  broadcast: Pick<BroadcastRow, 'user_id' | 'target_mark' | 'created_at'>,
  streams: readonly StreamAtTarget[],
  unusedBefore: number,
): boolean {
  const own = streams.filter(
    ({ userId, targetMark }) => userId === broadcast.user_id && targetMark === broadcast.target_mark,
  )
  if (own.some(({ isWanted }) => isWanted)) return false
  return broadcast.created_at < unusedBefore || own.some(({ createdAt }) => createdAt >= broadcast.created_at)
}

interface DueDeps {
  repo: Pick<BroadcastsRepo, 'open'>
  streamsAt: StreamsAtTargets
}

/** So many are asked about at once: most of what is open is on air, and stays. */
const PAGE = 500

export async function findDue(
  { repo, streamsAt }: DueDeps,
  { now, unusedBefore, limit }: { now: number; unusedBefore: number; limit: number },
): Promise<BroadcastRow[]> {
  const open = await repo.open(now)
  const due: BroadcastRow[] = []
  for (let from = 0; from < open.length && due.length < limit; from += PAGE) {
    const page = open.slice(from, from + PAGE)
    const streams = await streamsAt(
      page.map((row) => row.target_mark),
      unusedBefore,
    )
    const byMark = Map.groupBy(streams, ({ targetMark }) => targetMark)
    due.push(...page.filter((row) => isDue(row, byMark.get(row.target_mark) ?? [], unusedBefore)))
  }
  return due.slice(0, limit)
}
