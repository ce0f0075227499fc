import type { Broadcast } from '@siarin/contracts/broadcasts'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { EndedStream } from '@siarin/contracts/streams'
import { endWord, onAirWords } from '../broadcasts/stream-words.ts'
import type { RoomRow, RoomTarget } from './room-row.ts'

/** Streams that are stopped together need some seconds to end. */
const TOGETHER_MS = 10_000

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
  name: stream.targetName || PLATFORM_FACTS[stream.platform].label,
  lamp: isWanting(stream) ? 'trouble' : 'ended',
  word: endWord(stream),
})

const latest = (moments: readonly string[]): string => moments.toSorted().at(-1) ?? ''

/** What the broadcast was when it ended: without targets that its owner took out before, and those that were begun again in it. */
function lastOf(streams: readonly EndedStream[]): EndedStream[] {
  const lastMs = Date.parse(latest(streams.map(({ endedAt }) => endedAt)))
  const isTakenOut = ({ ended, reason, restored, endedAt }: EndedStream): boolean =>
    ended === 'stopped' && reason === null && !restored && Date.parse(endedAt) < lastMs - TOGETHER_MS
  const isBegunAgain = (stream: EndedStream): boolean =>
    streams.some(
      ({ platform, targetId, startedAt }) =>
        platform === stream.platform && targetId === stream.targetId && startedAt > stream.endedAt,
    )
  return streams.filter((stream) => !isTakenOut(stream) && !isBegunAgain(stream))
}

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
    startedAt: streams.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    endedAt: latest(streams.map(({ endedAt }) => endedAt)),
    again: streams,
  }
}

/** What ended since `sinceMs`, a row per broadcast. Targets that a running broadcast has lost stand in that one's row. */
export function endedRows(ended: readonly EndedStream[], open: readonly Broadcast[], sinceMs: number): RoomRow[] {
  const running = new Set(open.map(({ broadcastId }) => broadcastId))
  const groups = new Map<string, EndedStream[]>()
  for (const stream of ended) {
    if (running.has(stream.broadcastId) || Date.parse(stream.endedAt) < sinceMs) continue
    groups.set(stream.broadcastId, [...(groups.get(stream.broadcastId) ?? []), stream])
  }
  const starts = lastStarts(ended, open)
  return [...groups.values()].flatMap((all) => {
    const [first, ...others] = lastOf(all)
    if (!first) return []
    const missed = [first, ...others].find(
      (stream) =>
        isWanting(stream) && (starts.get(kindOf(stream.platform, stream.sourceName)) ?? '') <= stream.startedAt,
    )
    return [endedRow([first, ...others], missed)]
  })
}
