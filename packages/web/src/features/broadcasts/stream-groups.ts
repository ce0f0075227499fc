import type { StreamRowData } from './api/active-streams.ts'

/** The streams of one broadcast, each to a target of its own. */
export interface StreamGroup {
  /** Undefined: the server does not tell, so nothing can be added to it. */
  readonly broadcastId: string | undefined
  readonly streams: readonly [StreamRowData, ...StreamRowData[]]
}

/** Where the first stream of a broadcast stands, the others follow. A stream whose broadcast is not known is a group of its own. */
export function groupStreams(streams: readonly StreamRowData[]): StreamGroup[] {
  const groups: { broadcastId: string | undefined; streams: [StreamRowData, ...StreamRowData[]] }[] = []
  for (const stream of streams) {
    const { broadcastId } = stream
    const known = broadcastId && groups.find((group) => group.broadcastId === broadcastId)
    if (known) known.streams.push(stream)
    else groups.push({ broadcastId, streams: [stream] })
  }
  return groups
}
