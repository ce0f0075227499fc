import type { PlaylistNow } from '@siarin/contracts/playlists'
import { formatNumber, formatPosition } from '../../lib/format.ts'

/** When an item was where. From there on a clock of our own goes on: the server tells every few seconds only. */
export interface Anchor {
  readonly itemId: string
  readonly round: number
  readonly positionMs: number
  readonly atMs: number
}

/** What the server tells is that old at most: so much it may differ from the clock without meaning anything. */
const TOLD_WITHIN_MS = 3_500

/** The clock goes on as it went, unless something else plays or it has jumped: else it would dance with every telling. */
export function nextAnchor(known: Anchor | null, told: PlaylistNow, nowMs: number): Anchor {
  const { itemId, round, positionMs } = told
  const isSame = known !== null && known.itemId === itemId && known.round === round
  const apartMs = isSame ? known.positionMs + (nowMs - known.atMs) - positionMs : 0
  // It is told late, never early: behind what is told is wrong, ahead of it is usual.
  if (isSame && apartMs >= 0 && apartMs <= TOLD_WITHIN_MS) return known
  return { itemId, round, positionMs, atMs: nowMs }
}

/** '3 dari 12'; what was taken out of the list since plays to its end and has no place in it. */
export function placeWords({ index, roundIndex, count, shuffle }: PlaylistNow): string {
  // Another server of the same API may know only the place in the list.
  const at = roundIndex ?? index
  const place =
    at === null || index === null ? 'sudah dikeluarkan' : `${formatNumber(at + 1)} dari ${formatNumber(count)}`
  return shuffle ? `${place}, acak` : place
}

/** '12:04 / 1:45:10'; without an end where nobody knows it. */
const ofWhole = (ms: number, wholeMs: number | null): string =>
  wholeMs
    ? `${formatPosition(Math.min(ms, wholeMs) / 1000)} / ${formatPosition(wholeMs / 1000)}`
    : formatPosition(ms / 1000)

/** `aheadMs`: for how long it has gone on since that was told. */
export function positionWords(playlist: PlaylistNow, aheadMs: number): { item: string; round: string } {
  const { positionMs, durationMs, roundPositionMs, roundDurationMs } = playlist
  // An item does not go past its end: its successor is told in a moment.
  const ahead = durationMs === null ? aheadMs : Math.max(0, Math.min(aheadMs, durationMs - positionMs))
  return {
    item: ofWhole(positionMs + ahead, durationMs),
    round: ofWhole(roundPositionMs + ahead, roundDurationMs),
  }
}
