import type { BroadcastStory, Series, StoryEvent, StoryStream } from '@siarin/contracts/analytics'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { streamEventReason } from '@siarin/contracts/stream-event-texts'
import { StreamEventKind } from '@siarin/contracts/streams'
import { DAY_MS } from '@siarin/contracts/zones'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access } from './access.ts'
import { iso, isoOrNull } from './iso.ts'
import type { LivesReads } from './lives.reads.ts'
import type { createSeries } from './series.ts'
import { sharesOf } from './summarize.ts'
import type { ToldSpan, ToldStream } from './told-lives.ts'
import { byNumber, incidentsOf, namesOf, reasonWords } from './views.ts'
import { wholeLives } from './whole-lives.ts'

/** The time line of streams as their keepers wrote it, oldest first. */
export type TimelineOf = (
  streamIds: readonly string[],
  limit: number,
) => Promise<readonly { streamId: string; at: number; kind: string; reason: string | null }[]>

interface StoryDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly series: ReturnType<typeof createSeries>
  readonly timelineOf: TimelineOf
  readonly clock: Clock
}

const MOST_EVENTS = 500
/** A time line can show so many of each stream. Each stream of a broadcast to many targets shows less. */
const RUNS = { most: 200, inAll: 1_000, least: 20 }
const INCIDENTS = { most: 100, inAll: 200, least: 10 }

const eachOf = ({ most, inAll, least }: typeof RUNS, streams: number): number =>
  Math.min(most, Math.max(least, Math.ceil(inAll / streams)))

/** All that is known of one broadcast, on one time line. */
export function createStory({ access, reads, series, timelineOf, clock }: StoryDeps) {
  function streamOf(
    stream: ToldStream,
    { shown, streams, figures }: { shown: readonly ToldSpan[]; streams: number; figures: Series },
  ): StoryStream {
    const now = clock.now()
    const runs = shown.filter(({ isRun }) => isRun)
    const told: StoryStream = {
      ...namesOf(stream),
      ...sharesOf(stream, now),
      startedAt: iso(stream.askedAt),
      endedAt: isoOrNull(stream.endedAt),
      firstLiveAt: isoOrNull(stream.firstLiveAt),
      ended: stream.endReason as StoryStream['ended'],
      endReasonCode: stream.endCause,
      endReason: stream.endCause === null ? null : reasonWords(stream.endCause),
      longestRunSeconds: Math.round(stream.longestRunMs / 1000),
      runs: runs.slice(-eachOf(RUNS, streams)).map(({ beganAt, endedAt }) => ({
        startedAt: iso(beganAt),
        endedAt: isoOrNull(endedAt),
      })),
      incidents: incidentsOf(byNumber([stream]), shown, now, eachOf(INCIDENTS, streams)),
      series: figures,
    }
    return told
  }

  async function eventsOf(streams: readonly ToldStream[], fromMs: number): Promise<StoryEvent[]> {
    const rows = await timelineOf(
      streams.map(({ streamId }) => streamId),
      MOST_EVENTS,
    )
    return rows.flatMap(({ streamId, at, kind, reason }) => {
      const known = StreamEventKind.safeParse(kind)
      if (!known.success || at < fromMs) return []
      return [{ at: iso(at), streamId, kind: known.data, reason: streamEventReason(kind, reason) }]
    })
  }

  return async (caller: Caller, id: string): Promise<BroadcastStory> => {
    const streams = await reads.broadcast(caller.workspaceId, id)
    const [first] = streams
    if (!first) throw new DomainError('not_found', ANALYTICS_TEXTS.notFound)
    const now = clock.now()
    const rights = await access.rightsOf(caller)
    const startedAt = Math.min(...streams.map(({ askedAt }) => askedAt))
    const ends = streams.map(({ endedAt }) => endedAt)
    const endedAt = ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0))
    const to = endedAt ?? now
    const oldest = now - rights.days * DAY_MS
    if (to < oldest) throw access.tooOld(rights)
    const from = Math.max(startedAt, oldest)
    const numbers = streams.map(({ no }) => no)
    const whole = await wholeLives(reads, caller.workspaceId, streams, now)
    const shownBy = new Map<number, ToldSpan[]>()
    // Runs and incidents take turns.
    const most = 2 * eachOf(RUNS, streams.length)
    for (const no of numbers) shownBy.set(no, await reads.newest(caller.workspaceId, no, from, most))
    const figuresOf = await series(caller.workspaceId, numbers, { fromMs: from, toMs: Math.max(to, from + 1) })
    const told: StoryStream[] = []
    for (const stream of whole) {
      const shown = shownBy.get(stream.no) ?? []
      told.push(streamOf(stream, { shown, streams: whole.length, figures: figuresOf(stream.no) }))
    }
    const schedule = streams.find((stream) => stream.schedule)?.schedule ?? null
    return {
      broadcastId: first.broadcastId,
      title: first.title,
      startedAt: iso(startedAt),
      endedAt: isoOrNull(endedAt),
      from: iso(from),
      to: iso(to),
      schedule: schedule && { scheduleId: schedule.id, title: schedule.title, dueAt: iso(schedule.dueAt) },
      streams: told,
      events: await eventsOf(streams, from),
      recordings: [],
    }
  }
}
