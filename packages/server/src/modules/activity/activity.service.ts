import type { ActivityEntry } from '@siarin/contracts/activity'
import type { ActiveStream } from '@siarin/contracts/streams'
import type { Caller, Visitor } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ActivityRepo } from './activity.repo.ts'
import { type ActivityKind, activeEntries, type EndedBroadcast, endedEntries, toEntries } from './activity-entries.ts'

interface Happening {
  readonly userId: string
  readonly kind: ActivityKind
  /** Null: nobody came, it happened by itself. */
  readonly visitor: Visitor | null
  readonly failed?: boolean
  readonly detail?: string
}

export interface ActivityService {
  record(happening: Happening): Promise<void>
  /** Whoever goes to and fro has looked once. */
  recordView(caller: Caller, kind: 'viewed-live', visitor: Visitor): Promise<void>
  /** Newest first. */
  recent(caller: Caller): Promise<ActivityEntry[]>
}

interface ActivityServiceDeps {
  repo: ActivityRepo
  clock: Clock
  broadcastsOf: (caller: Caller) => Promise<{ active: readonly ActiveStream[]; ended: readonly EndedBroadcast[] }>
}

const KEPT_PER_KIND = 50
const SHOWN = 50
const ONE_VISIT_MS = 30 * 60_000

export function createActivityService({ repo, clock, broadcastsOf }: ActivityServiceDeps): ActivityService {
  const record = ({ userId, kind, visitor, failed = false, detail }: Happening): Promise<void> =>
    repo.insert(
      {
        user_id: userId,
        kind,
        status: failed ? 'failed' : 'ok',
        address: visitor?.address ?? '',
        device: visitor?.device ?? '',
        at: clock.now(),
        detail: detail ?? null,
      },
      KEPT_PER_KIND,
    )

  return {
    record,

    async recordView({ userId }, kind, visitor) {
      const lastAt = await repo.lastAt(userId, kind)
      if (lastAt === null || clock.now() - lastAt >= ONE_VISIT_MS) await record({ userId, kind, visitor })
    },

    async recent(caller) {
      const [rows, { active, ended }] = await Promise.all([repo.recent(caller.userId, SHOWN), broadcastsOf(caller)])
      return [...toEntries(rows), ...active.flatMap(activeEntries), ...ended.flatMap(endedEntries)]
        .sort((one, other) => other.at.localeCompare(one.at))
        .slice(0, SHOWN)
    },
  }
}
