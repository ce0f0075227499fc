import { describe, expect, it } from 'vitest'
import { toOnlineVideo } from './online-video.ts'

describe('an online stream', () => {
  it('[LIVE-07] is mapped as the specification has it', () => {
    const stream = { streamUrl: 'https://a/live.m3u8?x', nickname: 'Sari', isLive: true, siteId: 's', account_id: 'a' }
    expect(toOnlineVideo(stream)).toEqual({
      title: 'Sari',
      size: 0,
      url: 'https://a/live.m3u8?x',
      duration: null,
      isHls: true,
      siteId: 's',
      accountId: 'a',
    })
    expect(toOnlineVideo({ ...stream, streamUrl: 'https://a/live.mp4' }).isHls).toBe(false)
  })
})
