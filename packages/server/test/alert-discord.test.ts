import { type DiscordFault, type DiscordServer, startDiscordServer } from '@siarin/testkit/discord-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendOutcome } from '../src/modules/alerts/channels/channel.ts'
import type { ChannelSettings, ChannelsDeps } from '../src/modules/alerts/channels/channels.ts'
import { channelsOf, messageOf, ON_SQLITE, sendBy, soonOver } from './support/channels.ts'
import type { RepoDatabase } from './support/repo-databases.ts'

describe.each(ON_SQLITE)('ALERT-01 a message to', ({ open }) => {
  let opened: RepoDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const given = (settings: Partial<ChannelSettings> = {}, deps: Partial<ChannelsDeps> = {}) =>
    channelsOf({ db: opened.db, settings, deps })

  describe('Discord', () => {
    const token = `tok${'en-of_the-webhook'.repeat(3)}`
    let discord: DiscordServer
    let made: ReturnType<typeof given>
    let last = 100_000_000

    beforeAll(async () => {
      discord = await startDiscordServer()
      made = given({ discordApiUrl: discord.url })
    })
    afterAll(() => discord.dispose())

    const newWebhook = () => {
      last += 1
      const id = String(last)
      const checked = made.channels.check.discord(discord.addWebhook(id, token))
      if (!checked.ok) throw new Error(checked.why)
      return { id, ...checked }
    }
    const send = (destination: string, message = messageOf(), signal = soonOver()) =>
      sendBy(made, 'discord')(destination, message, signal)

    it('comes as a title and a card, and calls nobody by name', async () => {
      const { id, destination, shown } = newWebhook()
      expect(await send(destination, messageOf({ title: '@everyone *mati*' }))).toEqual({
        kind: 'sent',
        answer: '200 OK',
      })
      const got = discord.messages.find(({ webhookId }) => webhookId === id)
      expect(got?.content).toBe('\\@everyone \\*mati\\*')
      expect(got?.embeds[0]).toMatchObject({ color: 0xd92d20 })
      expect(got?.embeds[0]?.description).toContain('[Buka di Siarin](https://siarin.example/fitur/siaran)')
      expect(got?.fields).toMatchObject({ allowed_mentions: { parse: [] }, username: 'Siarin' })
      expect(shown).not.toContain(token.slice(0, 10))
    })

    it('is cut to what Discord takes', async () => {
      const { destination } = newWebhook()
      expect((await send(destination, messageOf({ title: '*'.repeat(5_000), text: '_'.repeat(9_000) }))).kind).toBe(
        'sent',
      )
    })

    it.each<[string, DiscordFault, SendOutcome['kind'], object]>([
      [
        'deleted',
        { status: 404, json: { message: 'Unknown Webhook', code: 10_015 } },
        'gone',
        { answer: '404 Unknown Webhook' },
      ],
      ['changed', { status: 401, json: { message: 'Invalid Webhook Token', code: 50_027 } }, 'gone', {}],
      [
        'too fast',
        { status: 429, json: { message: 'You are being rate limited.', retry_after: 0.65, global: false } },
        'later',
        { afterMs: 650 },
      ],
      ['too fast, in a page', { status: 429, page: 'error code: 1015' }, 'later', { afterMs: null }],
      ['broken', { status: 503, json: { message: 'no healthy upstream' } }, 'later', {}],
      ['not let through', { status: 403, page: '<html>Attention Required</html>' }, 'later', {}],
      ['picky', { status: 400, json: { message: 'Invalid Form Body', code: 50_035 } }, 'refused', {}],
      ['elsewhere', { redirect: 'http://127.0.0.1:1/' }, 'refused', {}],
    ])('a webhook that is %s', async (_, fault, kind, more) => {
      const { id, destination } = newWebhook()
      discord.answer(id, fault)
      expect(await send(destination)).toMatchObject({ kind, ...more })
    })

    it('a webhook that is silent is tried later', async () => {
      const { id, destination } = newWebhook()
      discord.answer(id, 'silent')
      expect((await send(destination, messageOf(), AbortSignal.timeout(100))).kind).toBe('later')
    })

    it.each([
      'https://discord.com.example/api/webhooks/123456/',
      'http://discord.com/api/webhooks/123456/',
      'https://user@discord.com/api/webhooks/123456/',
      'https://discord.com:8443/api/webhooks/123456/',
      'https://127.0.0.1/api/webhooks/123456/',
      'https://discord.com/api/webhooks/../users/123456/',
      'https://discord.com/channels/123456/',
      'file:///api/webhooks/123456/',
    ])('ALERT-03 goes nowhere but to Discord: %s', async (address) => {
      const real = given({ discordApiUrl: 'https://discord.com', allowPrivateNetwork: false })
      expect(real.channels.check.discord(`${address}${token}`)).toEqual({ ok: false, why: 'invalid' })
      expect((await sendBy(real, 'discord')(`${address}${token}`, messageOf(), soonOver())).kind).toBe('gone')
    })

    it('takes the addresses that Discord gives out', () => {
      const { check } = given({ discordApiUrl: 'https://discord.com' }).channels
      for (const host of ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com']) {
        expect(check.discord(` https://${host}/api/v10/webhooks/123456/${token}?thread_id=1 `)).toEqual({
          ok: true,
          destination: `https://discord.com/api/webhooks/123456/${token}`,
          shown: 'discord.com … 3456',
        })
      }
    })

    it('never tells the webhook’s token', async () => {
      const { id, destination } = newWebhook()
      discord.answer(id, { status: 400, json: { message: `no /webhooks/${id}/${token}` } })
      const outcome = await send(destination)
      expect(JSON.stringify(outcome)).not.toContain(token)
      expect(made.log()).not.toContain(token)
    })
  })
})
