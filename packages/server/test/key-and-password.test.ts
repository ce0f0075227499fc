import { cachedClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import {
  bearer,
  call,
  fromAddress,
  personWithVideo,
  randomAddress,
  signIn,
  type TestProgram,
} from './support/program.ts'

const QUARTER_MS = 15 * 60_000
const DEVICE_COOKIE = /^siarin_device=(dv_[\w-]{43}); Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/

describe.each(DATABASES)('[SAFE-02] the API key and the password on $name', ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  type Headers = Record<string, string>
  const login = async (email: string, password: string, headers: Headers = {}) => {
    const reply = await call(program.url, 'POST', '/auth/login', {
      body: { email, password },
      headers: { ...fromAddress(randomAddress()), ...headers },
    })
    const [, device = ''] = DEVICE_COOKIE.exec(reply.headers.get('set-cookie') ?? '') ?? []
    return { token: reply.body.token as string, device, cookie: { cookie: `other=1; siarin_device=${device}` } }
  }
  const profile = async (token: string, headers: Headers = {}) =>
    (await call(program.url, 'GET', '/auth/profile', { headers: { ...bearer(token), ...headers } })).body.data
  const renew = (token: string, headers: Headers = {}) =>
    call(program.url, 'POST', '/auth/profile/apikey', { headers: { ...bearer(token), ...headers } })
  const confirm = (token: string, body: object, headers: Headers = {}) =>
    call(program.url, 'POST', '/auth/confirm', { body, headers: { ...bearer(token), ...headers } })

  it('is shown and renewed by a session that has just typed the password, and by no older one of a strange device', async () => {
    const { user, password } = await signIn(program.url)
    const { token, cookie } = await login(user.email, password)
    expect(await profile(token)).toMatchObject({ apiKey: user.apiKey, apiKeyHidden: false })
    program.clock.move(QUARTER_MS)
    // The browser's own cookie does not help either: it was never here before this login.
    for (const headers of [{}, cookie]) {
      expect(await profile(token, headers)).toMatchObject({ apiKey: '', apiKeyHidden: true })
      expect(await renew(token, headers)).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    }
    expect(await confirm(token, { password: 'bukan-ini' }, cookie)).toMatchObject({ status: 401 })
    expect(await profile(token, cookie)).toMatchObject({ apiKeyHidden: true })
    expect(await confirm(token, { password }, cookie)).toMatchObject({ status: 200, body: { success: true } })
    expect(await profile(token)).toMatchObject({ apiKey: user.apiKey, apiKeyHidden: false })
    expect((await renew(token)).status).toBe(200)
    program.clock.move(QUARTER_MS)
    expect(await profile(token, cookie)).toMatchObject({ apiKeyHidden: true })
  })

  it('is shown without a question in a browser that was here before, that is trusted, or that the account began with', async () => {
    const { user, password, token: first } = await signIn(program.url)
    const once = await login(user.email, password)
    const again = await login(user.email, password, once.cookie)
    expect(again.device).toBe(once.device)
    const strange = await login(user.email, password)
    expect(strange.device).not.toBe(once.device)
    await confirm(strange.token, { password, trust: true }, strange.cookie)
    program.clock.move(QUARTER_MS)
    expect(await profile(again.token, again.cookie)).toMatchObject({ apiKeyHidden: false })
    expect(await profile(strange.token, strange.cookie)).toMatchObject({ apiKeyHidden: false })
    // A stolen token comes without the cookie, or with that of another browser.
    expect(await profile(again.token)).toMatchObject({ apiKeyHidden: true })
    expect(await profile(again.token, strange.cookie)).toMatchObject({ apiKeyHidden: true })
    expect(await profile(first)).toMatchObject({ apiKeyHidden: true })
    const devices = await program.db.selectFrom('known_devices').selectAll().execute()
    expect(JSON.stringify(devices)).not.toContain(once.device)
    expect(program.logged()).not.toContain(once.device)
  })

  it('[SAFE-02] is kept from a copied token, whatever the owner types meanwhile', async () => {
    const { token, password } = await signIn(program.url)
    const copied = { ...bearer(token), 'x-forwarded-for': '10.66.6.6' }
    const tries = async () => [
      (await call(program.url, 'GET', '/auth/profile', { headers: copied })).body.data.apiKeyHidden,
      (await call(program.url, 'POST', '/auth/profile/apikey', { headers: copied })).body.code,
      (await call(program.url, 'POST', '/auth/second-factor', { headers: copied })).body.code,
    ]
    expect(await tries()).toEqual([true, 'password_needed', 'password_needed'])
    expect(await confirm(token, { password })).toMatchObject({ status: 200 })
    expect(await tries()).toEqual([true, 'password_needed', 'password_needed'])
    expect(await profile(token)).toMatchObject({ apiKeyHidden: false })
  })

  it('cannot be guessed with a session that was left open', async () => {
    const { user, token, password } = await signIn(program.url)
    for (let tries = 0; tries < 10; tries++) await confirm(token, { password: `tebakan-${tries}` })
    expect(await confirm(token, { password })).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    // The owner, elsewhere, is not kept from changing the password.
    const own = await login(user.email, password)
    expect(await confirm(own.token, { password })).toMatchObject({ status: 200 })
  })

  it('has a session prove itself before it sends to a target that is kept here, and an API client not', async () => {
    const { user, password } = await signIn(program.url)
    const { token } = await login(user.email, password)
    const start = (headers: Headers) =>
      call(program.url, 'POST', '/fitur/steam/start', {
        body: { source: 'klip.mp4', platform: 'youtube', targetOf: 'siaran-lama', looping: true },
        headers,
      })
    const begin = (headers: Headers) =>
      call(program.url, 'POST', '/fitur/steamlabs/start', { body: { accountId: 'akun', title: 'Uji' }, headers })
    expect((await start(bearer(token))).body.code).not.toBe('password_needed')
    program.clock.move(QUARTER_MS)
    const swap = (headers: Headers) =>
      call(program.url, 'POST', '/fitur/steam/swap', { body: { streamId: 'siaran', source: 'klip.mp4' }, headers })
    // One that is kept among others that are typed.
    const targets = [{ platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:9/live/k' }, { targetId: 'tersimpan' }]
    const simulcast = (headers: Headers) =>
      call(program.url, 'POST', '/fitur/broadcast', { body: { source: 'klip.mp4', targets }, headers })
    const extend = (headers: Headers) =>
      call(program.url, 'POST', '/fitur/broadcast/siaran/targets', { body: { targets }, headers })
    for (const send of [start, begin, swap, simulcast, extend]) {
      expect(await send(bearer(token))).toMatchObject({ status: 403, body: { code: 'password_needed' } })
      expect((await send({ 'x-api-key': user.apiKey })).body.code).not.toBe('password_needed')
    }
    await confirm(token, { password })
    for (const send of [start, begin]) expect((await send(bearer(token))).body.code).not.toBe('password_needed')
  })

  describe('tickets for what a browser loads by itself', () => {
    const ticketOf = async (headers: Headers): Promise<string> =>
      (await call(program.url, 'POST', '/fitur/video/ticket', { headers })).body.data.ticket
    const watch = async (ticket: string, path = '/fitur/video/klip.mp4') => {
      const gone = new AbortController()
      const reply = await fetch(`${program.url}${path}?ticket=${ticket}`, { signal: gone.signal })
      const { status } = reply
      gone.abort()
      return status
    }
    let owner: Awaited<ReturnType<typeof personWithVideo>>
    const PASSWORD = 'rahasia-sekali'

    beforeAll(async () => {
      owner = await personWithVideo(program, await cachedClip('kunci.mp4', { seconds: 2 }))
    })

    it('open a video, its picture and the feed, and nothing else', async () => {
      const { token } = await login(owner.email, PASSWORD)
      const ticket = await ticketOf(bearer(token))
      for (const path of ['/fitur/video/klip.mp4', '/fitur/video/klip.mp4/thumbnail', '/fitur/steam/live']) {
        expect(await watch(ticket, path), path).toBe(200)
      }
      for (const path of ['/fitur/video', '/fitur/steam/active', '/auth/profile', '/fitur/steam/history']) {
        expect(await watch(ticket, path), path).toBe(401)
      }
      const stranger = await signIn(program.url)
      expect(await watch(await ticketOf(bearer(stranger.token)))).toBe(404)
      expect(await watch('kertas-biasa')).toBe(410)
      expect(program.logged()).not.toContain(ticket)
      // A caller who asks again soon gets the same one, so that a player that holds its address plays on.
      expect(await ticketOf(bearer(token))).toBe(ticket)
    })

    it('end with their session, with their key, and after some hours', async () => {
      const { token } = await login(owner.email, PASSWORD)
      const [ofSession, ofKey] = [await ticketOf(bearer(token)), await ticketOf({ 'x-api-key': owner.apiKey })]
      expect([await watch(ofSession), await watch(ofKey)]).toEqual([200, 200])
      const { apiKey } = (await renew(token)).body
      expect([await watch(ofSession), await watch(ofKey)]).toEqual([200, 410])
      const later = await ticketOf({ 'x-api-key': apiKey })
      await call(program.url, 'POST', '/auth/logout', { headers: bearer(token) })
      expect([await watch(ofSession), await watch(later)]).toEqual([410, 200])
      program.clock.move(13 * 3_600_000)
      expect(await watch(later)).toBe(410)
    })

    it('end the feed that runs on them', async () => {
      const { token } = await login(owner.email, PASSWORD)
      const feed = await fetch(`${program.url}/fitur/steam/live?ticket=${await ticketOf(bearer(token))}`)
      const heard: string[] = []
      const reading = (async () => {
        for await (const chunk of feed.body ?? []) heard.push(Buffer.from(chunk).toString('utf8'))
      })()
      await waitFor('the first list', async () => heard.join('').includes('event: streams'))
      await call(program.url, 'POST', '/auth/logout', { headers: bearer(token) })
      await reading
      expect(heard.join('')).toContain('"code":"ticket_ended"')
    })
  })
})
