import { describe, expect, it } from 'vitest'
import { sortRooms, toOnlineVideo } from './online-video.ts'

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

describe('the rooms of a person', () => {
  const room = { streamUrl: 'https://a/live.m3u8', nickname: 'Sari', isLive: true, siteId: 's', account_id: 'a' }

  it('are played through us, and by their own address where a server knows no other', () => {
    expect(
      sortRooms([{ ...room, previewUrl: '/p/index.m3u8' }, room]).live.map(({ previewUrl }) => previewUrl),
    ).toEqual(['/p/index.m3u8', 'https://a/live.m3u8'])
  })

  it('tell why they are not live', () => {
    const blocked = { ...room, isLive: false, streamUrl: '', state: 'blocked', message: 'Bigo meminta login.' } as const
    expect(sortRooms([blocked, room, { isLive: false, siteId: 'budi' }]).quiet).toEqual([
      { accountId: 'a', name: 'Sari', siteId: 's', state: 'blocked', message: 'Bigo meminta login.' },
      { accountId: '', name: 'budi', siteId: 'budi', state: 'offline', message: '' },
    ])
  })
})
