import type { LivesReads } from './lives.reads.ts'
import type { ToldStream } from './told-lives.ts'

type Totals = 'onAirMs' | 'incidents' | 'longestRunMs'
type Totalled = Omit<ToldStream, Totals> & { -readonly [Total in Totals]: ToldStream[Total] }

/**
 * Streams with totals that are whole: with what their spans come to that are not counted yet, because they last or because an older version
 * has written them. They are added up page by page; none is kept.
 */
export async function wholeLives(
  reads: Pick<LivesReads, 'uncounted'>,
  workspaceId: string,
  streams: readonly ToldStream[],
  now: number,
): Promise<ToldStream[]> {
  const whole = new Map(streams.map((stream): [number, Totalled] => [stream.no, { ...stream }]))
  for await (const spans of reads.uncounted(workspaceId, [...whole.keys()], now)) {
    for (const { streamNo, isRun, beganAt, endedAt } of spans) {
      const stream = whole.get(streamNo)
      if (!stream) continue
      const lastedMs = Math.max(0, (endedAt ?? now) - beganAt)
      if (isRun) {
        stream.onAirMs += lastedMs
        stream.longestRunMs = Math.max(stream.longestRunMs, lastedMs)
      } else stream.incidents++
    }
  }
  return [...whole.values()]
}
