import { asOwner } from '../../identity/caller.ts'
import type { StreamsService } from '../api/streams.service.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface StopAllDeps {
  repo: Pick<StreamsRepo, 'activeOf'>
  service: Pick<StreamsService, 'stop'>
}

/** Takes everything of a user off air. False: something is still on its way. */
export const createStopAll =
  ({ repo, service }: StopAllDeps) =>
  async (userId: string): Promise<boolean> => {
    const streams = await repo.activeOf(userId)
    // One that ended by itself meanwhile is not found: whether all are off air is asked below.
    await Promise.allSettled(streams.map(({ id }) => service.stop(asOwner(userId), { streamId: id })))
    return streams.length === 0 || (await repo.activeOf(userId)).length === 0
  }
