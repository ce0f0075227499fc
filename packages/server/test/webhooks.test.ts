import { WEBHOOK_TEXTS } from '@siarin/contracts/webhook-texts'
import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALM, DATABASES, startProgramOn } from './support/databases.ts'
import { call, fromAddress, randomAddress, type TestProgram } from './support/program.ts'
import { assertSigned, hasTakenAll, hookOwner, LIVE, tell } from './support/webhooks.ts'

const { webhooks: _, ...PACE } = CALM
const TOKEN = 'token-rahasia-di-alamat'

describe.each(DATABASES)('webhooks on $name', ({ open }) => {
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

  it('[HOOK-03] a test that is sent again is tried once, under its id, and the log says when', async () => {
    const one = await hookOwner(program)
    const { id } = (await one.add(receiver.urlOf('tested-again'))).body.data
    const { data: tested } = (await one.ask('POST', `/${id}/test`)).body
    receiver.answer('tested-again', 500)
    const again = (await one.ask('POST', `/${id}/deliveries/${tested.id}/resend`)).body
    expect(again).toMatchObject({
      message: 'Penerima menjawab dengan status selain 2xx.',
      data: { id: tested.id, state: 'failed', nextTryAt: null, tries: 1, createdAt: tested.createdAt },
    })
    expect([tested.resentAt, Date.parse(again.data.resentAt) > Date.parse(tested.createdAt)]).toEqual([null, true])
    expect((await one.log(id)).map((entry: { id: string; state: string }) => [entry.id, entry.state])).toEqual([
      [tested.id, 'failed'],
    ])
    expect(receiver.received('tested-again').map((got) => got.id)).toEqual([tested.id, tested.id])
  })

  it('[HOOK-03] a test of one that is deleted meanwhile says that it is gone', async () => {
    const one = await hookOwner(program)
    const { id } = (await one.add(receiver.urlOf('deleted-meanwhile'))).body.data
    receiver.answer('deleted-meanwhile', 'hang')
    const testing = one.ask('POST', `/${id}/test`)
    await waitFor('the test to arrive', async () => receiver.received('deleted-meanwhile').length > 0)
    expect((await one.ask('DELETE', `/${id}`)).status).toBe(200)
    await waitFor('its row to go', async () => {
      const rows = await program.db.selectFrom('webhook_endpoints').select('id').where('id', '=', id).execute()
      return rows.length === 0
    })
    expect(await testing).toMatchObject({ status: 404, body: { code: 'not_found', message: WEBHOOK_TEXTS.notFound } })
  })

  it('[HOOK-02] a test that is taken sends at once what waits for a later try', async () => {
    const one = await hookOwner(program)
    const { id } = (await one.add(receiver.urlOf('mended'))).body.data
    receiver.answer('mended', { status: 503, headers: { 'retry-after': '3600' } }, 204)
    await tell(program, one.user, [{ fact: 'video.ready', payload: { filename: 'kebun.mp4' } }], {
      kind: 'video',
      id: 'mended',
    })
    await waitFor('its next try', async () => (await one.log(id))[0].status === 503)
    expect((await one.log(id))[0]).toMatchObject({ state: 'waiting', about: 'kebun.mp4' })
    const { message } = (await one.ask('POST', `/${id}/test`)).body
    expect(message).toBe(
      'Penerima menjawab 204. Webhook ini siap dipakai. Kiriman yang menunggu dikirim sekarang juga.',
    )
    await receiver.got('mended', 3)
    await one.settled(id)
    expect((await one.ask('POST', `/${id}/test`)).body.message).toBe('Penerima menjawab 204. Webhook ini siap dipakai.')
  })

  it('[HOOK-01] show their secret once, and neither log nor rows have it or the address', async () => {
    const one = await hookOwner(program)
    expect(await one.list()).toMatchObject({ status: 200, body: { message: 'Anda belum punya webhook.', data: [] } })
    const url = `${receiver.urlOf('crud')}?t=${TOKEN}`
    const added = await one.add(url, {
      description: 'CI',
      events: ['stream.live', 'stream.ended', ...Array(90).fill('stream.live')],
    })
    expect(added).toMatchObject({
      status: 200,
      body: {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        data: {
          ...{ url, description: 'CI', events: ['stream.live', 'stream.ended'], state: 'active', stateReason: null },
          ...{ warning: expect.stringContaining('http://'), waiting: 0, failingSince: null, oldSecretUntil: null },
        },
      },
    })
    const { secret, data } = added.body
    const stored = program.db.selectFrom('webhook_endpoints').select('events').where('id', '=', data.id)
    expect(await stored.execute()).toEqual([{ events: '["stream.live","stream.ended"]' }])
    expect(await one.add('http://127.0.0.1:0/')).toMatchObject({ status: 400, body: { code: 'webhook_invalid' } })
    expect(await one.get(data.id)).toEqual(data)
    const listed = await one.list()
    expect(listed.body).toMatchObject({ data: [data], allowed: 20 })
    const changed = await one.ask('PATCH', `/${data.id}`, { description: 'CI baru', events: ['video.ready'] })
    expect(changed.body.data).toMatchObject({ description: 'CI baru', events: ['video.ready'], url })
    const rotated = await one.ask('POST', `/${data.id}/rotate-secret`)
    expect(rotated.body.secret).not.toBe(secret)
    expect(Date.parse(rotated.body.data.oldSecretUntil) - program.clock.now()).toBeGreaterThan(86_000_000)
    expect((await one.ask('POST', `/${data.id}/test`)).status).toBe(200)
    expect((await one.ask('DELETE', `/${data.id}`)).body.message).toBe('Webhook dihapus.')
    expect((await one.ask('DELETE', `/${data.id}`)).status).toBe(404)

    const activity = await program.activityOf(one.user.email)
    expect(activity.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(
      expect.arrayContaining([
        'webhook-added CI',
        'webhook-changed CI baru',
        'webhook-secret-changed CI baru',
        'webhook-removed CI baru',
      ]),
    )
    // Another one of them stays, so that its rows are looked at.
    const kept = await one.add(url)
    const everything = `${await program.dump()}${program.logged()}${JSON.stringify([listed.body, changed.body, activity])}`
    for (const hidden of [secret, rotated.body.secret, kept.body.secret].map((each) => each.slice(6))) {
      expect(everything).not.toContain(hidden)
    }
    expect(`${await program.dump()}${program.logged()}`).not.toContain(TOKEN)
  })

  it('[HOOK-01] a test is sent at once, signed, and its answer is shown', async () => {
    const one = await hookOwner(program)
    const { secret, data } = (await one.add(receiver.urlOf('test'))).body
    receiver.answer('test', { status: 201, body: `diterima\0${'x'.repeat(9000)}` }, { status: 500, body: 'rusak' })
    const taken = await one.ask('POST', `/${data.id}/test`)
    expect(taken.body).toMatchObject({
      message: 'Penerima menjawab 201. Webhook ini siap dipakai.',
      data: { event: 'webhook.test', state: 'delivered', status: 201, tries: 1, resultCode: null, nextTryAt: null },
    })
    expect(taken.body.data.answer).toMatch(/^diterimax+$/)
    expect(taken.body.data.answer.length).toBeLessThanOrEqual(2048)
    const [got] = receiver.received('test')
    assertSigned(secret, receiver.received('test'))
    expect(got).toMatchObject({ id: taken.body.data.id, type: 'webhook.test', data: { webhookId: data.id } })
    expect(taken.body.data.requestBody).toBe(got?.body)
    expect(Object.keys(taken.body.data.requestHeaders)).not.toContain('webhook-signature')
    expect(taken.body.data.requestHeaders['webhook-timestamp']).toBe(got?.headers['webhook-timestamp'])

    const broken = await one.ask('POST', `/${data.id}/test`)
    expect(broken.body.data).toMatchObject({ state: 'failed', status: 500, resultCode: 'bad-status', answer: 'rusak' })
    expect((await one.log(data.id)).map(({ state }: { state: string }) => state)).toEqual(['failed', 'delivered'])
    expect(await one.get(data.id)).toMatchObject({ state: 'active', waiting: 0 })
  })

  it.each<[object, string | RegExp]>([
    [{ url: '' }, 'Isi alamat webhook.'],
    [{ url: 'bukan alamat' }, /Alamat webhook tidak valid/],
    [{ url: 'ftp://127.0.0.1/x' }, /Alamat webhook tidak valid/],
    [{ url: 'https://rina:rahasia@127.0.0.1/x' }, /tanpa nama pengguna/],
    [{ url: 'https://tidak-ada.invalid/x' }, /Nama servernya tidak ditemukan/],
    [{ events: [] }, 'Pilih paling sedikit satu kejadian.'],
    [{ events: ['stream.exploded'] }, 'Ada kejadian yang tidak dikenal.'],
    [{ events: 'stream.live' }, 'Pilih paling sedikit satu kejadian.'],
    [{ description: 'x'.repeat(201) }, /paling panjang 200/],
    [{ description: 'a\0b' }, /paling panjang 200/],
  ])('[HOOK-01] refuse %j with a sentence, and keep nothing', async (wrong, message) => {
    const one = await refused
    const reply = await one.add(receiver.urlOf('wrong'), wrong)
    expect(reply).toMatchObject({ status: 400, body: { success: false } })
    expect(reply.body.message).toMatch(message)
    expect((await one.list()).body.data).toEqual([])
  })
  let refused: ReturnType<typeof hookOwner>
  beforeAll(() => {
    refused = hookOwner(program)
  })

  it('[HOOK-03] of another workspace cannot be seen, changed, tested or sent again', async () => {
    const [one, other] = await Promise.all([hookOwner(program), hookOwner(program)])
    const { id } = (await one.add(receiver.urlOf('idor'))).body.data
    const delivery = (await one.ask('POST', `/${id}/test`)).body.data.id
    const own = (await other.add(receiver.urlOf('idor-other'))).body.data.id
    const calls: [string, string, object?][] = [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { description: 'punya saya' }],
      ['PATCH', `/${id}`, { url: receiver.urlOf('thief') }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/pause`],
      ['POST', `/${id}/resume`],
      ['POST', `/${id}/rotate-secret`],
      ['POST', `/${id}/test`],
      ['GET', `/${id}/deliveries`],
      ['GET', `/${id}/deliveries/${delivery}`],
      ['GET', `/${own}/deliveries/${delivery}`],
      ['POST', `/${id}/deliveries/${delivery}/resend`],
      ['POST', `/${own}/deliveries/${delivery}/resend`],
    ]
    for (const [method, path, body] of calls) {
      const reply = await other.ask(method, path, body)
      expect(reply, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect((await call(program.url, method, `/fitur/webhook${path}`, body ? { body } : {})).status).toBe(401)
    }
    expect((await other.list()).body.data).toHaveLength(1)
    expect(await one.get(id)).toMatchObject({ description: '', state: 'active', url: receiver.urlOf('idor') })
    expect(receiver.received('idor')).toHaveLength(1)
    await tell(program, one.user, [LIVE])
    await receiver.got('idor', 2)
    expect(receiver.received('idor-other')).toEqual([])
  })

  it('[HOOK-03] a session of a strange browser has to prove itself before it may listen', async () => {
    const one = await hookOwner(program)
    const { id } = (await one.add(receiver.urlOf('proof'))).body.data
    // The browser that the account knows has gone; the thief has another one.
    const { body } = await call(program.url, 'POST', '/auth/login', {
      body: { email: one.user.email, password: one.password },
      headers: fromAddress(randomAddress()),
    })
    program.clock.move(16 * 60_000)
    const headers = { authorization: `Bearer ${body.token}`, ...fromAddress(randomAddress()) }
    const asThief = (method: string, path: string, sent?: object) =>
      call(program.url, method, `/fitur/webhook${path}`, { headers, ...(sent && { body: sent }) })
    for (const reply of [
      await asThief('POST', '', { url: receiver.urlOf('thief'), events: WEBHOOK_EVENTS }),
      await asThief('PATCH', `/${id}`, { url: receiver.urlOf('thief') }),
      await asThief('POST', `/${id}/rotate-secret`),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    }
    expect((await asThief('GET', '')).status).toBe(200)
    const byKey = await call(program.url, 'POST', '/fitur/webhook', {
      body: { url: receiver.urlOf('by-key'), events: ['stream.live'] },
      headers: { 'x-api-key': one.user.apiKey },
    })
    expect(byKey.status).toBe(200)
  })
})

describe.each(DATABASES)('webhooks and plans on $name', ({ open }) => {
  let program: TestProgram
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    program = await startProgramOn(open, { ENFORCE_PLANS: 'true' }, PACE)
  })
  afterAll(async () => {
    await program.close()
    await receiver.dispose()
  })

  it('[HOOK-03] are as many as the plan has: none, five, twenty', async () => {
    const one = await hookOwner(program)
    for (const plan of ['free-trial', 'starter'] as const) {
      await program.setPlan(one.user.email, plan)
      const reply = await one.add(receiver.urlOf('plan'))
      expect(reply).toMatchObject({ status: 403, body: { code: 'plan_limit', reasonCode: 'plan-webhooks' } })
      expect(reply.body.message).toMatch(/belum punya webhook. Upgrade ke Creator Pro/)
    }
    await program.setPlan(one.user.email, 'creator-pro')
    const six = await Promise.all(Array.from({ length: 6 }, () => one.add(receiver.urlOf('plan'))))
    expect(six.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 403])
    expect(six.find(({ status }) => status === 403)?.body.message).toMatch(/Creator Pro mengizinkan 5 webhook/)
    expect((await one.list()).body.allowed).toBe(5)
    await program.setPlan(one.user.email, 'business')
    for (let count = 0; count < 15; count++) expect((await one.add(receiver.urlOf('plan'))).status).toBe(200)
    expect((await one.add(receiver.urlOf('plan'))).body.message).toMatch(/Business mengizinkan 20 webhook/)
  })

  it('[HOOK-03] pause when the plan has them no more, and go on by themselves when it has', async () => {
    const one = await hookOwner(program)
    await program.setPlan(one.user.email, 'creator-pro')
    const { id } = (await one.add(receiver.urlOf('ended'))).body.data
    const state = async () => {
      const { db } = program
      const row = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return `${row.state} ${row.state_reason}`
    }
    await program.setPlan(one.user.email, 'starter')
    await expect.poll(state, { timeout: 120_000 }).toBe('paused plan')
    expect(await one.get(id)).toMatchObject({ state: 'paused', notice: expect.stringContaining('Paket Anda') })
    expect((await one.ask('POST', `/${id}/resume`)).body.code).toBe('plan_limit')
    await tell(program, one.user, [LIVE])
    // What nobody has taken by the time at which the webhook is active again is told to it.
    await expect.poll(() => hasTakenAll(program), { timeout: 120_000 }).toBe(true)
    await program.setPlan(one.user.email, 'creator-pro')
    await expect.poll(state, { timeout: 120_000 }).toBe('active null')
    await tell(program, one.user, [{ fact: 'stream.ended', payload: { reason: 'stopped', cause: null } }])
    await receiver.got('ended', 1)
    expect(receiver.received('ended').map(({ type }) => type)).toEqual(['stream.ended'])
    // Ended altogether, as at the end of the days of grace.
    await program.setPlan(one.user.email, 'creator-pro', { plan_until: program.clock.now() - 9 * 86_400_000 })
    await expect.poll(state, { timeout: 120_000 }).toBe('paused plan')
  })
})
