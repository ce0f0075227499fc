import { WEBHOOK_TEXTS } from '@siarin/contracts/webhook-texts'
import { WEBHOOK_EVENTS, type WebhookEndpoint } from '@siarin/contracts/webhooks'
import { describe, expect, it } from 'vitest'
import { changedWebhook, EVENT_GROUPS, eventsOf, faultsOf, formOf, newWebhook, withEvents } from './webhook-form.ts'

const WEBHOOK: WebhookEndpoint = {
  ...{ id: 'w1', url: 'https://a.example/h', description: 'Bot', events: ['video.ready', 'stream.live'] },
  ...{ state: 'active', stateReason: null, notice: null, warning: null, createdAt: '2026-11-16T00:00:00.000Z' },
  ...{ oldSecretUntil: null, waiting: 0, lastDeliveredAt: null, failingSince: null, dropped: null },
}

describe('[HOOK-01] the form of a webhook', () => {
  it('has each event in exactly one group', () => {
    expect(EVENT_GROUPS.flatMap(({ prefix }) => eventsOf(prefix))).toEqual(WEBHOOK_EVENTS)
  })

  it('begins with the events of broadcasts', () => {
    expect(formOf(null)).toEqual({ url: '', description: '', events: eventsOf('stream.') })
  })

  it('says what is missing', () => {
    expect(faultsOf({ url: ' ', description: '', events: [] })).toEqual({
      url: WEBHOOK_TEXTS.urlRequired,
      events: WEBHOOK_TEXTS.eventsRequired,
    })
    expect(faultsOf(formOf(WEBHOOK))).toEqual({})
  })

  it('keeps the order of the list', () => {
    const form = withEvents({ ...formOf(null), events: ['plan.ending'] }, ['video.ready', 'stream.live'], true)
    expect(form.events).toEqual(['stream.live', 'video.ready', 'plan.ending'])
    expect(withEvents(form, eventsOf('stream.'), false).events).toEqual(['video.ready', 'plan.ending'])
  })

  it('sends only what was changed', () => {
    const form = formOf(WEBHOOK)
    expect(changedWebhook(withEvents(form, [], true), WEBHOOK)).toEqual({})
    expect(changedWebhook({ ...form, description: ' Bot baru ' }, WEBHOOK)).toEqual({ description: 'Bot baru' })
    expect(changedWebhook({ ...form, url: 'https://b.example' }, WEBHOOK)).toEqual({ url: 'https://b.example' })
    expect(changedWebhook(withEvents(form, ['plan.ending'], true), WEBHOOK)).toEqual({
      events: ['stream.live', 'video.ready', 'plan.ending'],
    })
    expect(newWebhook({ ...form, url: ' https://a.example/h ' }).url).toBe('https://a.example/h')
  })
})
