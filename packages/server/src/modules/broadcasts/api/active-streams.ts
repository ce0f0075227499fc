import type { ActiveStream } from '@siarin/contracts/streams'
import type { Clock } from '../../../platform/clock.ts'
import type { Changes } from '../../../platform/db/changes.ts'
import { createMemory } from '../../../platform/memory.ts'
import type { Awaitable } from '../../../platform/when-known.ts'
import type { NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { describeStream, type SourceOf, toActiveStream } from './stream-views.ts'

interface ActiveStreamsDeps {
  repo: Pick<StreamsRepo, 'activeOf'>
  sourceOf: SourceOf
  clock: Clock
  changes: Pick<Changes, 'of' | 'seesOthers'>
}

interface Described {
  readonly row: NamedStreamRow
  readonly stream: ActiveStream
}

const MOST_WORKSPACES = 1_000
const LIFE_MS = 1_000

/**
 * The wanted streams of a workspace. Pages, feeds and scripts ask for them far more often than they change: where the database tells of every
 * change, also of those that a worker elsewhere makes, the rows are read once for each. What is sealed in them is opened for each answer anew.
 */
export function createActiveStreams({ repo, sourceOf, clock, changes }: ActiveStreamsDeps) {
  const { version } = changes.of(['streams', 'broadcasts', 'videos', 'users'])
  const memory = createMemory<readonly Described[]>({ version, lifeMs: LIFE_MS, most: MOST_WORKSPACES })

  const read = async (workspaceId: string): Promise<readonly Described[]> =>
    (await repo.activeOf(workspaceId)).map((row) => ({ row, stream: describeStream(row) }))

  const recall = (workspaceId: string): Awaitable<readonly Described[] | null> =>
    changes.seesOthers ? memory.recall(workspaceId, () => read(workspaceId)) : read(workspaceId)

  return async (workspaceId: string): Promise<ActiveStream[]> => {
    const described = (await recall(workspaceId)) ?? []
    const now = clock.now()
    return described.map(({ row, stream }) => toActiveStream(row, now, sourceOf, stream))
  }
}
