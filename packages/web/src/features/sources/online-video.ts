import type { OnlineSource, OnlineStream, RoomState } from '@siarin/contracts/online'
import { isHls } from '../../lib/online-address.ts'

/** As the server sends it; another server of the same API may not know all of it. */
export type OnlineStreamData = Partial<OnlineStream>

export interface OnlineVideo {
  readonly title: string
  readonly size: number
  readonly url: string
  readonly duration: null
  readonly isHls: boolean
  readonly siteId: string
  readonly accountId: string
}

export const toOnlineVideo = (stream: OnlineStreamData): OnlineVideo => ({
  title: stream.nickname ?? '',
  size: 0,
  url: stream.streamUrl ?? '',
  duration: null,
  isHls: isHls(stream.streamUrl ?? ''),
  siteId: stream.siteId ?? '',
  accountId: stream.account_id ?? '',
})

/** A room that is live. */
export interface LiveRoom {
  readonly video: OnlineVideo
  /** Where a browser can play it. */
  readonly previewUrl: string | null
}

/** A room that is not, and why. */
export interface QuietRoom {
  readonly accountId: string
  readonly name: string
  readonly siteId: string
  readonly state: Exclude<RoomState, 'live'>
  readonly message: string
}

export function sortRooms(streams: readonly OnlineStreamData[]): { live: LiveRoom[]; quiet: QuietRoom[] } {
  const live = streams
    .filter(({ isLive }) => isLive)
    .map((stream) => ({ video: toOnlineVideo(stream), previewUrl: stream.previewUrl ?? stream.streamUrl ?? null }))
  const quiet = streams
    .filter(({ isLive }) => !isLive)
    .map(({ account_id = '', nickname = '', siteId = '', state, message = '' }) => ({
      accountId: account_id,
      name: nickname || siteId,
      siteId,
      state: state && state !== 'live' ? state : 'offline',
      message,
    }))
  return { live, quiet }
}

/** What the Bigo tab shows; undefined is what is not known yet. */
export interface OnlineLists {
  readonly live: readonly LiveRoom[] | undefined
  readonly quiet: readonly QuietRoom[] | undefined
  readonly sources: readonly OnlineSource[] | undefined
  readonly failure: string | null
}
