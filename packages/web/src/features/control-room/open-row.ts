import type { Broadcast, BroadcastStream } from '@siarin/contracts/broadcasts'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { VideoPreparation } from '@siarin/contracts/videos'
import type { StreamRowData } from '../broadcasts/api/active-streams.ts'
import { PHASE_WORDS, shownPhase } from '../broadcasts/stream-words.ts'
import { preparationWords } from '../library/video-facts.ts'
import type { Lamp, RoomRow, RoomTarget } from './room-row.ts'

/** The streams as the feed pushes them, by id: fresher than the list, and with what they play. */
export type Feed = ReadonlyMap<string, StreamRowData>

type Sent = BroadcastStream & Pick<StreamRowData, 'playlist' | 'preparation' | 'source'>

const STAND_IN = 'Sumber terputus; video cadangan tayang'

const isSameTarget = (one: Sent, other: Sent): boolean =>
  one.targetId === null ? other.targetId === null && one.platform === other.platform : one.targetId === other.targetId

/** It gave up, and nobody has begun it again. */
const isLost = (stream: Sent, all: readonly Sent[]): boolean =>
  stream.ended === 'failed' && !all.some((other) => isSameTarget(stream, other) && other.startedAt > stream.startedAt)

const isReconnecting = (stream: Sent): boolean => !stream.preparation && shownPhase(stream) === 'waiting'

function lampOf(stream: Sent): Lamp {
  if (stream.state === 'live') return 'live'
  if (stream.ended !== null || isReconnecting(stream)) return 'trouble'
  return 'waiting'
}

const targetOf = (stream: Sent): RoomTarget => ({
  streamId: stream.streamId,
  platform: stream.platform,
  name: stream.targetName ?? PLATFORM_FACTS[stream.platform].label,
  lamp: lampOf(stream),
  word: stream.ended === 'failed' ? 'Gagal' : PHASE_WORDS[shownPhase(stream) ?? stream.state],
})

function troubleOf(troubled: readonly Sent[], shown: readonly Sent[]): string | null {
  const [first] = troubled
  if (!first) return shown.some(({ onFallback }) => onFallback) ? STAND_IN : null
  const why = first.reason ?? (first.ended === null ? PHASE_WORDS.waiting : 'Gagal')
  return shown.length > 1 ? `${troubled.length} dari ${shown.length} tujuan: ${why}` : why
}

function playingOf(sent: readonly Sent[]): RoomRow['playing'] {
  const lists = sent.filter(({ playlist }) => playlist)
  // They play the same; one that is off air may be behind.
  const listed = lists.find(({ state }) => state === 'live') ?? lists[0]
  if (listed?.playlist) {
    const { filename, next } = listed.playlist
    return { now: filename, next: next?.filename ?? null, listedBy: listed.streamId }
  }
  const swapping = sent.find(({ nextSource }) => nextSource)
  return swapping ? { now: swapping.sourceName, next: swapping.nextSource, listedBy: null } : null
}

const earliest = (moments: readonly (string | null | undefined)[]): string | null =>
  moments.filter((moment) => typeof moment === 'string').toSorted()[0] ?? null

function pictureOf({ online, source }: Broadcast, sent: readonly Sent[]): string | null {
  if (online) return null
  const [first] = sent
  return first?.playlist?.filename ?? first?.source ?? source
}

function wordOf(wanted: readonly Sent[], preparation: VideoPreparation | null, troubled: boolean): string {
  if (preparation) return 'Menunggu video'
  if (troubled) return PHASE_WORDS.waiting
  const [first] = wanted
  return first ? PHASE_WORDS[first.state] : PHASE_WORDS.ended
}

/** A broadcast that is wanted. */
export function openRow(broadcast: Broadcast, feed: Feed): RoomRow {
  const all = broadcast.streams.map((stream): Sent => ({ ...stream, ...feed.get(stream.streamId) }))
  const wanted = all.filter(({ ended }) => ended === null)
  const shown = all.filter((stream) => stream.ended === null || isLost(stream, all))
  const [first] = wanted
  const preparation = first?.preparation === undefined ? broadcast.preparation : first.preparation
  const reconnecting = preparation ? [] : wanted.filter(isReconnecting)
  const trouble = troubleOf([...reconnecting, ...shown.filter(({ ended }) => ended !== null)], shown)
  const onAir = wanted.filter(({ state }) => state === 'live')
  return {
    id: broadcast.broadcastId,
    group: trouble ? 'attention' : onAir.length > 0 ? 'live' : 'waiting',
    isOpen: true,
    name: broadcast.title || broadcast.sourceName || 'Tanpa nama',
    source: broadcast.title ? broadcast.sourceName : '',
    picture: pictureOf(broadcast, wanted),
    targets: shown.map(targetOf),
    onAirSince: earliest(onAir.map(({ firstLiveAt, since }) => firstLiveAt ?? since)),
    word: wordOf(wanted, preparation, reconnecting.length > 0),
    playing: playingOf(wanted),
    trouble,
    nextTryAt: earliest(reconnecting.map(({ nextTryAt }) => nextTryAt)),
    note: preparation ? preparationWords(preparation) : null,
    stopping: wanted.length > 0 && wanted.every(({ state }) => state === 'stopping'),
    startedAt: broadcast.startedAt,
    endedAt: null,
    again: [],
  }
}
