import { describe, expect, it } from 'vitest'
import { PLAN_TEXTS, VIDEO_TEXTS } from './texts.ts'
import {
  storedForm,
  storedReasonText,
  storedWarningText,
  VIDEO_REASON_TEXTS,
  type VideoReason,
  videoReasonText,
} from './video-reasons.ts'

const GIB = 1024 ** 3
const MORE = 'Paket Starter punya ruang 20 GB. Upgrade ke Creator Pro untuk ruang lebih besar.'
const { noRoom, overRoom, masterTooLarge } = VIDEO_TEXTS

const DETAILED: [VideoReason, string][] = [
  [{ code: 'url-answered', status: 404 }, VIDEO_TEXTS.urlAnswered(404)],
  [{ code: 'no-room', leftBytes: 0, neededBytes: GIB, plan: null }, noRoom('0 Bytes', '1,00 GB')],
  [{ code: 'no-room', leftBytes: 0, neededBytes: GIB, plan: 'starter' }, `${noRoom('0 Bytes', '1,00 GB')} ${MORE}`],
  [
    { code: 'over-room', roomBytes: 20 * GIB, neededBytes: 21.5 * GIB, plan: 'starter' },
    `${overRoom('20,00 GB', '21,50 GB')} ${MORE}`,
  ],
  [{ code: 'master-too-large', plan: null }, masterTooLarge],
  [{ code: 'master-too-large', plan: 'business' }, `${masterTooLarge} Paket Business punya ruang 200 GB.`],
]

describe('why a video failed', () => {
  it.each(Object.entries(VIDEO_REASON_TEXTS))(
    '%s is a code in the row, and a sentence where it is shown',
    (code, text) => {
      expect(storedForm({ code: code as keyof typeof VIDEO_REASON_TEXTS })).toBe(code)
      expect(storedReasonText(code)).toBe(text)
    },
  )

  it('differs from code to code', () => {
    const texts = Object.values(VIDEO_REASON_TEXTS)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it.each(DETAILED)('%j keeps its figures', (reason, text) => {
    expect(videoReasonText(reason)).toBe(text)
    expect(storedForm(reason)).toBe(JSON.stringify(reason))
    expect(storedReasonText(storedForm(reason))).toBe(text)
  })

  it('is said in general where another version wrote it', () => {
    const ofTomorrow = [
      'a-word-of-tomorrow',
      'constructor',
      '{"code":"a-word-of-tomorrow","by":3}',
      '{"code":"no-room"}',
    ]
    for (const stored of ofTomorrow) expect(storedReasonText(stored)).toBe(VIDEO_TEXTS.prepareFailed)
    expect(storedReasonText('{"code":"master-too-large","plan":"a-plan-of-tomorrow"}')).toBe(masterTooLarge)
  })

  it('is an old sentence that nobody has mapped, as it is', () => {
    for (const stored of ['Alasan dari versi lama.', '{ bukan JSON']) {
      expect(storedReasonText(stored)).toBe(stored)
      expect(storedWarningText(stored)).toBe(stored)
    }
  })
})

describe('what the owner of a ready video should know', () => {
  it('is that it was cut short', () => {
    expect(storedForm({ code: 'cut-short' })).toBe('cut-short')
    expect(storedWarningText('cut-short')).toBe(VIDEO_TEXTS.warnTruncated)
  })

  it.each(DETAILED)('is that it could not be prepared again, and why: %j', (reason, text) => {
    const stored = storedForm({ code: 'prepare-again-failed', because: storedForm(reason) })
    expect(storedWarningText(stored)).toBe(PLAN_TEXTS.prepareAgainFailed(text))
  })

  it('is nothing where another version wrote the code', () => {
    expect(storedWarningText('a-word-of-tomorrow')).toBeNull()
    expect(storedWarningText('{"code":"a-word-of-tomorrow"}')).toBeNull()
  })
})
