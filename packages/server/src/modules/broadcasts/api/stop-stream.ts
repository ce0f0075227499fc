import { setTimeout as sleep } from 'node:timers/promises'
import type { StopStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError, isDiskFull } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Caller } from '../../identity/caller.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface StopStreamDeps {
  repo: Pick<
    StreamsRepo,
    'byId' | 'askStop' | 'askStopOf' | 'endIfUnclaimed' | 'stillWanted' | 'broadcastById' | 'streamsOf'
  >
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

export function createStop({ repo, clock, events }: StopStreamDeps) {
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

  /** Answers those that a worker keeps. */
  async function endUnclaimed(streamIds: readonly string[]): Promise<string[]> {
    const kept: string[] = []
    for (const id of streamIds) {
      const change = { state: STOPPED, reason: null, endedAt: clock.now() }
      if (!(await repo.endIfUnclaimed(id, change))) kept.push(id)
    }
    return kept
  }

  async function stopAll(streamIds: readonly string[], ask: () => Promise<void>): Promise<StopOutcome> {
    let kept: readonly string[]
    try {
      await ask()
      kept = await endUnclaimed(streamIds)
    } catch (error) {
      // Nobody can write down what is wanted, but the keepers of the streams in this program can still end them, and then say so.
      const heard = streamIds.map(hearEnd)
      for (const streamId of streamIds) events.emit('stream.stop-asked', { streamId })
      if (isDiskFull(error) && (await Promise.all(heard)).every(Boolean)) return 'stoppedUnwritten'
      throw error
    }
    for (const streamId of kept) events.emit('stream.stop-asked', { streamId })
    for (const until = Date.now() + STOP_ANSWER_MS; Date.now() < until; await sleep(STOP_POLL_MS)) {
      if ((await repo.stillWanted(kept)).length === 0) return 'stopped'
    }
    return 'stopping'
  }

  return {
    async stream(caller: Caller, { streamId }: StopStreamBody): Promise<StopOutcome> {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended') throw notFound()
      return stopAll([streamId], () => repo.askStop(streamId))
    },
    /** With all of its streams. */
    async broadcast(caller: Caller, broadcastId: string): Promise<StopOutcome> {
      const broadcast = await repo.broadcastById(caller.workspaceId, broadcastId)
      if (broadcast?.ended_at !== null) throw notFound()
      const ids = (await repo.streamsOf([broadcastId])).filter(({ phase }) => phase !== 'ended').map(({ id }) => id)
      return stopAll(ids, () => repo.askStopOf(broadcastId))
    },
  }
}

const notFound = (): DomainError => new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
