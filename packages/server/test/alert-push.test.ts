import { type PushService, startPushService } from '@siarin/testkit/push-service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendOutcome } from '../src/modules/alerts/channels/channel.ts'
import type { ChannelSettings, ChannelsDeps } from '../src/modules/alerts/channels/channels.ts'
import { channelsOf, messageOf, ON_SQLITE, sendBy, soonOver } from './support/channels.ts'
import { REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

describe.each(ON_SQLITE)('ALERT-01 a message to', ({ open }) => {
  let opened: RepoDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const given = (settings: Partial<ChannelSettings> = {}, deps: Partial<ChannelsDeps> = {}) =>
    channelsOf({ db: opened.db, settings, deps })

  describe('a browser', () => {
    let push: PushService
    let made: ReturnType<typeof given>

    beforeAll(async () => {
      push = await startPushService()
      made = given()
    })
    afterAll(() => push.dispose())

    async function subscribed() {
      const subscription = push.subscribe(await made.channels.vapidPublicKey())
      const checked = await made.channels.check.push(subscription, null)
      if (!checked.ok) throw new Error(checked.why)
      return { subscription, destination: checked.destination }
    }
    const send = (destination: string, message = messageOf(), signal = soonOver()) =>
      sendBy(made, 'push')(destination, message, signal)

    it('arrives so that only that browser can read it, signed by this installation', async () => {
      const { destination, subscription } = await subscribed()
      const message = messageOf()
      expect(await send(destination, message)).toEqual({ kind: 'sent', answer: '201 OK' })
      const got = push.pushes.find(({ to }) => subscription.endpoint.endsWith(to))
      expect(JSON.parse(got?.payload ?? '')).toEqual(message)
      expect(got?.claims).toMatchObject({ aud: push.url, sub: 'mailto:operator@siarin.example' })
      expect(got?.headers).toMatchObject({ urgency: 'high', ttl: '86400' })
      await send(destination, messageOf({ isImportant: false }))
      await send(destination, messageOf({ topic: 'stream:2' }))
      const topics = push.pushes.slice(-3).map(({ headers }) => headers['topic'])
      expect(topics[0]).toMatch(/^[\w-]{32}$/)
      expect(topics[1]).toBe(topics[0])
      expect(topics[2]).not.toBe(topics[0])
      expect(push.pushes.at(-2)?.headers['urgency']).toBe('normal')
    })

    it('is cut to what push services take', async () => {
      const { destination } = await subscribed()
      const long = messageOf({ title: '"😀'.repeat(1_000), text: '\\"😀'.repeat(5_000) })
      expect((await send(destination, long)).kind).toBe('sent')
      const got = push.pushes.at(-1)
      expect(got?.bodyBytes).toBeLessThanOrEqual(4096)
      expect(JSON.parse(got?.payload ?? '')).toMatchObject({ id: long.id, url: long.url })
    })

    it.each<[string, number, SendOutcome['kind'], object, string?]>([
      ['unknown', 404, 'gone', {}],
      ['over', 410, 'gone', {}],
      ['of another key, at Apple', 403, 'gone', {}, '{"reason":"VapidPkHashMismatch"}'],
      ['of another key, at Mozilla', 401, 'gone', {}, '{"errno":109,"message":"VAPID public key mismatch"}'],
      ['refused for our signature, at Apple', 403, 'later', {}, '{"reason":"BadJwtToken"}'],
      ['refused for our signature, elsewhere', 401, 'later', { afterMs: 120_000 }, 'the token has expired'],
      ['too large for it', 413, 'refused', {}],
      ['too fast', 429, 'later', { afterMs: 120_000 }],
      ['broken', 500, 'later', {}],
      ['moved', 307, 'refused', {}],
    ])('a subscription that is %s', async (_, status, kind, more, text = 'why') => {
      const { destination, subscription } = await subscribed()
      push.answer(subscription, { status, text, headers: { 'retry-after': '120', location: push.url } })
      expect(await send(destination)).toMatchObject({ kind, ...more })
    })

    it('is refused by the service where the keys are others than those of the subscription', async () => {
      const other = push.subscribe('AAAA')
      const outcome = await send(JSON.stringify(other))
      expect(outcome.kind).toBe('gone')
      expect(outcome.answer).toContain('Kunci server tidak cocok')
    })

    it('never tells the address of the subscription', async () => {
      const { destination, subscription } = await subscribed()
      const path = new URL(subscription.endpoint).pathname
      push.answer(subscription, { status: 400, text: `no such ${path} at ${subscription.endpoint}` })
      const outcome = await send(destination)
      expect(outcome.kind).toBe('refused')
      expect(JSON.stringify(outcome)).not.toContain(path.slice(6))
      expect(made.log()).not.toContain(path.slice(6))
    })

    it('a silent service is tried later', async () => {
      const { destination, subscription } = await subscribed()
      push.answer(subscription, 'silent')
      expect((await send(destination, messageOf(), AbortSignal.timeout(100))).kind).toBe('later')
    })

    it.each([
      ['http://push.example/x', 'invalid'],
      ['https://127.0.0.1/x', 'forbidden'],
      ['https://10.0.0.7:8443/x', 'forbidden'],
      ['https://[::1]/x', 'forbidden'],
      ['https://169.254.169.254/latest', 'forbidden'],
      ['https://user:secret@push.example/x', 'invalid'],
      ['https://push.example:6379/x', 'invalid'],
      [`https://push.example/${'x'.repeat(2_000)}`, 'invalid'],
    ])('ALERT-03 no address inside: %s', async (endpoint, why) => {
      const careful = given({ allowPrivateNetwork: false })
      const { keys } = push.subscribe('AAAA')
      expect(await careful.channels.check.push({ endpoint, keys }, null)).toEqual({ ok: false, why })
      const got = push.pushes.length
      const outcome = await sendBy(careful, 'push')(JSON.stringify({ endpoint, keys }), messageOf(), soonOver())
      expect(outcome.kind).toBe('gone')
      expect(push.pushes).toHaveLength(got)
    })

    it('takes only keys with which something can be encrypted', async () => {
      const { endpoint, keys } = push.subscribe('AAAA')
      const { check } = made.channels
      for (const odd of [
        null,
        'text',
        {},
        { endpoint },
        { endpoint, keys: { ...keys, auth: 'AAAA' } },
        { endpoint, keys: { ...keys, p256dh: keys.p256dh.slice(0, -4) } },
        { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
        { endpoint: 7, keys },
      ]) {
        expect(await check.push(odd, null)).toEqual({ ok: false, why: 'invalid' })
      }
    })
  })
})

describe.each(REPO_DATABASES)('ALERT-01 the keys of web push, on $name', ({ open }) => {
  it('are made once, for every program of the installation', async () => {
    const opened = await open()
    const programs = [channelsOf({ db: opened.db }), channelsOf({ db: opened.db })]
    const keys = await Promise.all(programs.map(({ channels }) => channels.vapidPublicKey()))
    expect(new Set(keys).size).toBe(1)
    expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65)
    expect(await channelsOf({ db: opened.db }).channels.vapidPublicKey()).toBe(keys[0])
    const row = await opened.db.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
    expect(row.private_sealed).toMatch(/^v1\./)
    await opened.close()
  })
})
