import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ActivityRepo, ActivityRow } from './activity.repo.ts'
import type { ActivityKind } from './activity-kinds.ts'

interface NewActivity {
  readonly userId: string
  readonly kind: ActivityKind
  /** Null: nobody came, it happened by itself. */
  readonly visitor: Visitor | null
  readonly failed?: boolean
  readonly detail?: string
}

export interface ActivityService {
  record(activity: NewActivity): Promise<void>
  /** Newest first. */
  recent(userId: string, limit: number): Promise<ActivityRow[]>
  /** When something of this kind was last noted; null: never. */
  lastAt(userId: string, kind: ActivityKind): Promise<number | null>
}

interface ActivityServiceDeps {
  repo: ActivityRepo
  clock: Clock
}

const KEPT_PER_KIND = 50

export const createActivityService = ({ repo, clock }: ActivityServiceDeps): ActivityService => ({
  record: ({ userId, kind, visitor, failed = false, detail }) =>
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
    ),
  recent: repo.recent,
  lastAt: repo.lastAt,
})
