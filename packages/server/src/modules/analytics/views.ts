import type { AnalyticsBroadcast, Incident, LongestRun } from '@siarin/contracts/analytics'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { STREAM_REASON_TEXTS, streamReasonText } from '@siarin/contracts/stream-reason-texts'
import type { z } from 'zod'
import { iso, isoOrNull } from './iso.ts'
import { createShares, type Longest } from './summarize.ts'
import type { ToldSpan, ToldStream } from './told-lives.ts'

/** The outbox has a word of its own for what the time line calls 'halted'. */
export const reasonWords = (code: string): string =>
  code === 'program-restarted' ? STREAM_REASON_TEXTS.halted : streamReasonText(code)

export const namesOf = ({ streamId, broadcastId, title, platform, targetName }: ToldStream) => ({
  streamId,
  broadcastId,
  title,
  platform,
  targetName,
})

export const byNumber = (streams: readonly ToldStream[]): Map<number, ToldStream> =>
  new Map(streams.map((stream) => [stream.no, stream]))

/** Those that are incidents, newest first. */
export function incidentsOf(
  streams: ReadonlyMap<number, ToldStream>,
  spans: readonly ToldSpan[],
  now: number,
  most = Number.POSITIVE_INFINITY,
): Incident[] {
  const incidents = spans.filter(({ isRun }) => !isRun).sort((one, other) => other.beganAt - one.beganAt)
  return incidents.slice(0, most).flatMap((span) => {
    const stream = streams.get(span.streamNo)
    return stream ? [incidentOf(stream, span, now)] : []
  })
}

function incidentOf(stream: ToldStream, span: ToldSpan, now: number): Incident {
  const reasonCode = span.reason ?? 'unknown'
  return {
    ...namesOf(stream),
    incidentId: String(span.id),
    kind: stream.firstLiveAt === null ? 'failed' : 'interrupted',
    startedAt: iso(span.beganAt),
    endedAt: isoOrNull(span.endedAt),
    // A clock that was set back lets what is open begin in the future.
    seconds: Math.max(0, Math.round((span.offAirMs ?? (span.endedAt ?? now) - span.beganAt) / 1000)),
    count: span.times,
    reasonCode,
    reason: span.times > 1 ? ANALYTICS_TEXTS.oftenFor(reasonWords(reasonCode), span.times) : reasonWords(reasonCode),
    planned: span.planned,
    outcome: span.endedAt === null ? 'open' : ((span.outcome ?? 'ended') as Incident['outcome']),
  }
}

export function longestRunOf(
  streams: ReadonlyMap<number, ToldStream>,
  longest: Longest | null,
): z.infer<typeof LongestRun> | null {
  const stream = longest && streams.get(longest.streamNo)
  if (!longest || !stream) return null
  const { beganAt, endedAt, seconds } = longest
  return { ...namesOf(stream), startedAt: iso(beganAt), endedAt: isoOrNull(endedAt), seconds }
}

/** What is shown of a broadcast. It may have had any number of streams: they come in the order in which they were asked for, and none is kept. */
export function createBroadcastView({ broadcastId, title }: ToldStream, now: number) {
  const shares = createShares(now)
  const sent = new Set<Platform>()
  let [streams, startedAt, endedAt] = [0, Number.POSITIVE_INFINITY, 0]
  let [isWanted, scheduled] = [false, false]
  return {
    add(stream: ToldStream): void {
      shares.add(stream)
      sent.add(stream.platform)
      streams++
      startedAt = Math.min(startedAt, stream.askedAt)
      endedAt = Math.max(endedAt, stream.endedAt ?? 0)
      isWanted ||= stream.endedAt === null
      scheduled ||= stream.schedule !== null
    },
    result: (): AnalyticsBroadcast => ({
      ...{ broadcastId, title, streams, scheduled },
      platforms: PLATFORMS.filter((platform) => sent.has(platform)),
      startedAt: iso(startedAt),
      endedAt: isWanted ? null : iso(endedAt),
      ...shares.result(),
    }),
  }
}
