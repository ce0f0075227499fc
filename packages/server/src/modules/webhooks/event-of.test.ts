import { WEBHOOK_EVENT_TEXTS } from '@siarin/contracts/webhook-texts'
import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import { bodyOf, eventOf, subjectOf } from './event-of.ts'

const AT = Date.UTC(2026, 10, 16, 20)
const told = (fact: string, subjectKind: string, payload: object): ToldFact => ({
  ...{ id: 7, at: AT, userId: 'u1', subjectKind, subjectId: 's1', fact, payload: JSON.stringify(payload) },
})
const WORDS = { broadcastId: 'b1', title: 'Lofi 24 jam', platform: 'youtube', targetName: 'Kanal utama' }

describe('the body of an event', () => {
  it('[HOOK-01] has type, time and what a program needs', () => {
    const fact = told('stream.interrupted', 'stream', { reason: 'target-closed', planned: false })
    expect(JSON.parse(bodyOf(fact, 'stream.interrupted', WORDS))).toEqual({
      type: 'stream.interrupted',
      timestamp: '2026-11-16T20:00:00.000Z',
      data: { streamId: 's1', ...WORDS, reason: 'target-closed', planned: false },
    })
    expect(subjectOf(fact)).toBe('stream:s1')
  })

  it.each([
    ['stream.recovered', 'stream', { offAirMs: null }, { streamId: 's1', ...WORDS, offAirMs: null }],
    ['video.ready', 'video', { filename: 'a.mp4' }, { videoId: 's1', filename: 'a.mp4' }],
    [
      'schedule.failed',
      'schedule',
      { scheduleId: 's1', title: 'Pagi', dueAt: AT, reason: 'target-deleted' },
      { scheduleId: 's1', title: 'Pagi', dueAt: '2026-11-16T20:00:00.000Z', reason: 'target-deleted' },
    ],
    [
      'plan.ending',
      'workspace',
      { plan: 'business', endsAt: AT },
      { plan: 'business', endsAt: '2026-11-16T20:00:00.000Z' },
    ],
    [
      'recording.ready',
      'recording',
      { streamId: 'x', title: 'Lofi', durationMs: 5, sizeBytes: 6 },
      { recordingId: 's1', streamId: 'x', title: 'Lofi', durationMs: 5, sizeBytes: 6 },
    ],
  ])('[HOOK-01] of %s', (fact, kind, payload, data) => {
    const each = told(fact, kind, payload)
    const event = eventOf(each)
    expect(event).not.toBeNull()
    if (event) expect(JSON.parse(bodyOf(each, event, kind === 'stream' ? WORDS : null)).data).toEqual(data)
  })

  it('[HOOK-01] tells nothing that nobody has thought about, and stays small', () => {
    const payload = fc.record({ reason: fc.jsonValue(), planned: fc.jsonValue(), key: fc.constant('kunci-rahasia') })
    fc.assert(
      fc.property(payload, fc.string({ maxLength: 5000 }), (fields, title) => {
        const body = bodyOf(told('stream.interrupted', 'stream', fields), 'stream.interrupted', { ...WORDS, title })
        expect(body).not.toContain('kunci-rahasia')
        expect(Buffer.byteLength(body)).toBeLessThan(65_536)
      }),
    )
  })

  it('[HOOK-01] is of a fact that there is an event for, and every event has words', () => {
    for (const fact of ['room.low', 'schedule.blocked', 'plan.ended', 'toString']) expect(eventOf({ fact })).toBeNull()
    for (const event of WEBHOOK_EVENTS) {
      expect(eventOf({ fact: event })).toBe(event)
      expect(WEBHOOK_EVENT_TEXTS[event]).not.toBe('')
    }
  })
})
