import type { StreamRowData } from './api/active-streams.ts'
import { targetWords } from './stream-words.ts'

/** The streams of one broadcast, each to a target of its own. */
export interface StreamGroup {
  /** Undefined: the server does not tell, so nothing can be added to it. */
  readonly broadcastId: string | undefined
  readonly streams: readonly [StreamRowData, ...StreamRowData[]]
}

/** As in the list of stored targets. They began at the same moment, so the server's order says nothing. */
const byTarget = (a: StreamRowData, b: StreamRowData): number => targetWords(a).localeCompare(targetWords(b), 'id')

/** Where the first stream of a broadcast stands, the others follow, by their targets' names. A stream whose broadcast is not known is a group of its own. */
export function groupStreams(streams: readonly StreamRowData[]): StreamGroup[] {
  const groups: { broadcastId: string | undefined; streams: [StreamRowData, ...StreamRowData[]] }[] = []
  for (const stream of streams) {
    const { broadcastId } = stream
    const known = broadcastId && groups.find((group) => group.broadcastId === broadcastId)
    if (known) known.streams.push(stream)
    else groups.push({ broadcastId, streams: [stream] })
  }
  for (const group of groups) group.streams.sort(byTarget)
  return groups
}
