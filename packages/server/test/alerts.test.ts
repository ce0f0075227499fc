import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { type DiscordServer, startDiscordServer } from '@siarin/testkit/discord-server'
import { type PushService, startPushService } from '@siarin/testkit/push-service'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fact } from '../src/platform/outbox/facts.ts'
import { alertPerson } from './support/alert-people.ts'
import { CALM, DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, fromAddress, randomAddress, type TestProgram } from './support/program.ts'

const { alerts: _, ...PACE } = CALM
const TOKEN = 'a-token_that-nobody-else-may-see-0123456789abcdefghijklmnopqrstuv'
const failed = (at: number): Fact => ({ at, fact: 'stream.failed', payload: { cause: 'target-refused' } })

describe.each(DATABASES)('alerts over HTTP, on $name', ({ open }) => {
  let program: TestProgram
  let discord: DiscordServer
  let push: PushService

  beforeAll(async () => {
    discord = await startDiscordServer()
    push = await startPushService()
    const env = { DISCORD_API_URL: discord.url, PUBLIC_URL: 'https://siarin.example' }
    program = await startProgramOn(open, env, PACE)
  })
  afterAll(async () => {
    await program.close()
    await push.dispose()
    await discord.dispose()
  })

  const someone = () => alertPerson(program)
  let webhooks = 0
  const newWebhook = () => discord.addWebhook(String(10_000_000 + ++webhooks), TOKEN)

  it('[ALERT-01] a bell: what happened, newest first, in pages, read and unread', async () => {
    const one = await someone()
    expect(await one.ask('GET', '')).toMatchObject({
      status: 200,
      body: { success: true, message: 'Belum ada notifikasi.', data: [], nextCursor: null, unread: 0 },
    })
    const now = Date.now()
    for (let number = 0; number < 5; number++) await one.tell(`s${number}`, failed(now + number))
    const { data, unread } = await one.told(5)
    expect(unread).toBe(5)
    expect(data[0]).toMatchObject({
      kind: 'stream.failed',
      important: true,
      at: new Date(now + 4).toISOString(),
      read: false,
      path: '/fitur/siaran?siaran=s4',
      subjectId: 's4',
      text: expect.stringContaining('Platform menolak stream key'),
    })
    const first = (await one.ask('GET', '?limit=3')).body
    expect(first.data.map(({ subjectId }: { subjectId: string }) => subjectId)).toEqual(['s4', 's3', 's2'])
    const second = (await one.ask('GET', `?limit=3&cursor=${first.nextCursor}`)).body
    expect(second).toMatchObject({ data: [{ subjectId: 's1' }, { subjectId: 's0' }], nextCursor: null })
    expect((await one.ask('POST', `/${data[0].id}/read`)).body.data).toEqual({ unread: 4, newestId: data[0].id })
    expect((await one.ask('GET', '?unread=true')).body.data).toHaveLength(4)
    expect((await one.ask('POST', '/read-all', { upTo: data[2].id })).body.data.unread).toBe(1)
    expect((await one.ask('GET', '/unread')).body).toMatchObject({
      message: '1 notifikasi belum dibaca',
      data: { unread: 1, newestId: data[0].id },
    })
  })

  it('[ALERT-03] settings are kept whole, and what makes no sense is refused with a sentence', async () => {
    const one = await someone()
    expect((await one.ask('GET', '/settings')).body.data).toEqual(DEFAULT_ALERT_SETTINGS)
    const wanted = {
      ...DEFAULT_ALERT_SETTINGS,
      offAirMinutes: 5,
      restartsPerHour: 3,
      quiet: { on: true, from: '23:00', to: '05:30' },
      zone: 'Asia/Makassar',
    }
    expect((await one.ask('GET', '/settings')).body.saved).toBe(false)
    expect((await one.ask('PUT', '/settings', wanted)).body).toMatchObject({
      message: 'Pengaturan notifikasi disimpan.',
      saved: true,
    })
    for (const [change, message] of [
      [{ offAirMinutes: 0 }, 'Lama terputus 1 sampai 1440 menit.'],
      [{ restartsPerHour: 101 }, 'Jumlah mulai ulang 1 sampai 100 per jam.'],
      [{ zone: '+07:00' }, /Zona waktu tidak dikenal/],
      [{ quiet: { on: true, from: '22:00', to: '22:00' } }, /jam yang berbeda/],
      [{ quiet: { on: true, from: '25:00', to: '22:00' } }, 'Tulis jam seperti 22:00.'],
      [{ kinds: {} }, /./],
    ] as const) {
      const refused = await one.ask('PUT', '/settings', { ...wanted, ...change })
      expect(refused).toMatchObject({ status: 400, body: { success: false } })
      expect(refused.body.message).toMatch(message)
    }
    expect((await one.ask('GET', '/settings')).body).toMatchObject({ data: wanted, saved: true })
  })

  it('[ALERT-02] a Discord webhook: tested, told, its secret never shown, switched off when it is gone', async () => {
    const one = await someone()
    // Each message to another webhook: to one of them they come two seconds apart.
    const [toldUrl, testedUrl, goneUrl] = [newWebhook(), newWebhook(), newWebhook()]
    const idIn = (url: string) => url.split('/').at(-2)
    const sentTo = (url: string) => discord.messages.filter(({ webhookId }) => webhookId === idIn(url))
    const add = (url: string, name?: string) => one.ask('POST', '/channel/discord', { ...(name && { name }), url })
    const added = await add(toldUrl, 'Grup tim')
    expect(added).toMatchObject({ status: 200, body: { data: { kind: 'discord', name: 'Grup tim', state: 'on' } } })
    expect((await add(toldUrl)).body.data.id).toBe(added.body.data.id)
    await one.tell('malam', failed(Date.now()))
    await waitFor('the alert to arrive', async () => sentTo(toldUrl).length === 1)
    expect(sentTo(toldUrl)[0]?.content).toContain('Siaran gagal')

    const tested = (await add(testedUrl)).body.data
    expect(await one.ask('POST', `/channel/${tested.id}/test`)).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Pesan uji coba diterima.',
        data: { outcome: 'sent', channel: { last: { ok: true } } },
      },
    })
    expect(sentTo(testedUrl)).toHaveLength(1)

    const { id } = (await add(goneUrl, 'Tim lama')).body.data
    discord.removeWebhook(idIn(goneUrl) ?? '')
    const gone = await one.ask('POST', `/channel/${id}/test`)
    expect(gone.body).toMatchObject({
      message: expect.stringContaining('kami matikan'),
      data: { outcome: 'gone', channel: { state: 'gone', stateReason: expect.any(String) } },
    })
    const { data } = await one.told(2)
    expect(data[0]).toMatchObject({ kind: 'channel.gone', path: '/fitur/notifikasi' })

    expect((await one.ask('PATCH', `/channel/${id}`, { on: true, name: 'Tim' })).body.data).toMatchObject({
      name: 'Tim',
      state: 'on',
    })
    const shown = JSON.stringify([added.body, (await one.ask('GET', '/channel')).body, data, gone.body])
    for (const text of [shown, await program.dump(), program.logged()]) expect(text).not.toContain(TOKEN)
    expect(await one.ask('DELETE', `/channel/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Saluran dihapus.' },
    })
    expect((await one.ask('DELETE', `/channel/${id}`)).status).toBe(404)
    const activity = await program.activityOf(one.user.email)
    const written = activity.filter(({ kind }) => kind.startsWith('alert-channel'))
    expect(written.map(({ kind, detail }) => `${kind} ${detail}`).sort()).toEqual([
      expect.stringMatching(/^alert-channel-added Discord \(/),
      expect.stringMatching(/^alert-channel-added Grup tim \(/),
      expect.stringMatching(/^alert-channel-added Tim lama \(/),
      expect.stringMatching(/^alert-channel-removed Tim \(/),
    ])
    expect(JSON.stringify(activity)).not.toContain(TOKEN)
  })

  it('[ALERT-02] a browser: subscribed with the key of the server, told with the id of the message, and taken off', async () => {
    const one = await someone()
    const { offered } = (await one.ask('GET', '/channel')).body
    expect(offered).toMatchObject({ discord: true, push: true, email: false, telegramBot: null })
    const subscription = push.subscribe(offered.pushPublicKey)
    const { id } = (await one.ask('POST', '/channel/push', { name: 'HP', subscription })).body.data
    await one.tell('malam', failed(Date.now()))
    const pushed = () =>
      push.pushes.filter(({ to }) => subscription.endpoint.endsWith(to)).map(({ payload }) => JSON.parse(payload))
    await waitFor('the push', async () => pushed().length === 1)
    expect(pushed()[0]).toMatchObject({
      id: expect.stringMatching(/^al-\d+$/),
      url: 'https://siarin.example/fitur/siaran?siaran=malam',
      isImportant: true,
    })
    // Allowed anew, it is the same browser.
    expect((await one.ask('POST', '/channel/push', { subscription })).body.data.id).toBe(id)
    push.answer(subscription, { status: 410 })
    await one.tell('pagi', failed(Date.now()))
    const state = async () => (await one.ask('GET', '/channel')).body.data[0].state
    await waitFor('the channel to be switched off', async () => (await state()) === 'gone')
    for (const status of [200, 404])
      expect((await one.ask('POST', '/channel/push/remove', { endpoint: subscription.endpoint })).status).toBe(status)
  })

  it('[ALERT-03] a session of a strange browser has to prove itself before it may listen; a key has not', async () => {
    const one = await someone()
    const stolen = { authorization: `Bearer ${await one.loginElsewhere()}`, ...fromAddress(randomAddress()) }
    const subscription = push.subscribe((await one.ask('GET', '/channel')).body.offered.pushPublicKey)
    const adding = [
      ['discord', { url: newWebhook() }],
      ['push', { subscription }],
      ['telegram', {}],
    ] as const
    for (const [path, body] of adding) {
      const reply = await call(program.url, 'POST', `/fitur/alert/channel/${path}`, { body, headers: stolen })
      expect(reply).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    }
    for (const [path, body] of adding.slice(0, 2)) {
      const headers = { 'x-api-key': one.user.apiKey }
      expect((await call(program.url, 'POST', `/fitur/alert/channel/${path}`, { body, headers })).status).toBe(200)
    }
  })

  it('[ALERT-03] the pushes of a browser end with its session, whoever ends that, and not by age', async () => {
    const one = await someone()
    const login = async () => bearer(await one.loginElsewhere())
    const { pushPublicKey } = (await one.ask('GET', '/channel')).body.offered
    const browsers = [await login(), await login()].map((headers) => ({ headers, made: push.subscribe(pushPublicKey) }))
    for (const { headers, made } of browsers) {
      await call(program.url, 'POST', '/fitur/alert/channel/push', { body: { subscription: made }, headers })
    }
    const [left, kept] = browsers
    await call(program.url, 'POST', '/auth/logout', { headers: left?.headers ?? {} })
    // Used by nobody for so long that it is of no use any more.
    await program.db
      .updateTable('sessions')
      .set({ last_seen_at: 1 })
      .where('user_id', '=', one.id)
      .where('ended_at', 'is', null)
      .execute()
    await one.tell('malam', failed(Date.now()))
    const count = (of: typeof left) => push.pushes.filter(({ to }) => of?.made.endpoint.endsWith(to)).length
    await waitFor('the other browser to be told', async () => count(kept) === 1)
    const headers = { 'x-api-key': one.user.apiKey }
    const states = async () => (await call(program.url, 'GET', '/fitur/alert/channel', { headers })).body.data
    await waitFor('the channel to be switched off', async () => (await states())[0].state === 'gone')
    expect(await states()).toMatchObject([{ stateReason: expect.any(String) }, { state: 'on' }])
    expect(count(left)).toBe(0)
  })

  it('[ALERT-02] at most twenty channels, however many are added at once', async () => {
    const one = await someone()
    const answers = await Promise.all(
      Array.from({ length: 23 }, () => one.ask('POST', '/channel/discord', { url: newWebhook() })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { code: 'channel_limit_reached', message: 'Paling banyak 20 saluran. Hapus dulu yang tidak dipakai.' },
    })
  })

  it('[ALERT-02] what cannot be a channel is refused with a sentence', async () => {
    const one = await someone()
    for (const [path, body, message] of [
      ['discord', { url: 'https://example.com/api/webhooks/1/x' }, /webhook Discord/],
      ['discord', {}, /webhook Discord/],
      ['telegram', { botToken: 'bukan token' }, /Token bot tidak valid/],
      ['telegram', {}, /tidak punya bot Telegram/],
      ['push', { subscription: { endpoint: 'ftp://x', keys: {} } }, /browser tidak valid/],
      ['email', {}, /belum disiapkan di server/],
    ] as const) {
      const refused = await one.ask('POST', `/channel/${path}`, body)
      expect({ path, ...refused }).toMatchObject({ path, status: 400, body: { success: false } })
      expect(refused.body.message).toMatch(message)
    }
    expect((await one.ask('GET', '/channel')).body.data).toEqual([])
  })

  it('[ALERT-02] nobody sees or changes what is another’s', async () => {
    const [owner, stranger] = [await someone(), await someone()]
    const { id } = (await owner.ask('POST', '/channel/discord', { url: newWebhook() })).body.data
    await owner.tell('malam', failed(Date.now()))
    const { data } = await owner.told(1)
    for (const [method, path, body] of [
      ['POST', `/${data[0].id}/read`],
      ['PATCH', `/channel/${id}`, { name: 'Milik saya' }],
      ['DELETE', `/channel/${id}`],
      ['POST', `/channel/${id}/test`],
    ] as const) {
      expect({ path, status: (await stranger.ask(method, path, body)).status }).toEqual({ path, status: 404 })
    }
    await stranger.ask('POST', '/read-all', { upTo: '999999999' })
    await stranger.ask('PUT', '/settings', { ...DEFAULT_ALERT_SETTINGS, offAirMinutes: 9 })
    expect((await stranger.ask('GET', '')).body).toMatchObject({ data: [], unread: 0 })
    expect((await stranger.ask('GET', '/channel')).body.data).toEqual([])
    expect((await stranger.ask('GET', '/channel/telegram')).body.data.state).toBe('none')
    expect((await owner.ask('GET', '')).body).toMatchObject({ unread: 1 })
    expect((await owner.ask('GET', '/settings')).body.data.offAirMinutes).toBe(1)
    expect((await owner.ask('GET', '/channel')).body.data[0]).toMatchObject({ id, name: 'Discord' })

    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/unread'],
      ['POST', '/1/read'],
      ['POST', '/read-all'],
      ['GET', '/settings'],
      ['PUT', '/settings'],
      ['GET', '/channel'],
      ['POST', '/channel/discord'],
      ['POST', '/channel/telegram'],
      ['GET', '/channel/telegram'],
      ['DELETE', '/channel/telegram'],
      ['POST', '/channel/push'],
      ['POST', '/channel/push/remove'],
      ['POST', '/channel/email'],
      ['PATCH', `/channel/${id}`],
      ['DELETE', `/channel/${id}`],
      ['POST', `/channel/${id}/test`],
    ] as const) {
      const anonymous = await call(program.url, method, `/fitur/alert${path}`, method === 'GET' ? {} : { body: {} })
      expect({ path, status: anonymous.status }).toEqual({ path, status: 401 })
    }
  })
})
