import type { Standing } from '@siarin/contracts/standing'
import type { DeliverySummary, WebhookEndpoint } from '@siarin/contracts/webhooks'
import { describe, expect, it } from 'vitest'
import {
  deliveryFacts,
  deliveryState,
  eventWords,
  lastWords,
  prettyBody,
  refusalWords,
  stateWords,
} from './webhook-words.ts'

const AT = '2026-11-16T12:00:00.000Z'
const WEBHOOK: WebhookEndpoint = {
  ...{ id: 'w1', url: 'https://a.example/h', description: '', events: ['stream.live'], state: 'active' },
  ...{ stateReason: null, notice: null, warning: null, createdAt: AT, oldSecretUntil: null, waiting: 0 },
  ...{ lastDeliveredAt: null, failingSince: null, dropped: null },
}
const DELIVERY: DeliverySummary = {
  ...{
    id: 'm1',
    event: 'stream.live',
    about: 'Pagi',
    state: 'delivered',
    createdAt: AT,
    resentAt: null,
    tries: 1,
    lastTryAt: AT,
    nextTryAt: null,
  },
  ...{ status: 200, resultCode: null, result: null, durationMs: 1200 },
}
const standing = (plan: Standing['plan']): Standing => ({
  ...{ plan, state: 'active', endsAt: null, stopsAt: null, endsSoon: false, videosDeletedAt: null },
  ...{ suspendedFor: null, enforced: true },
})

describe('[HOOK-04] words about a webhook', () => {
  it('says that an active one is in trouble', () => {
    expect(stateWords(WEBHOOK)).toEqual(['Aktif', 'accent'])
    expect(stateWords({ ...WEBHOOK, failingSince: AT })).toEqual(['Bermasalah', 'warn'])
    expect(stateWords({ ...WEBHOOK, state: 'paused', failingSince: AT })).toEqual(['Dijeda', 'neutral'])
    expect(stateWords({ ...WEBHOOK, state: 'disabled' })).toEqual(['Dimatikan', 'warn'])
  })

  it('says what came last and what waits', () => {
    expect(lastWords(WEBHOOK)).toBe('Belum ada yang sampai')
    expect(lastWords({ ...WEBHOOK, lastDeliveredAt: AT, waiting: 1200 })).toMatch(
      /^Terakhir sampai 16 Nov 2026 .+ · 1\.200 menunggu$/,
    )
    expect(lastWords({ ...WEBHOOK, lastDeliveredAt: AT, failingSince: AT })).toMatch(/^Gagal sejak 16 Nov 2026/)
  })

  it('says what became of a delivery', () => {
    expect(deliveryState(DELIVERY)).toEqual(['Sampai · 200', 'accent'])
    expect(deliveryState({ ...DELIVERY, state: 'failed', status: null })).toEqual(['Gagal', 'warn'])
    expect(deliveryState({ ...DELIVERY, state: 'waiting', status: 503 })).toEqual(['Menunggu', 'neutral'])
    const facts = (part: Partial<DeliverySummary>, webhook = WEBHOOK) =>
      deliveryFacts({ ...DELIVERY, ...part }, webhook).slice(1)
    expect(facts({})).toEqual(['1 percobaan', '1.200 ms'])
    expect(facts({ state: 'waiting', durationMs: null, nextTryAt: AT })[1]).toMatch(/^dicoba lagi 16 Nov/)
    expect(facts({ resentAt: AT })).toEqual([
      ...[expect.stringMatching(/^dikirim ulang 16 Nov/), '1 percobaan', '1.200 ms'],
    ])
  })

  it('says what a delivery waits for', () => {
    const waits = (part: Partial<DeliverySummary>, webhook = WEBHOOK) =>
      deliveryFacts({ ...DELIVERY, state: 'waiting', tries: 0, durationMs: null, ...part }, webhook).slice(1)
    expect(waits({})).toEqual(['menunggu kiriman sebelumnya sampai'])
    expect(waits({ nextTryAt: AT })).toEqual(['segera dikirim'])
    expect(waits({}, { ...WEBHOOK, state: 'paused' })).toEqual(['menunggu webhook diaktifkan'])
  })

  it('knows an event of another version by its name', () => {
    expect([eventWords('stream.live'), eventWords('webhook.test'), eventWords('chat.said')]).toEqual([
      'Siaran mulai tayang',
      'Uji coba',
      'chat.said',
    ])
  })

  it('shows JSON readably, and anything else as it came', () => {
    expect([prettyBody('{"a":1}'), prettyBody('<html>')]).toEqual(['{\n  "a": 1\n}', '<html>'])
  })

  it('says what the plan has, and the way up', () => {
    expect(refusalWords(5, 4, standing('creator-pro'))).toBeNull()
    expect(refusalWords(0, 0, undefined)).toBeNull()
    expect(refusalWords(0, 0, standing('starter'))).toContain('Upgrade ke Creator Pro')
    expect(refusalWords(5, 5, standing('creator-pro'))).toContain('Upgrade ke Business')
    expect(refusalWords(20, 20, standing('business'))).toContain('Hapus yang tidak dipakai')
  })
})
