import { Secret } from '@siarin/media/secret'
import { startTelegramServer, type TelegramServer } from '@siarin/testkit/telegram-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DomainError } from '../src/errors.ts'
import type { ChannelsDeps } from '../src/modules/alerts/channels/channels.ts'
import { readTelegramDestination } from '../src/modules/alerts/channels/telegram.ts'
import { channelsOf, newBotToken, SOON } from './support/channels.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const until = (assertion: () => void | Promise<void>) => vi.waitFor(assertion, { timeout: 20_000, interval: 10 })
const RINA = { id: 4711, first_name: 'Rina', username: 'rina_live' }

describe.each(REPO_DATABASES)('ALERT-01 linking a Telegram chat, on $name', ({ open }) => {
  let telegram: TelegramServer
  let opened: RepoDatabase
  let operatorToken: string
  let userId: string
  let ends: (() => Promise<void>)[]

  beforeAll(async () => {
    telegram = await startTelegramServer()
    opened = await open()
  })
  afterAll(async () => {
    await opened.close()
    await telegram.dispose()
  })
  beforeEach(async () => {
    ends = []
    operatorToken = newBotToken()
    telegram.addBot(operatorToken, { username: 'siarin_bot' })
    userId = await addUser(opened.db)
  })
  afterEach(async () => {
    for (const end of ends) await end()
    telegram.answerMethod('getUpdates', null)
    // Nobody reads somebody else's bot in the next test.
    await opened.db.deleteFrom('telegram_links').execute()
  })

  function program(deps: Partial<ChannelsDeps> = {}, token: string | null = operatorToken) {
    const bot = token === null ? null : { token: new Secret(token), name: 'siarin_bot' }
    const made = channelsOf({ db: opened.db, settings: { telegram: { bot, apiUrl: telegram.url } }, deps })
    ends.push(() => made.channels.stop())
    return { ...made, links: made.channels.telegramLinks }
  }
  function started(deps: Partial<ChannelsDeps> = {}, token: string | null = operatorToken) {
    const made = program(deps, token)
    made.channels.start()
    return made
  }
  async function begin({ links }: ReturnType<typeof program>, token: string | null = null, user = userId) {
    const begun = await links.begin(user, token === null ? null : new Secret(token))
    if (!begun.ok) throw new Error(begun.why)
    return begun.offer
  }
  const linkRow = () =>
    opened.db.selectFrom('telegram_links').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const repliesTo = (chatId: number) => telegram.messages.filter((each) => each.chatId === String(chatId))

  it('takes a code once, and says so in the chat', async () => {
    const made = started()
    const offer = await begin(made)
    expect(offer.url).toBe(`https://t.me/siarin_bot?start=${offer.code}`)
    expect(offer.code).toMatch(/^[\w-]{22}$/)
    expect(await made.links.stateOf(userId)).toMatchObject({ state: 'waiting', botName: 'siarin_bot', problem: null })
    telegram.write(operatorToken, RINA, `/start ${offer.code}`)
    await until(() => expect(made.linked).toHaveLength(1))
    const [chat] = made.linked
    expect(chat).toMatchObject({ userId, shown: 'Rina (@rina_live) · @siarin_bot' })
    expect(readTelegramDestination(chat?.destination ?? '')).toEqual({ chatId: '4711', token: null })
    // What was written is there for others a moment later.
    await until(async () => expect(await made.links.stateOf(userId)).toMatchObject({ state: 'linked' }))
    const stranger = { id: 666, first_name: 'Orang lain' }
    telegram.write(operatorToken, stranger, `/start ${offer.code}`)
    await until(() => expect(repliesTo(666)[0]?.text).toContain('tidak dikenal'))
    expect(repliesTo(4711)[0]?.text).toContain('Terhubung')
    expect(made.linked).toHaveLength(1)
    expect(telegram.calls(operatorToken)[0]).toBe('deleteWebhook')
  })

  it('keeps the hash of a code and the sealed token alone, and neither stands in a log', async () => {
    const own = newBotToken()
    telegram.addBot(own, { username: 'rina_bot' })
    const made = program()
    const offer = await begin(made, own)
    const kept = JSON.stringify(await linkRow()) + made.log()
    expect(kept).not.toContain(offer.code)
    expect(kept).not.toContain(own.split(':')[1])
  })

  it('lets nobody in by an old code: a new one takes its place, and each is over after a while', async () => {
    let now = Date.now()
    const made = started({ clock: { now: () => now } })
    const first = await begin(made)
    const second = await begin(made)
    telegram.write(operatorToken, { id: 11 }, `/start ${first.code}`)
    await until(() => expect(repliesTo(11)[0]?.text).toContain('tidak dikenal'))
    now += SOON.telegram.codeMs
    expect(await made.links.stateOf(userId)).toMatchObject({ state: 'expired' })
    telegram.write(operatorToken, { id: 12 }, `/start ${second.code}`)
    await until(() => expect(repliesTo(12)[0]?.text).toContain('tidak dikenal'))
    await made.links.cancel(userId)
    expect(await made.links.stateOf(userId)).toMatchObject({ state: 'none' })
    expect(made.linked).toEqual([])
  })

  it('is not stopped by what else people and Telegram send', async () => {
    const made = started()
    const { code } = await begin(made)
    telegram.happen(operatorToken, { message: { text: 7, chat: null } })
    telegram.happen(operatorToken, { edited_channel_post: { a: [] } })
    telegram.write(operatorToken, RINA, `halo ${code}`)
    telegram.write(operatorToken, { id: 13 }, '/start')
    telegram.write(operatorToken, { id: -1009, title: 'Grup Tim' }, `/start@siarin_bot ${code}`)
    await until(() => expect(made.linked).toHaveLength(1))
    expect(made.linked[0]).toMatchObject({ shown: 'Grup Tim · @siarin_bot' })
    await until(() => expect(repliesTo(13)[0]?.text).toContain('menu Notifikasi'))
    expect(repliesTo(4711).at(-1)?.text ?? '').not.toContain('halo')
  })

  it('reads one by one what is too long together, and passes over what is so alone', async () => {
    const made = program()
    const { code } = await begin(made)
    for (const megabytes of [1.5, 1.5, 3]) {
      telegram.happen(operatorToken, { message: { chat: { id: 14 }, text: 'x'.repeat(megabytes * 1024 ** 2) } })
    }
    telegram.write(operatorToken, RINA, `/start ${code}`)
    made.channels.start()
    await until(() => expect(made.linked).toHaveLength(1))
    expect(made.log().match(/too long to be read/g)).toHaveLength(1)
  })

  it('loses nothing that was sent while no program ran, and takes nothing twice', async () => {
    const before = started()
    const first = await begin(before)
    telegram.write(operatorToken, { id: 21 }, `/start ${first.code}`)
    await until(() => expect(repliesTo(21)).toHaveLength(1))
    await before.channels.stop()
    const other = await addUser(opened.db)
    const second = await begin(before, null, other)
    telegram.write(operatorToken, { id: 22 }, `/start ${second.code}`)
    const after = started()
    await until(() => expect(after.linked).toHaveLength(1))
    expect(after.linked[0]?.userId).toBe(other)
    await until(() => expect(telegram.pending(operatorToken)).toBe(0))
    expect(repliesTo(21)).toHaveLength(1)
    expect(repliesTo(22)).toHaveLength(1)
  })

  it('links a chat whole or not at all, and tries again what could not be written', async () => {
    let fails = 2
    const written: string[] = []
    const made = started({
      keepLinked: async (_inside, { userId: whose }) => {
        if (fails-- > 0) throw new Error('the database is away')
        written.push(whose)
      },
    })
    const { code } = await begin(made)
    telegram.write(operatorToken, { id: 23 }, `/start ${code}`)
    await until(() => expect(written).toEqual([userId]))
    await until(() => expect(repliesTo(23).map(({ text }) => text)).toEqual([expect.stringContaining('Terhubung')]))
  })

  it('goes on after a message that can never be written', async () => {
    const other = await addUser(opened.db)
    const written: string[] = []
    const made = started({
      keepLinked: async (_inside, { userId: whose }) => {
        if (whose === userId) throw new Error('never')
        written.push(whose)
      },
    })
    telegram.answerMethod('getUpdates', { page: 502 })
    telegram.write(operatorToken, { id: 24 }, `/start ${(await begin(made)).code}`)
    telegram.write(operatorToken, { id: 25 }, `/start ${(await begin(made, null, other)).code}`)
    telegram.answerMethod('getUpdates', null)
    await until(() => expect(written).toEqual([other]))
    expect(made.log().match(/was left out/g)).toHaveLength(1)
  })

  it('says in the chat why there is no place for it, and takes the code once there is', async () => {
    let isFull = true
    const made = started({
      keepLinked: async () => {
        if (isFull) throw new DomainError('channel_limit_reached', 'Kanal sudah penuh.')
      },
    })
    const { code } = await begin(made)
    telegram.write(operatorToken, { id: 26 }, `/start ${code}`)
    await until(() => expect(repliesTo(26).map(({ text }) => text)).toEqual(['Kanal sudah penuh.']))
    expect(await made.links.stateOf(userId)).toMatchObject({ state: 'waiting' })
    isFull = false
    telegram.write(operatorToken, { id: 26 }, `/start ${code}`)
    await until(async () => expect(await made.links.stateOf(userId)).toMatchObject({ state: 'linked' }))
  })

  it('is read by one of several programs, and by another one once that is gone', async () => {
    const programs = [started(), started(), started()]
    const count = () => programs.flatMap(({ linked }) => linked).length
    const users = await Promise.all(Array.from({ length: 6 }, () => addUser(opened.db)))
    for (const [index, user] of users.entries()) {
      const { code } = await begin(programs[index % 3] ?? program(), null, user)
      telegram.write(operatorToken, { id: 3000 + index }, `/start ${code}`)
      if (index === 3) {
        await until(() => expect(count()).toBe(4))
        await programs.find(({ linked }) => linked.length > 0)?.channels.stop()
      }
    }
    await until(() => expect(count()).toBe(6))
    expect(programs.filter(({ linked }) => linked.length > 0).length).toBeGreaterThan(1)
    expect(telegram.mostPolls(operatorToken)).toBe(1)
    expect(new Set(programs.flatMap(({ linked }) => linked.map((chat) => chat.userId)))).toEqual(new Set(users))
  })

  it('says that another program reads the bot, and goes on once it does not', async () => {
    const conflict = { code: 409, description: 'Conflict: terminated by other getUpdates request' }
    telegram.answerMethod('getUpdates', conflict)
    const made = started()
    const { code } = await begin(made)
    await until(async () => expect(await made.links.stateOf(userId)).toMatchObject({ problem: 'conflict' }))
    telegram.write(operatorToken, { id: 31 }, `/start ${code}`)
    telegram.answerMethod('getUpdates', null)
    await until(() => expect(made.linked).toHaveLength(1))
    expect(made.log().match(/another program reads/g)).toHaveLength(1)
  })

  it('takes the operator’s bot back from a webhook', async () => {
    const taken = newBotToken()
    telegram.addBot(taken, { username: 'siarin_bot', webhook: 'https://old.example/hook' })
    const made = started({}, taken)
    telegram.write(taken, { id: 33 }, `/start ${(await begin(made)).code}`)
    await until(() => expect(made.linked).toHaveLength(1))
  })

  it('goes on after answers that are none', async () => {
    const made = started()
    const { code } = await begin(made)
    for (const fault of [{ page: 502 }, { code: 500, description: 'Internal' }, 'endless'] as const) {
      telegram.answerMethod('getUpdates', fault)
      const calls = telegram.calls(operatorToken).length
      await until(() => expect(telegram.calls(operatorToken).length).toBeGreaterThan(calls + 1))
    }
    telegram.answerMethod('getUpdates', null)
    telegram.write(operatorToken, { id: 32 }, `/start ${code}`)
    await until(() => expect(made.linked).toHaveLength(1))
  })

  it('takes a bot of one’s own, and reads it only while somebody waits', async () => {
    const own = newBotToken()
    telegram.addBot(own, { username: 'rina_bot' })
    const made = started({}, null)
    expect(await made.links.begin(userId, null)).toEqual({ ok: false, why: 'no_bot' })
    const offer = await begin(made, own)
    expect(offer.url).toMatch(/^https:\/\/t\.me\/rina_bot\?start=/)
    await until(() => expect(telegram.calls(own)).toContain('getUpdates'))
    telegram.write(own, RINA, `/start ${offer.code}`)
    await until(() => expect(made.linked).toHaveLength(1))
    expect(readTelegramDestination(made.linked[0]?.destination ?? '')).toEqual({ chatId: '4711', token: own })
    expect(telegram.calls(own)).not.toContain('deleteWebhook')
    await until(async () => expect(await made.links.stateOf(userId)).toMatchObject({ state: 'linked' }))
    expect((await linkRow())?.token_sealed).toBe('')
    await until(async () => {
      const calls = telegram.calls(own).length
      await new Promise((resolve) => setTimeout(resolve, 600))
      expect(telegram.calls(own)).toHaveLength(calls)
    })
  })

  it.each([
    ['no token', 'halo', 'token_refused'],
    ['one that Telegram does not know', newBotToken(), 'token_refused'],
  ])('refuses %s', async (_, token, why) => {
    expect(await program().links.begin(userId, new Secret(token))).toEqual({ ok: false, why })
  })

  it('refuses a bot that is at work for another program, and says when Telegram is away', async () => {
    const busy = newBotToken()
    telegram.addBot(busy, { username: 'toko_bot', webhook: 'https://toko.example/hook' })
    expect(await program().links.begin(userId, new Secret(busy))).toEqual({ ok: false, why: 'bot_busy' })
    const away = channelsOf({ db: opened.db })
    expect(await away.channels.telegramLinks.begin(userId, new Secret(busy))).toEqual({ ok: false, why: 'unreachable' })
  })

  it('stops waiting for a bot of one’s own whose token was withdrawn meanwhile', async () => {
    const own = newBotToken()
    telegram.addBot(own, { username: 'rina_bot' })
    const made = program({}, null)
    await begin(made, own)
    telegram.removeBot(own)
    made.channels.start()
    await until(async () => expect(await made.links.stateOf(userId)).toMatchObject({ problem: 'token_refused' }))
    telegram.addBot(own, { username: 'rina_bot' })
    const { code } = await begin(made, own)
    expect(await made.links.stateOf(userId)).toMatchObject({ problem: null })
    telegram.write(own, RINA, `/start ${code}`)
    await until(() => expect(made.linked).toHaveLength(1))
  })
})
