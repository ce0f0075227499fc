import { isHls } from './is-hls.ts'

/** As the server sends it. */
export interface OnlineStream {
  streamUrl?: string
  nickname?: string
  isLive?: boolean
  siteId?: string
  account_id?: string
}

export interface OnlineVideo {
  readonly title: string
  readonly size: number
  readonly url: string
  readonly duration: null
  readonly isHls: boolean
  readonly siteId: string
  readonly accountId: string
}

export const toOnlineVideo = (stream: OnlineStream): OnlineVideo => ({
  title: stream.nickname ?? '',
  size: 0,
  url: stream.streamUrl ?? '',
  duration: null,
  isHls: isHls(stream.streamUrl ?? ''),
  siteId: stream.siteId ?? '',
  accountId: stream.account_id ?? '',
})
