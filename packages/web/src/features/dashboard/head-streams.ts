import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import { shownPhase } from '../broadcasts/stream-words.ts'

const SHOWN = 3

export interface HeadStream {
  readonly stream: StreamRowData
  /** How many more targets its broadcast has. */
  readonly others: number
}

const broadcastOf = ({ broadcastId, streamId }: StreamRowData): string => broadcastId ?? streamId ?? ''

/** Trouble first, then what is on air. */
function rank(stream: StreamRowData): number {
  if (!stream.preparation && shownPhase(stream) === 'waiting') return 0
  if (stream.onFallback) return 1
  return stream.state === 'live' ? 2 : 3
}

/** The head of the control room: the first broadcasts, each by the stream that says most about it. */
export function headStreams(streams: readonly StreamRowData[]): { head: HeadStream[]; more: number } {
  const broadcasts = Map.groupBy(
    streams.toSorted((one, other) => rank(one) - rank(other)),
    broadcastOf,
  )
  const head = [...broadcasts.values()].flatMap(([stream, ...others]) =>
    stream ? [{ stream, others: others.length }] : [],
  )
  return { head: head.slice(0, SHOWN), more: Math.max(0, head.length - SHOWN) }
}
