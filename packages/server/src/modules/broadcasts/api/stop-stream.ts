import { setTimeout as sleep } from 'node:timers/promises'
import type { StopStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError, isDiskFull } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Caller } from '../../identity/caller.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface StopStreamDeps {
  repo: Pick<StreamsRepo, 'byId' | 'askStop' | 'endIfUnclaimed'>
  clock: Clock
  events: Events
}

/** 'stopping': it was asked to, and is not off air yet. 'stoppedUnwritten': it is, and the disk was too full to note it. */
export type StopOutcome = 'stopped' | 'stopping' | 'stoppedUnwritten'

/** A stop is answered once the broadcast is off air, or after this long: the row has what is wanted, and the worker carries it out. */
const STOP_ANSWER_MS = 5_000
const STOP_POLL_MS = 50
/** Longer than an ffmpeg that does not listen is given. */
const STOP_HEARD_MS = 8_000
const STOPPED = { at: 'ended', reason: 'stopped', cause: null } as const

export function createStopStream({ repo, clock, events }: StopStreamDeps) {
  /** Whether this program says before long that the stream is off air. For once an event is the truth: the disk takes no row. */
  function hearEnd(streamId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (isOver: boolean): void => {
        clearTimeout(timer)
        leave()
        resolve(isOver)
      }
      const timer = setTimeout(answer, STOP_HEARD_MS, false)
      const leave = events.on('stream.changed', (change) => {
        if (change.streamId === streamId && change.phase === 'ended') answer(true)
      })
    })
  }

  return async function stop(caller: Caller, { streamId }: StopStreamBody): Promise<StopOutcome> {
    const stream = await repo.byId(streamId)
    if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended') {
      throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
    }
    try {
      await repo.askStop(streamId)
      const change = { state: STOPPED, reason: null, endedAt: clock.now() }
      if (await repo.endIfUnclaimed(streamId, change)) return 'stopped'
    } catch (error) {
      // Nobody can write down what is wanted, but the keeper of the stream in this program can still end it, and then says so.
      const heard = hearEnd(streamId)
      events.emit('stream.stop-asked', { streamId })
      if (isDiskFull(error) && (await heard)) return 'stoppedUnwritten'
      throw error
    }
    events.emit('stream.stop-asked', { streamId })
    for (const until = Date.now() + STOP_ANSWER_MS; Date.now() < until; await sleep(STOP_POLL_MS)) {
      if ((await repo.byId(streamId))?.phase === 'ended') return 'stopped'
    }
    return 'stopping'
  }
}
