import type { AnalyticsBroadcast, Incident, LongestRun } from '@siarin/contracts/analytics'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { PLATFORMS } from '@siarin/contracts/platforms'
import { STREAM_REASON_TEXTS, streamReasonText } from '@siarin/contracts/stream-reason-texts'
import type { z } from 'zod'
import { iso, isoOrNull } from './iso.ts'
import { type Longest, sharesOf } from './summarize.ts'
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

/** The streams of one broadcast, in the order in which they were asked for. */
export function broadcastOf(streams: readonly ToldStream[], now: number): AnalyticsBroadcast | null {
  const [first] = streams
  if (!first) return null
  const ends = streams.map(({ endedAt }) => endedAt)
  const sent = new Set(streams.map(({ platform }) => platform))
  return {
    broadcastId: first.broadcastId,
    title: first.title,
    platforms: PLATFORMS.filter((platform) => sent.has(platform)),
    streams: streams.length,
    startedAt: iso(Math.min(...streams.map(({ askedAt }) => askedAt))),
    endedAt: ends.includes(null) ? null : iso(Math.max(...ends.map((end) => end ?? 0))),
    scheduled: streams.some(({ schedule }) => schedule !== null),
    ...sharesOf(streams, now),
  }
}
