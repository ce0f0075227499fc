import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALM, DATABASES, startProgramOn } from './support/databases.ts'
import { call, type TestProgram } from './support/program.ts'
import { assertSigned, hookOwner, LIVE, tell } from './support/webhooks.ts'

const { webhooks: _, ...rest } = CALM
const PACE = { ...rest, alerts: { ...rest.alerts, everyMs: 200 } }
const ENDED = { fact: 'stream.ended', payload: { reason: 'stopped', cause: null } } as const
const SCHEDULED = { scheduleId: 'j1', title: 'Pagi', dueAt: 1_800_000_000_000 }

describe.each(DATABASES)('deliveries of webhooks on $name', ({ open }) => {
  let program: TestProgram
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    program = await startProgramOn(open, {}, PACE)
  })
  afterAll(async () => {
    await program.close()
    await receiver.dispose()
  })

  /** Somebody with one webhook, at a receiver of this name. */
  async function listener(name: string, more: object = {}) {
    const owner = await hookOwner(program)
    const { data, secret } = (await owner.add(receiver.urlOf(name), more)).body
    const id: string = data.id
    return {
      ...{ ...owner, id, secret: secret as string },
      tell: (...args: Parameters<typeof tell> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
        tell(program, owner.user, ...args),
      state: () => owner.get(id),
      entries: () => owner.log(id),
      settle: () => owner.settled(id),
    }
  }

  it('[HOOK-01] tell of every event that can be chosen, signed, each once', async () => {
    const one = await listener('events')
    await one.tell(
      [
        { fact: 'stream.started', payload: { platform: 'youtube' } },
        LIVE,
        { fact: 'stream.interrupted', payload: { reason: 'target-closed', planned: false } },
        { fact: 'stream.recovered', payload: { offAirMs: 4200 } },
        { fact: 'stream.failed', payload: { cause: 'target-refused' } },
        ENDED,
      ],
      { kind: 'stream', id: 's1' },
    )
    await one.tell([{ fact: 'video.ready', payload: { filename: 'a.mp4' } }], { kind: 'video', id: 'v1' })
    await one.tell([{ fact: 'video.failed', payload: { filename: 'b.mp4', reason: null } }], {
      kind: 'video',
      id: 'v2',
    })
    await one.tell([{ fact: 'schedule.started', payload: { ...SCHEDULED, streamId: 's1' } }], {
      kind: 'schedule',
      id: 'j1',
    })
    await one.tell([{ fact: 'schedule.missed', payload: { ...SCHEDULED, reason: 'server-away' } }], {
      kind: 'schedule',
      id: 'j1',
    })
    await one.tell([{ fact: 'plan.ending', payload: { plan: 'business', endsAt: 1_800_000_000_000 } }], {
      kind: 'workspace',
      id: 'w',
    })
    // Nobody can choose these.
    await one.tell([{ fact: 'room.low', payload: { usedBytes: 1, roomBytes: 2 } }], { kind: 'workspace', id: 'w' })
    // Its fact is still to come.
    await one.tell([{ fact: 'recording.ready', payload: { title: 'Lofi' } } as never], { kind: 'stream', id: 's1' })
    await receiver.got('events', WEBHOOK_EVENTS.length)
    await one.settle()
    const all = receiver.received('events')
    assertSigned(one.secret, all)
    // On a busy machine an answer may come too late: the delivery is tried again, under the same id.
    const got = [...new Map(all.map((delivery) => [delivery.id, delivery])).values()]
    expect(got.map(({ type }) => type).sort()).toEqual([...WEBHOOK_EVENTS].sort())
    const recovered = got.find(({ type }) => type === 'stream.recovered')
    expect(recovered?.data).toEqual({
      ...{ streamId: 's1', broadcastId: null, title: null, platform: null, targetName: null, offAirMs: 4200 },
    })
    expect(JSON.parse(recovered?.body ?? '').timestamp).toBe('2026-11-16T20:00:00.000Z')
    expect(got.find(({ type }) => type === 'schedule.missed')?.data).toMatchObject({
      ...{ scheduleId: 'j1', dueAt: '2027-01-15T08:00:00.000Z', reason: 'server-away' },
    })
  })

  it('[HOOK-01] go only to who has chosen the event, and to nobody while paused', async () => {
    const one = await listener('chosen', { events: ['stream.ended'] })
    await one.tell([LIVE, ENDED])
    await receiver.got('chosen', 1)
    await one.ask('POST', `/${one.id}/pause`)
    expect((await one.state()).state).toBe('paused')
    await one.tell([ENDED])
    const other = await listener('chosen-other')
    await other.tell([LIVE])
    await receiver.got('chosen-other', 1)
    await one.ask('POST', `/${one.id}/resume`)
    await one.tell([ENDED], { kind: 'stream', id: 'after' })
    await receiver.got('chosen', 2)
    expect(receiver.received('chosen').map(({ type, data }) => [type, data['streamId'] === 'after'])).toEqual([
      ['stream.ended', false],
      ['stream.ended', true],
    ])
  })

  it('[HOOK-02] are tried again under the same id until they are taken, in order for each stream', async () => {
    const one = await listener('order')
    receiver.answer('order', 500, 'cut', { status: 503, headers: { 'retry-after': '0' } }, 204)
    await one.tell([{ fact: 'stream.started', payload: { platform: 'lain' } }, LIVE, ENDED], {
      kind: 'stream',
      id: 'first',
    })
    await receiver.got('order', 6)
    await one.settle()
    const got = receiver.received('order')
    expect(got.map(({ type }) => type)).toEqual([
      ...['stream.started', 'stream.started', 'stream.started', 'stream.started'],
      ...['stream.live', 'stream.ended'],
    ])
    expect(new Set(got.slice(0, 4).map(({ id }) => id)).size).toBe(1)
    assertSigned(one.secret, got)
    const [last, , first] = await one.entries()
    expect(first).toMatchObject({ event: 'stream.started', state: 'delivered', status: 204, result: null })
    // A kept connection that ends without a word may have been closed long before: that is no try yet.
    expect([3, 4]).toContain(first.tries)
    expect(last).toMatchObject({ event: 'stream.ended', tries: 1, nextTryAt: null })
    expect((await one.state()).failingSince).toBeNull()
  })

  it('[HOOK-02] about one stream do not wait for those about another', async () => {
    const types = (id: string) =>
      receiver.received('streams').flatMap(({ type, data }) => (data['streamId'] === id ? [type] : []))
    const one = await listener('streams')
    receiver.answer('streams', 500)
    await one.tell([LIVE, ENDED], { kind: 'stream', id: 'stuck' })
    await receiver.got('streams', 1)
    receiver.answer('streams', 500, 204)
    await one.tell([LIVE, ENDED], { kind: 'stream', id: 'free' })
    await waitFor('the last of both', async () => types('stuck').at(-1) === 'stream.ended' && types('free').length > 1)
    await one.settle()
    expect(types('stuck').at(-1)).toBe('stream.ended')
    expect(types('stuck').indexOf('stream.ended')).toBe(types('stuck').length - 1)
    expect(types('free').at(-1)).toBe('stream.ended')
  })

  it('[HOOK-02] are given up after the last try, and can be sent again by hand', async () => {
    const one = await listener('given-up')
    receiver.answer('given-up', { status: 418, body: 'saya teko' })
    await one.tell([LIVE])
    await receiver.got('given-up', 7)
    await one.settle()
    const [entry] = await one.entries()
    expect(entry).toMatchObject({ state: 'failed', tries: 7, status: 418, resultCode: 'bad-status' })
    expect(await one.delivery(one.id, entry.id)).toMatchObject({ answer: 'saya teko' })
    expect(receiver.received('given-up')).toHaveLength(7)
    receiver.answer('given-up', 200)
    const again = await one.ask('POST', `/${one.id}/deliveries/${entry.id}/resend`)
    expect(again.body).toMatchObject({ message: 'Pengiriman diulang sekarang.', data: { state: 'waiting', tries: 0 } })
    const got = await receiver.got('given-up', 8)
    expect(new Set(got.map(({ id }) => id))).toEqual(new Set([entry.id]))
    assertSigned(one.secret, got)
    await one.settle()
    const [resent] = await one.entries()
    expect(resent).toMatchObject({ id: entry.id, state: 'delivered', tries: 1, status: 200 })
    expect([entry.resentAt, Date.parse(resent.resentAt) > Date.parse(resent.createdAt)]).toEqual([null, true])
    await one.ask('POST', `/${one.id}/pause`)
    expect((await one.ask('POST', `/${one.id}/deliveries/${entry.id}/resend`)).body.code).toBe('webhook_not_active')
  })

  it('[HOOK-02] follow no redirect, and say so', async () => {
    const one = await listener('redirects')
    receiver.answer('redirects', { status: 307, headers: { location: receiver.urlOf('elsewhere') } })
    const { body } = await one.ask('POST', `/${one.id}/test`)
    expect(body.data).toMatchObject({ state: 'failed', status: 307, resultCode: 'redirected' })
    expect(body.message).toMatch(/Pengalihan tidak diikuti/)
    expect(receiver.received('elsewhere')).toEqual([])
  })

  it('[HOOK-02] 410 switches the webhook off, and that is said', async () => {
    const one = await listener('gone')
    receiver.answer('gone', 410)
    await one.tell([LIVE, ENDED], { kind: 'stream', id: 'gone' })
    await waitFor('the end of the webhook', async () => (await one.state()).state === 'disabled')
    expect(await one.state()).toMatchObject({ stateReason: 'gone', notice: expect.stringContaining('410'), waiting: 1 })
    expect(receiver.received('gone')).toHaveLength(1)
    expect(await program.activityOf(one.user.email)).toContainEqual(
      expect.objectContaining({ kind: 'webhook-disabled', status: 'failed' }),
    )
    const [alert] = await waitFor('the bell', async () => {
      const { data } = (await call(program.url, 'GET', '/fitur/alert', { headers: one.headers })).body
      return data.length > 0 && data
    })
    expect(alert).toMatchObject({
      ...{ kind: 'channel.gone', path: '/fitur/webhook', title: expect.stringMatching(/^Webhook dimatikan: ./) },
      text: expect.stringContaining('aktifkan lagi'),
    })
    receiver.answer('gone', 204)
    expect((await one.ask('POST', `/${one.id}/resume`)).body.data.state).toBe('active')
    await receiver.got('gone', 2)
    expect(receiver.received('gone').map(({ type }) => type)).toEqual(['stream.live', 'stream.ended'])
  })

  it('[HOOK-02] a receiver that hangs holds up neither other endpoints nor other people', async () => {
    const one = await listener('hangs')
    receiver.answer('hangs', 'hang')
    const well = (await one.add(receiver.urlOf('well'))).body.data.id
    for (let count = 0; count < 30; count++) await one.tell([LIVE])
    await receiver.got('hangs', 1)
    const other = await listener('other-well')
    await other.tell([LIVE])
    await receiver.got('other-well', 1)
    await receiver.got('well', 30)
    expect(receiver.open('hangs')).toBeLessThanOrEqual(4)
    await one.settled(well)
    const entries = await waitFor('a try that took too long', async () => {
      const tried = (await one.entries()).filter(({ resultCode }: { resultCode: string }) => resultCode)
      return tried.length > 0 && tried
    })
    expect(entries[0]).toMatchObject({ resultCode: 'timed-out', status: null, state: 'waiting' })
    await one.ask('DELETE', `/${one.id}`)
  })

  it('[HOOK-02] an answer whose body never ends is an answer', async () => {
    const one = await listener('drips')
    receiver.answer('drips', 'drip')
    const { body } = await one.ask('POST', `/${one.id}/test`)
    expect(body.data).toMatchObject({ state: 'delivered', status: 200, answer: expect.stringMatching(/^\.+$/) })
  })

  it('[HOOK-01] are signed with both secrets for a day after a change', async () => {
    const one = await listener('rotated')
    const { secret } = (await one.ask('POST', `/${one.id}/rotate-secret`)).body
    await one.tell([LIVE])
    const got = await receiver.got('rotated', 1)
    assertSigned(one.secret, got)
    assertSigned(secret, got)
    const { db } = program
    await db
      .updateTable('webhook_endpoints')
      .set({ old_secret_until: program.clock.now() })
      .where('id', '=', one.id)
      .execute()
    await one.ask('POST', `/${one.id}/test`)
    const [, later] = receiver.received('rotated')
    if (later) assertSigned(secret, [later])
    expect(later?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect((await one.state()).oldSecretUntil).toBeNull()
  })

  it('[HOOK-03] the log has pages', async () => {
    const one = await listener('pages')
    for (let count = 0; count < 5; count++) await one.tell([LIVE])
    await receiver.got('pages', 5)
    await one.settle()
    const first = (await one.ask('GET', `/${one.id}/deliveries?limit=3`)).body
    const second = (await one.ask('GET', `/${one.id}/deliveries?limit=3&cursor=${first.nextCursor}`)).body
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([3, 2, null])
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(5)
    expect((await one.log(one.id, '?state=failed')).length).toBe(0)
    expect((await one.log(one.id, '?state=delivered')).length).toBe(5)
    for (const wrong of ['?cursor=x', '?cursor=%00', '?limit=0', '?limit=101', '?state=lost']) {
      expect((await one.ask('GET', `/${one.id}/deliveries${wrong}`)).status, wrong).toBe(400)
    }
  })

  // The last: it moves the clock, and a signature is good for minutes.
  it('[HOOK-02] wait as long as 429 asks for', async () => {
    const one = await listener('patience')
    receiver.answer('patience', { status: 429, headers: { 'retry-after': '3600' } }, 204)
    await one.tell([LIVE])
    await receiver.got('patience', 1)
    const entry = await waitFor('its next try', async () => {
      const [first] = await one.entries()
      return first.status === 429 && first
    })
    expect(entry).toMatchObject({ state: 'waiting', resultCode: 'slow-down' })
    const waitMs = Date.parse(entry.nextTryAt) - program.clock.now()
    expect(waitMs).toBeGreaterThan(3_500_000)
    expect(waitMs).toBeLessThanOrEqual(3_600_000)
    program.clock.move(3_600_000)
    await receiver.got('patience', 2)
  })
})
