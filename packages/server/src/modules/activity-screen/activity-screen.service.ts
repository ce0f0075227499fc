import type { ActivityEntry } from '@siarin/contracts/activity'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { StreamsService } from '../broadcasts/api/streams.service.ts'
import type { Caller } from '../identity/caller.ts'
import { activeEntries, endedEntries, toEntries } from './activity-entries.ts'

export interface ActivityScreen {
  /** Newest first. */
  recent(caller: Caller): Promise<ActivityEntry[]>
  /** Somebody who goes to and fro has looked once. */
  recordView(caller: Caller, kind: 'viewed-live', visitor: Visitor): Promise<void>
}

interface ActivityScreenDeps {
  activity: ActivityService
  streams: Pick<StreamsService, 'active' | 'history'>
  clock: Clock
}

const SHOWN = 50
const ONE_VISIT_MS = 30 * 60_000

/** What was noted of a person, and what happened to their broadcasts, which stands in the broadcasts' own rows. */
export const createActivityScreenService = ({ activity, streams, clock }: ActivityScreenDeps): ActivityScreen => ({
  async recent(caller) {
    const [rows, active, ended] = await Promise.all([
      activity.recent(caller.userId, SHOWN),
      streams.active(caller),
      streams.history(caller),
    ])
    return [...toEntries(rows), ...active.flatMap(activeEntries), ...ended.flatMap(endedEntries)]
      .sort((one, other) => other.at.localeCompare(one.at))
      .slice(0, SHOWN)
  },

  async recordView({ userId }, kind, visitor) {
    const lastAt = await activity.lastAt(userId, kind)
    if (lastAt === null || clock.now() - lastAt >= ONE_VISIT_MS) await activity.record({ userId, kind, visitor })
  },
})
