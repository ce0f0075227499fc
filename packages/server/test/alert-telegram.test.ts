import { Secret } from '@siarin/media/secret'
import { startTelegramServer, type TelegramFault, type TelegramServer } from '@siarin/testkit/telegram-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendOutcome } from '../src/modules/alerts/channels/channel.ts'
import type { ChannelSettings, ChannelsDeps } from '../src/modules/alerts/channels/channels.ts'
import { telegramDestination } from '../src/modules/alerts/channels/telegram.ts'
import { channelsOf, messageOf, newBotToken, ON_SQLITE, sendBy, soonOver } from './support/channels.ts'
import type { RepoDatabase } from './support/repo-databases.ts'

describe.each(ON_SQLITE)('ALERT-01 a message to', ({ open }) => {
  let opened: RepoDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const given = (settings: Partial<ChannelSettings> = {}, deps: Partial<ChannelsDeps> = {}) =>
    channelsOf({ db: opened.db, settings, deps })

  describe('Telegram', () => {
    const operatorToken = newBotToken()
    const ownToken = newBotToken()
    let telegram: TelegramServer
    let made: ReturnType<typeof given>
    let lastChat = 1000

    beforeAll(async () => {
      telegram = await startTelegramServer()
      telegram.addBot(operatorToken, { username: 'siarin_bot' })
      telegram.addBot(ownToken, { username: 'rina_bot' })
      made = given({
        telegram: { bot: { token: new Secret(operatorToken), name: 'siarin_bot' }, apiUrl: telegram.url },
      })
    })
    afterAll(() => telegram.dispose())

    const newChat = () => {
      lastChat += 1
      return String(lastChat)
    }
    const send = (chatId: string, message = messageOf(), { token = null as string | null, signal = soonOver() } = {}) =>
      sendBy(made, 'telegram')(telegramDestination({ chatId, token }), message, signal)
    const sendAfter = (fault: TelegramFault, own: string | null = null) => {
      const chatId = newChat()
      telegram.answerChat(chatId, fault)
      return send(chatId, messageOf(), { token: own })
    }

    it('comes with its title, its text and where to look, by the operator’s bot or one’s own', async () => {
      const chatId = newChat()
      expect(await send(chatId)).toEqual({ kind: 'sent', answer: '200 OK' })
      const [got] = telegram.messages.filter((each) => each.chatId === chatId)
      expect(got?.token).toBe(operatorToken)
      expect(got?.text).toBe(
        'Siaran "Ngaji Malam" mati\nSiaran ke YouTube berhenti pukul 02.14 WIB. Kami mencoba lagi.\n\nhttps://siarin.example/fitur/siaran',
      )
      expect(got?.fields).toMatchObject({
        entities: [{ type: 'bold', offset: 0, length: 25 }],
        disable_notification: false,
      })
      const other = newChat()
      await send(other, messageOf({ isImportant: false, url: null }), { token: ownToken })
      const calm = telegram.messages.find((each) => each.chatId === other)
      expect(calm).toMatchObject({ token: ownToken, fields: { disable_notification: true } })
    })

    it('is cut to what Telegram takes, and keeps its link', async () => {
      const chatId = newChat()
      expect((await send(chatId, messageOf({ title: 'J'.repeat(9_000), text: '😀'.repeat(9_000) }))).kind).toBe('sent')
      const got = telegram.messages.find((each) => each.chatId === chatId)
      expect(got?.text.length).toBeLessThanOrEqual(4096)
      expect(got?.text.isWellFormed()).toBe(true)
      expect(got?.text).toMatch(/https:\/\/siarin\.example\/fitur\/siaran$/)
    })

    it.each<[string, TelegramFault, SendOutcome['kind'], object]>([
      ['blocked', { code: 403, description: 'Forbidden: bot was blocked by the user' }, 'gone', {}],
      ['kicked', { code: 403, description: 'Forbidden: bot was kicked from the supergroup chat' }, 'gone', {}],
      ['never begun', { code: 403, description: "Forbidden: bot can't initiate conversation with a user" }, 'gone', {}],
      ['not found', { code: 400, description: 'Bad Request: chat not found' }, 'gone', {}],
      [
        'too fast',
        { code: 429, description: 'Too Many Requests: retry after 7', parameters: { retry_after: 7 } },
        'later',
        { afterMs: 7_000 },
      ],
      ['broken', { code: 500, description: 'Internal Server Error' }, 'later', { afterMs: null }],
      ['behind a broken proxy', { page: 502 }, 'later', { afterMs: null }],
      ['odd', { code: 400, description: 'Bad Request: can’t parse entities' }, 'refused', {}],
    ])('a chat that is %s', async (_, fault, kind, more) => {
      const outcome = await sendAfter(fault)
      expect(outcome).toMatchObject({ kind, ...more })
      if ('code' in (fault as object)) expect(outcome.answer).toContain((fault as { description: string }).description)
    })

    it('a group that has become a supergroup goes to its new id from then on', async () => {
      const outcome = await sendAfter({
        ...{ code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat' },
        parameters: { migrate_to_chat_id: -1001234567890 },
      })
      expect(outcome.kind).toBe('moved')
      if (outcome.kind !== 'moved') return
      expect(await sendBy(made, 'telegram')(outcome.destination, messageOf(), soonOver())).toMatchObject({
        kind: 'sent',
      })
      expect(telegram.messages.at(-1)?.chatId).toBe('-1001234567890')
    })

    it('a bot whose token counts no more: one’s own is gone, the operator’s is to be mended', async () => {
      const dead = newBotToken()
      expect(await send(newChat(), messageOf(), { token: dead })).toEqual({ kind: 'gone', answer: '401 Unauthorized' })
      const other = given({ telegram: { bot: { token: new Secret(dead), name: 'x_bot' }, apiUrl: telegram.url } })
      const destination = telegramDestination({ chatId: newChat(), token: null })
      expect((await sendBy(other, 'telegram')(destination, messageOf(), soonOver())).kind).toBe('later')
      const none = given({ telegram: { bot: null, apiUrl: telegram.url } })
      expect((await sendBy(none, 'telegram')(destination, messageOf(), soonOver())).kind).toBe('later')
      expect((await sendBy(none, 'telegram')('{"chatId":"x"}', messageOf(), soonOver())).kind).toBe('gone')
    })

    it('is given up in time by a silent server, cut off at an endless one, and later where none answers', async () => {
      const chatId = newChat()
      telegram.answerChat(chatId, 'silent')
      const began = performance.now()
      const outcome = await send(chatId, messageOf(), { signal: AbortSignal.timeout(100) })
      expect(outcome).toMatchObject({ kind: 'later', afterMs: null })
      expect(performance.now() - began).toBeLessThan(500 + 100)
      expect((await sendAfter('endless')).kind).toBe('later')
      const away = given({
        telegram: { bot: { token: new Secret(operatorToken), name: 'x_bot' }, apiUrl: 'http://127.0.0.1:1' },
      })
      const destination = telegramDestination({ chatId, token: null })
      expect(await sendBy(away, 'telegram')(destination, messageOf(), soonOver())).toMatchObject({ kind: 'later' })
    })

    it('comes at most once a second to a chat, and waits while Telegram asked for a pause', async () => {
      const chatId = newChat()
      const began = performance.now()
      await send(chatId)
      await send(chatId)
      expect(performance.now() - began).toBeGreaterThan(900)
      const paused = newChat()
      telegram.answerChat(paused, { code: 429, description: 'Too Many Requests', parameters: { retry_after: 60 } })
      expect((await send(paused)).kind).toBe('later')
      telegram.answerChat(paused, null)
      const calls = telegram.calls(operatorToken).length
      const outcome = await send(paused)
      expect(outcome.kind === 'later' && (outcome.afterMs ?? 0) > 50_000).toBe(true)
      expect(telegram.calls(operatorToken)).toHaveLength(calls)
    })

    it('never tells a token, whatever is answered', async () => {
      const outcome = await sendAfter({ code: 400, description: `Bad Request: /bot${ownToken}/sendMessage` }, ownToken)
      expect(outcome.kind).toBe('refused')
      const secret = ownToken.split(':')[1] ?? ''
      expect(JSON.stringify(outcome)).not.toContain(secret)
      expect(made.log()).not.toContain(secret)
    })
  })
})
