import type { Broadcast } from '@siarin/contracts/broadcasts'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { EndedStream } from '@siarin/contracts/streams'
import { endWord, onAirWords } from '../broadcasts/stream-words.ts'
import type { RoomRow, RoomTarget } from './room-row.ts'

/** The history knows streams only. Those of one broadcast began at the same moment with the same source. */
const broadcastOf = ({ title, source, startedAt }: EndedStream): string => JSON.stringify([title, source, startedAt])

const kindOf = (platform: string, sourceName: string): string => JSON.stringify([platform, sourceName])

/** When each kind was begun last: one that failed and was begun again needs nobody. */
function lastStarts(ended: readonly EndedStream[], open: readonly Broadcast[]): ReadonlyMap<string, string> {
  const starts = [
    ...ended.map(({ platform, sourceName, startedAt }) => [kindOf(platform, sourceName), startedAt] as const),
    ...open.flatMap(({ sourceName, streams }) =>
      streams.map(({ platform, startedAt }) => [kindOf(platform, sourceName), startedAt] as const),
    ),
  ]
  const last = new Map<string, string>()
  for (const [kind, at] of starts) if (at > (last.get(kind) ?? '')) last.set(kind, at)
  return last
}

const isWanting = ({ ended, restored }: EndedStream): boolean => ended === 'failed' || restored

const targetOf = (stream: EndedStream): RoomTarget => ({
  streamId: stream.streamId,
  platform: stream.platform,
  name: stream.targetName ?? PLATFORM_FACTS[stream.platform].label,
  lamp: isWanting(stream) ? 'trouble' : 'ended',
  word: endWord(stream),
})

function endedRow(streams: readonly [EndedStream, ...EndedStream[]], missed: EndedStream | undefined): RoomRow {
  const [first] = streams
  const shown = missed ?? first
  return {
    id: `ended ${first.streamId}`,
    group: missed ? 'attention' : 'ended',
    isOpen: false,
    name: first.title || first.sourceName || 'Tanpa nama',
    source: first.title ? first.sourceName : '',
    picture: first.source,
    targets: streams.map(targetOf),
    onAirSince: null,
    word: endWord(shown),
    playing: null,
    trouble: missed ? (missed.reason ?? 'Siaran gagal') : null,
    nextTryAt: null,
    note: missed ? null : (shown.reason ?? onAirWords(shown)),
    stopping: false,
    startedAt: first.startedAt,
    endedAt:
      streams
        .map(({ endedAt }) => endedAt)
        .toSorted()
        .at(-1) ?? first.endedAt,
    again: streams,
  }
}

/** What ended since `sinceMs`, a row per broadcast. Targets that a running broadcast has lost stand in that one's row. */
export function endedRows(ended: readonly EndedStream[], open: readonly Broadcast[], sinceMs: number): RoomRow[] {
  const running = new Set(open.flatMap(({ streams }) => streams.map(({ streamId }) => streamId)))
  const groups = new Map<string, [EndedStream, ...EndedStream[]]>()
  for (const stream of ended) {
    if (running.has(stream.streamId) || Date.parse(stream.endedAt) < sinceMs) continue
    const known = groups.get(broadcastOf(stream))
    if (known) known.push(stream)
    else groups.set(broadcastOf(stream), [stream])
  }
  const starts = lastStarts(ended, open)
  return [...groups.values()].map((streams) => {
    const missed = streams.find(
      (stream) =>
        isWanting(stream) && (starts.get(kindOf(stream.platform, stream.sourceName)) ?? '') <= stream.startedAt,
    )
    return endedRow(streams, missed)
  })
}
