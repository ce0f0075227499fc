import { describe, expect, it } from 'vitest'
import { storedPassedOver, streamEventReason } from './stream-event-texts.ts'
import { STREAM_REASON_TEXTS } from './stream-reason-texts.ts'

describe('what a timeline says beside an event', () => {
  it('is the sentence for a code, and a name where a video or a source came on air', () => {
    expect(streamEventReason('lost', 'killed')).toBe(STREAM_REASON_TEXTS.killed)
    expect(streamEventReason('swapped', 'killed')).toBe('killed')
    expect(streamEventReason('live', null)).toBeNull()
  })

  it.each(['gone', 'damaged', 'not-ready'] as const)('is the name, why it is passed over and what to do: %s', (why) => {
    const text = streamEventReason('passed-over', storedPassedOver({ why, filename: 'a: b.mp4', more: 0 }))
    expect(text).toMatch(/^a: b\.mp4: .*(Upload lagi|sendiri begitu).*\.$/)
  })

  it('is one line for many that are passed over one behind the other', () => {
    expect(streamEventReason('passed-over', storedPassedOver({ why: 'gone', filename: 'a.mp4', more: 499 }))).toBe(
      'a.mp4 dan 499 video lain: belum bisa diputar. Periksa videonya di daftar video, atau keluarkan dari playlist.',
    )
    expect(streamEventReason('passed-over', storedPassedOver({ why: 'gone', filename: null, more: 0 }))).toMatch(
      /^Sebuah video: /,
    )
  })

  it('is nothing where another version wrote what this one cannot read', () => {
    for (const stored of ['{"why":"tomorrow"}', 'a.mp4', '{}', 'null'])
      expect(streamEventReason('passed-over', stored)).toBeNull()
  })
})
