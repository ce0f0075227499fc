import { describe, expect, it } from 'vitest'
import { STREAM_REASON_TEXTS, streamNoteText, streamReasonText } from './stream-reason-texts.ts'
import { ONLINE_TEXTS } from './texts.ts'

describe('what the creator reads', () => {
  it.each(Object.entries(STREAM_REASON_TEXTS))('%s is a calm sentence without jargon', (code, text) => {
    expect(streamReasonText(code)).toBe(text)
    expect(text).toMatch(/^[A-Z].*\.$/)
    expect(text).not.toMatch(/!|ffmpeg|exit|error|undefined/i)
    expect(text.length).toBeLessThanOrEqual(120)
  })

  it('differs from reason to reason', () => {
    const texts = Object.values(STREAM_REASON_TEXTS)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('is the sentence for an unknown reason where another version wrote the code', () => {
    for (const code of ['a-word-of-tomorrow', 'constructor']) {
      expect(streamReasonText(code)).toBe(STREAM_REASON_TEXTS.unknown)
    }
  })

  it('is an old sentence that nobody has mapped, as it is', () => {
    expect(streamReasonText('Alasan dari versi lama.')).toBe('Alasan dari versi lama.')
    expect(streamNoteText('Catatan dari versi lama.')).toBe('Catatan dari versi lama.')
  })

  it('of a note is its sentence, and nothing where another version wrote the code', () => {
    expect(streamNoteText('source-encoded')).toBe(ONLINE_TEXTS.encoded)
    expect(streamNoteText('a-word-of-tomorrow')).toBeNull()
  })
})
