import { describe, expect, it } from 'vitest'
import { initialState, type LiveEvent, type LiveState, nextLiveState, stateAt } from './state.ts'

const after = (...events: LiveEvent[]): LiveState => events.reduce(nextLiveState, initialState)
const picked = { name: 'a.mp4', url: '/fitur/video/a.mp4', source: 'a.mp4', streamId: null }

describe('the chosen video', () => {
  it('survives going to Go and no other tab', () => {
    expect(after({ type: 'picked', picked }, { type: 'tab-opened', tab: 'go' }).picked).toEqual(picked)
    for (const tab of ['lokal', 'bigo', 'live'] as const) {
      expect(after({ type: 'picked', picked }, { type: 'tab-opened', tab }).picked).toBeNull()
    }
  })

  it('is cleared when it is deleted, not when another is', () => {
    expect(after({ type: 'picked', picked }, { type: 'video-deleted', filename: 'a.mp4' }).picked).toBeNull()
    expect(after({ type: 'picked', picked }, { type: 'video-deleted', filename: 'b.mp4' }).picked).toEqual(picked)
  })

  it('is cleared when the stream it shows is stopped', () => {
    const watched = { ...picked, streamId: 's1' }
    expect(after({ type: 'picked', picked: watched }, { type: 'stream-stopped', streamId: 's1' }).picked).toBeNull()
    expect(after({ type: 'picked', picked }, { type: 'stream-stopped', streamId: 's1' }).picked).toEqual(picked)
  })
})

describe('an address', () => {
  const at = (query: string): LiveState => stateAt(new URLSearchParams(query))

  it('opens the tab that it names, and the first where it names none', () => {
    expect(at('tab=live')).toMatchObject({ tab: 'live', picked: null })
    expect(at('tab=none').tab).toBe('lokal')
  })

  it('[SCHED-01] has the schedule open for somebody who came to make one', () => {
    expect(at('jadwal')).toMatchObject({ tab: 'lokal', form: { schedule: { repeat: 'once' } } })
    expect(at('').form.schedule).toBeNull()
  })

  it('[LIST-01] brings a playlist to Go as its source, with the item to begin with', () => {
    const source = { source: 'playlist:p1', streamId: null }
    expect(at('tab=go&playlist=p1').picked).toMatchObject({ ...source, playlist: { id: 'p1', itemId: null } })
    expect(at('tab=go&playlist=p1&item=i2').picked).toMatchObject({ ...source, playlist: { id: 'p1', itemId: 'i2' } })
    expect(at('tab=lokal&playlist=p1').picked).toBeNull()
  })
})

describe('the global message', () => {
  it('expires only if it has not been replaced', () => {
    const first: LiveEvent = { type: 'said', text: 'one', tone: 'success' }
    const second: LiveEvent = { type: 'said', text: 'two', tone: 'error' }
    expect(after(first, { type: 'message-expired', id: 1 }).message).toBeNull()
    expect(after(first, second, { type: 'message-expired', id: 1 }).message?.text).toBe('two')
  })
})

describe('trying a failed broadcast again', () => {
  const form = { platform: 'facebook', title: 'Senja', fallback: 'b.mp4', keyOf: 's1' } as const
  const asked: LiveEvent = { type: 'retry-asked', picked, form }

  it('opens Go with its source, its stand-in and its platform, and with its key by reference only', () => {
    const typed: LiveEvent = { type: 'form-changed', change: { key: 'abcd', title: 'lama' } }
    expect(after(typed, { type: 'tab-opened', tab: 'live' }, asked)).toMatchObject({
      tab: 'go',
      picked,
      form: { ...form, key: '' },
    })
  })

  it('goes where it went, and not to what was ticked for another', () => {
    const ticked: LiveEvent = { type: 'form-changed', change: { ticked: ['t1', 't2'] } }
    expect(after(ticked, asked).form.ticked).toEqual([])
  })

  it('forgets the kept key with its platform, and with nothing else', () => {
    const change = (changed: Partial<LiveState['form']>): LiveEvent => ({ type: 'form-changed', change: changed })
    expect(after(asked, change({ title: 'Fajar', key: 'abcd' })).form.keyOf).toBe('s1')
    expect(after(asked, change({ platform: 'facebook' })).form.keyOf).toBe('s1')
    expect(after(asked, change({ platform: 'youtube' })).form.keyOf).toBe('')
  })
})

describe('the Go form', () => {
  const change = (changed: Partial<LiveState['form']>): LiveEvent => ({ type: 'form-changed', change: changed })
  const twitch = [change({ platform: 'lain' }), change({ preset: 'twitch' })]

  it('fills in the server of a preset, which may then be another one', () => {
    const server = 'rtmps://ingest.global-contribute.live-video.net/app'
    expect(after(...twitch).form).toMatchObject({ preset: 'twitch', server })
    expect(after(...twitch, change({ server: 'rtmp://a.tv/x' }), change({ key: 'k' })).form).toMatchObject({
      ...{ preset: 'twitch', server: 'rtmp://a.tv/x', key: 'k' },
    })
    expect(after(...twitch, change({ preset: 'instagram' })).form.server).toBe('')
    expect(after(...twitch, change({ preset: '' })).form.server).toBe('')
  })

  it('forgets preset and server with another platform, and with a broadcast that is tried again', () => {
    const none = { preset: '', server: '' }
    expect(after(...twitch, change({ platform: 'youtube' })).form).toMatchObject(none)
    const form = { platform: 'lain', title: '', fallback: '', keyOf: 's1' } as const
    const again: LiveEvent = { type: 'retry-asked', picked, form }
    expect(after(...twitch, again).form).toMatchObject({ ...none, keyOf: 's1' })
    expect(after(again, change({ preset: 'kick' })).form.keyOf).toBe('')
  })

  it('drops the key when TikTok is chosen and keeps it otherwise', () => {
    const typed: LiveEvent = { type: 'form-changed', change: { key: 'abcd' } }
    expect(after(typed, { type: 'form-changed', change: { platform: 'tiktok' } }).form.key).toBe('')
    expect(after(typed, { type: 'form-changed', change: { platform: 'facebook' } }).form.key).toBe('abcd')
  })
})
