import type { AlertChannel } from '@siarin/contracts/alerts'
import { type DiscordServer, startDiscordServer } from '@siarin/testkit/discord-server'
import { type MailServer, startMailServer } from '@siarin/testkit/mail-server'
import { type PushService, startPushService } from '@siarin/testkit/push-service'
import { startTelegramServer, type TelegramServer } from '@siarin/testkit/telegram-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeFacts } from '../src/platform/outbox/facts.ts'
import { newBotToken } from './support/channels.ts'
import { CALM, DATABASES, startProgramOn } from './support/databases.ts'
import { mailSettings } from './support/mail.ts'
import { bearer, call, signIn, type TestProgram } from './support/program.ts'

/** A user may not ask more often than ten times a second. */
const until = <T>(assertion: () => T | Promise<T>) => vi.waitFor(assertion, { timeout: 120_000, interval: 150 })
const PACE = { webhooks: CALM.webhooks, schedules: CALM.schedules }
const PATH = '/fitur/alert/channel'
const DISCORD_TOKEN = `rahasia-${'webhook'.repeat(6)}`

/** At once, since most of their time is the pace of Telegram: each has people, chats and webhooks of its own. */
describe.concurrent.each(DATABASES)('ALERT-01 the channels of a workspace, on $name', ({ open }) => {
  const botToken = newBotToken()
  let program: TestProgram
  let telegram: TelegramServer
  let discord: DiscordServer
  let push: PushService
  let mail: MailServer
  let lastId = 500_000

  beforeAll(async () => {
    telegram = await startTelegramServer()
    telegram.addBot(botToken, { username: 'siarin_bot' })
    discord = await startDiscordServer()
    push = await startPushService()
    mail = await startMailServer()
    program = await startProgramOn(
      open,
      {
        ...mailSettings(mail.url),
        ...{ TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_BOT_NAME: 'siarin_bot', TELEGRAM_API_URL: telegram.url },
        DISCORD_API_URL: discord.url,
      },
      PACE,
    )
  })
  afterAll(async () => {
    await program.close()
    for (const server of [telegram, discord, push]) await server.dispose()
    await mail.stop()
  })

  const newId = () => {
    lastId += 1
    return lastId
  }

  async function person() {
    const { token, user } = await signIn(program.url)
    expect(token).toBeTypeOf('string')
    const headers = bearer(token)
    const ask = (method: string, path: string, body?: object) =>
      call(program.url, method, path, { headers, ...(body && { body }) })
    const channels = async (): Promise<AlertChannel[]> => (await ask('GET', PATH)).body.data
    const test = async ({ id }: { id: string }) => (await ask('POST', `${PATH}/${id}/test`)).body.data
    return { ask, channels, test, user }
  }
  type Person = Awaited<ReturnType<typeof person>>

  async function link({ ask, channels }: Person, own?: string): Promise<{ channel: AlertChannel; chatId: number }> {
    const { status, body } = await ask('POST', `${PATH}/telegram`, own ? { botToken: own } : {})
    expect(status).toBe(200)
    const chatId = newId()
    telegram.write(own ?? botToken, { id: chatId, first_name: 'Rina' }, `/start ${body.data.code}`)
    return until(async () => {
      const channel = (await channels()).find(({ kind }) => kind === 'telegram')
      if (!channel) throw new Error('not linked yet')
      return { channel, chatId }
    })
  }
  async function addDiscord({ ask }: Person) {
    const id = String(newId())
    const { body } = await ask('POST', `${PATH}/discord`, { url: discord.addWebhook(id, DISCORD_TOKEN) })
    return { id, channel: body.data as AlertChannel }
  }
  async function addPush({ ask }: Person) {
    const subscription = push.subscribe((await ask('GET', PATH)).body.offered.pushPublicKey)
    const { body } = await ask('POST', `${PATH}/push`, { subscription })
    return { subscription, channel: body.data as AlertChannel }
  }
  async function addEmail({ ask, user }: Person) {
    await program.db.updateTable('users').set({ email_verified_at: 1 }).where('email', '=', user.email).execute()
    const { status, body } = await ask('POST', `${PATH}/email`)
    expect(status).toBe(200)
    return body.data as AlertChannel
  }
  async function tell({ user }: Person, filename: string): Promise<void> {
    const { id: userId } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    const payload = { filename, reason: null }
    await writeFacts(program.db, { kind: 'video', id: `v${newId()}`, userId }, [
      { at: program.clock.now(), fact: 'video.failed', payload },
    ])
  }

  // First: Telegram takes a message to a group every three seconds, and the others run meanwhile.
  it('follow a group that has moved', async () => {
    const rina = await person()
    const { channel, chatId } = await link(rina)
    const movedTo = -1_001_000_000_000 - newId()
    telegram.answerChat(String(chatId), {
      ...{ code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat' },
      parameters: { migrate_to_chat_id: movedTo },
    })
    expect(await rina.test(channel)).toMatchObject({ outcome: 'sent' })
    await tell(rina, 'pindah.mp4')
    await until(() =>
      expect(telegram.messages.findLast(({ text }) => text.includes('pindah.mp4'))?.chatId).toBe(String(movedTo)),
    )
  })

  it('tell what happened on each of them, and nobody else', async () => {
    const rina = await person()
    const budi = await person()
    const { chatId, channel } = await link(rina)
    expect(channel).toMatchObject({ hint: 'Rina · @siarin_bot', state: 'on' })
    expect(await program.activityOf(rina.user.email)).toContainEqual(
      expect.objectContaining({ kind: 'alert-channel-added', detail: 'Telegram (Rina · @siarin_bot)' }),
    )
    const { id: webhookId } = await addDiscord(rina)
    const { subscription } = await addPush(rina)
    await addEmail(rina)
    const other = await addDiscord(budi)
    await tell(rina, 'ngaji-subuh.mp4')
    await until(() => {
      expect(telegram.messages.filter((each) => each.text.includes('ngaji-subuh.mp4'))).toHaveLength(1)
      expect(discord.messages.filter((each) => each.webhookId === webhookId)).toHaveLength(1)
      expect(push.pushes.filter(({ to }) => subscription.endpoint.endsWith(to))).toHaveLength(1)
      expect(
        mail.mails.filter(({ to, text }) => to === rina.user.email && text.includes('ngaji-subuh.mp4')),
      ).toHaveLength(1)
    })
    expect(telegram.messages.find((each) => each.text.includes('ngaji-subuh.mp4'))?.chatId).toBe(String(chatId))
    expect(push.pushes.find(({ to }) => subscription.endpoint.endsWith(to))?.payload).toContain('ngaji-subuh.mp4')
    expect(discord.messages.some((each) => each.webhookId === other.id)).toBe(false)
  })

  it('say at a test what the other side said', async () => {
    const rina = await person()
    const { channel } = await link(rina)
    expect(await rina.test(channel)).toMatchObject({ outcome: 'sent', answer: '200 OK' })
    expect(await rina.test((await addPush(rina)).channel)).toMatchObject({ outcome: 'sent', answer: '201 OK' })
    expect(await rina.test(await addEmail(rina))).toMatchObject({
      outcome: 'sent',
      answer: expect.stringMatching(/^250 /),
    })
    const webhook = await addDiscord(rina)
    discord.answer(webhook.id, { status: 503, json: { message: 'upstream is away' } })
    expect(await rina.test(webhook.channel)).toMatchObject({ outcome: 'later', answer: '503 upstream is away' })
  })

  it('ALERT-03 are switched off where the other side is gone, and say why', async () => {
    const rina = await person()
    const { channel, chatId } = await link(rina)
    telegram.answerChat(String(chatId), { code: 403, description: 'Forbidden: bot was blocked by the user' })
    expect(await rina.test(channel)).toMatchObject({ outcome: 'gone', channel: { state: 'gone' } })
    const webhook = await addDiscord(rina)
    discord.removeWebhook(webhook.id)
    const browser = await addPush(rina)
    push.answer(browser.subscription, { status: 410, text: 'unsubscribed' })
    await tell(rina, 'rusak.mp4')
    await until(async () => expect((await rina.channels()).map(({ state }) => state)).toEqual(['gone', 'gone', 'gone']))
    const answers = (await rina.channels()).map(({ last }) => last?.answer)
    expect(answers).toEqual([
      '403 Forbidden: bot was blocked by the user',
      '404 Unknown Webhook',
      expect.stringContaining('410 unsubscribed'),
    ])
    telegram.answerChat(String(chatId), null)
    const again = await rina.ask('PATCH', `${PATH}/${channel.id}`, { on: true })
    expect(again.body.data.state).toBe('on')
    expect(await rina.test(channel)).toMatchObject({ outcome: 'sent' })
  })

  it('take a bot of one’s own, and refuse what is none', async () => {
    const rina = await person()
    const own = newBotToken()
    telegram.addBot(own, { username: 'rina_bot' })
    const { channel, chatId } = await link(rina, own)
    expect(channel.hint).toBe('Rina · @rina_bot')
    await rina.test(channel)
    expect(telegram.messages.findLast((each) => each.chatId === String(chatId))?.token).toBe(own)
    expect((await rina.ask('POST', `${PATH}/telegram`, { botToken: newBotToken() })).status).toBe(422)
    expect((await rina.ask('POST', `${PATH}/telegram`, { botToken: 'halo' })).status).toBe(400)
    expect((await rina.ask('POST', `${PATH}/discord`, { url: 'https://example.com/api/webhooks/1/x' })).status).toBe(
      400,
    )
    const { keys } = push.subscribe('AAAA')
    const subscription = { endpoint: 'https://127.0.0.1:6379/x', keys: { ...keys, p256dh: 'AAAA' } }
    expect((await rina.ask('POST', `${PATH}/push`, { subscription })).status).toBe(400)
    expect((await rina.ask('POST', `${PATH}/email`)).status).toBe(400)
  })

  it('ALERT-03 leave no secret in answers, rows or the log', async () => {
    const rina = await person()
    const own = newBotToken()
    telegram.addBot(own, { username: 'rina_bot' })
    const { channel } = await link(rina, own)
    const webhook = await addDiscord(rina)
    const { subscription } = await addPush(rina)
    discord.answer(webhook.id, { status: 400, json: { message: `bad ${DISCORD_TOKEN}` } })
    push.answer(subscription, { status: 400, text: `bad ${subscription.endpoint}` })
    telegram.removeBot(own)
    const said = []
    for (const each of await rina.channels()) said.push(await rina.test(each))
    expect(said.map(({ outcome }) => outcome)).toEqual(['gone', 'refused', 'refused'])
    expect(said[0]?.channel.id).toBe(channel.id)
    const rows = await program.db.selectFrom('alert_channels').selectAll().execute()
    const all = JSON.stringify([said, await rina.channels(), rows]) + program.logged()
    for (const secret of [own, botToken].map((token) => token.split(':')[1] ?? '')) expect(all).not.toContain(secret)
    expect(all).not.toContain(DISCORD_TOKEN)
    expect(all).not.toContain(subscription.endpoint.split('/push/')[1])
  })

  it('ALERT-03 are nobody else’s', async () => {
    const rina = await person()
    const budi = await person()
    const { channel } = await addDiscord(rina)
    for (const [method, path, body] of [
      ['POST', `${PATH}/${channel.id}/test`],
      ['PATCH', `${PATH}/${channel.id}`, { on: false }],
      ['DELETE', `${PATH}/${channel.id}`],
    ] as const) {
      expect((await budi.ask(method, path, body)).status).toBe(404)
    }
    await rina.ask('POST', `${PATH}/telegram`, {})
    expect((await budi.ask('GET', `${PATH}/telegram`)).body.data.state).toBe('none')
    await budi.ask('DELETE', `${PATH}/telegram`)
    expect((await rina.ask('GET', `${PATH}/telegram`)).body.data.state).toBe('waiting')
    expect((await rina.channels())[0]?.state).toBe('on')
    expect(await budi.channels()).toEqual([])
  })
})
