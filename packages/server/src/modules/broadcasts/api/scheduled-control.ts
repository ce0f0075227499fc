import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import { SCHEDULE_ENDED } from '../store/scheduled-broadcasts.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface ScheduledControlDeps {
  repo: Pick<StreamsRepo, 'askScheduledEnd' | 'endIfUnclaimed'>
  clock: Clock
  events: Events
}

const ENDED = { at: 'ended', reason: 'stopped', cause: SCHEDULE_ENDED } as const

/** Ends a broadcast whose schedule says so. The row has what is wanted; the event only wakes its keeper in this program. */
export const createScheduledEnd =
  ({ repo, clock, events }: ScheduledControlDeps) =>
  async (broadcastId: string, atPass: boolean): Promise<void> => {
    const asked = await repo.askScheduledEnd(broadcastId, atPass)
    for (const streamId of asked?.streamIds ?? []) {
      // Nobody keeps it yet, so there is no pass to be played to its end.
      const change = { state: ENDED, reason: SCHEDULE_ENDED, endedAt: clock.now() }
      if (await repo.endIfUnclaimed(streamId, change)) continue
      if (asked?.desired === 'ending') events.emit('stream.end-asked', { streamId })
      else events.emit('stream.stop-asked', { streamId, cause: SCHEDULE_ENDED })
    }
  }
