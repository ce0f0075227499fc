import {
  type StreamlabsAccount,
  type StreamlabsService,
  startStreamlabsService,
} from '@siarin/testkit/streamlabs-service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, type Reply, signIn, startProgram, type TestProgram } from './support/program.ts'

let streamlabs: StreamlabsService
let program: TestProgram
/** Who begins what is told in words: what they have does not matter. */
let anyone: Awaited<ReturnType<typeof someone>>

beforeAll(async () => {
  streamlabs = await startStreamlabsService()
  program = await startProgram({ STREAMLABS_API_URL: streamlabs.url })
  anyone = await someone()
})
afterAll(async () => {
  await program.close()
  await streamlabs.dispose()
})

let lastToken = 0
function token(account: StreamlabsAccount = {}): string {
  lastToken += 1
  const made = `slobs-rahasia-${String(lastToken).padStart(6, '0')}`
  streamlabs.set(made, account)
  return made
}

async function someone() {
  const session = await signIn(program.url)
  const headers = bearer(session.token)
  return {
    add: (given: string, name = 'Rina TikTok'): Promise<Reply> =>
      call(program.url, 'POST', '/fitur/tiktok/add', { headers, body: { token: given, name } }),
    begin: (body: object): Promise<Reply> => call(program.url, 'POST', '/fitur/steamlabs/start', { headers, body }),
    accounts: async () => (await call(program.url, 'GET', '/fitur/tiktok/accounts', { headers })).body.data,
  }
}

const said = (status: number, json: unknown) => ({ status, json })

describe('a TikTok token that is added', () => {
  it('[ACC-01] is asked for at Streamlabs', async () => {
    const { add } = await someone()
    const given = token()
    expect(await add(given)).toMatchObject({ status: 200, body: { message: 'Akun berhasil ditambahkan.' } })
    expect(streamlabs.calls('info', given)).toHaveLength(1)
  })

  it.each([
    ['401', said(401, { message: 'Unauthenticated.' })],
    ['405', said(405, {})],
    ['access_token_invalid', said(400, { error: { code: 'access_token_invalid' } })],
  ])('and is no longer valid (%s) is refused', async (_, info) => {
    const { add, accounts } = await someone()
    expect(await add(token({ info }))).toMatchObject({
      status: 422,
      body: {
        code: 'account_unknown',
        message: 'Token TikTok tidak berlaku lagi. Ambil token baru, lalu perbarui akunnya.',
      },
    })
    expect(await accounts()).toEqual([])
  })

  it('and may not go live is added, with a word about it', async () => {
    const { add } = await someone()
    const message = 'Akun berhasil ditambahkan, tetapi TikTok belum mengizinkannya siaran langsung.'
    expect(await add(token({ canBeLive: false }))).toMatchObject({ status: 200, body: { message } })
    expect(await add(token({ info: said(422, { error: 'banned' }) }))).toMatchObject({ status: 200, body: { message } })
  })

  it.each([
    ['an error of theirs', said(503, {})],
    ['a page', { html: true as const }],
    ['too many calls', said(429, { error: 'rate_limit_exceeded' })],
  ])('is added, and said to be unchecked, at %s', async (_, info) => {
    const { add, accounts } = await someone()
    expect(await add(token({ info }))).toMatchObject({
      status: 200,
      body: { message: 'Akun berhasil ditambahkan. TikTok belum bisa ditanya, jadi token-nya belum diperiksa.' },
    })
    expect(await accounts()).toHaveLength(1)
  })
})

describe('a broadcast at TikTok', () => {
  it('[ACC-07] is begun with an account and a title, and answers where to send it', async () => {
    const { add, begin } = await someone()
    const given = token({ rtmp: 'rtmp://push.example/game', key: 'stream-1?expire=9&sign=ab' })
    const account = await add(given)
    const body = { accountId: account.body.data.account_id, token: '••••••••0001', title: 'Malam santai' }
    expect(await begin(body)).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Get RTMP Berhasil.',
        stream: { id: streamlabs.liveId(given), rtmpSteam: 'rtmp://push.example/game/stream-1?expire=9&sign=ab' },
      },
    })
    expect(streamlabs.calls('start', given).map(({ fields }) => fields)).toEqual([
      { title: 'Malam santai', device_platform: 'win32', category: '', audience_type: '0' },
    ])
    await begin({ accountId: account.body.data.account_id })
    expect(streamlabs.calls('start', given)[1]?.fields['title']).toBe('Rina TikTok')
  })

  it('[ACC-07] is begun with a token of which nothing is kept but sealed', async () => {
    const { begin } = await someone()
    const given = token()
    expect(await begin({ token: given, title: 'Tanpa akun' })).toMatchObject({ status: 200 })
    expect(streamlabs.calls('start', given)).toHaveLength(1)
    expect(`${await program.dump()}${program.logged()}`).not.toContain(given)
  })

  it.each([
    ['rtmp://push.example/game', 'kunci'],
    ['rtmp://push.example/game/', 'kunci'],
    ['rtmp://push.example/game', '/kunci'],
    ['rtmp://push.example/game/', '/kunci'],
  ])('[ACC-07] has one slash between %s and %s', async (rtmp, key) => {
    const { body } = await anyone.begin({ token: token({ rtmp, key }) })
    expect(body.stream.rtmpSteam).toBe('rtmp://push.example/game/kunci')
  })

  it.each([
    ['401', said(401, {}), 422, 'account_unknown', /^Token TikTok tidak berlaku lagi/],
    ['405', { status: 405, html: true as const }, 422, 'account_unknown', /^Token TikTok tidak berlaku lagi/],
    [
      'access_token_invalid',
      said(400, { error: 'access_token_invalid' }),
      422,
      'account_unknown',
      /^Token TikTok tidak/,
    ],
    ['422', said(422, { success: false }), 422, 'platform_refused', /sedang diblokir dari siaran langsung/],
    [
      'user_has_no_live_auth',
      said(422, { code: 'user_has_no_live_auth' }),
      422,
      'platform_refused',
      /belum punya izin/,
    ],
    ['user_already_live', said(400, { data: { code: 'user_already_live' } }), 422, 'platform_refused', /sedang siaran/],
    ['rate_limit_exceeded', said(429, { e: 'rate_limit_exceeded' }), 422, 'platform_refused', /membatasi permintaan/],
    [
      'scope_not_authorized',
      said(401, { e: 'scope_not_authorized' }),
      422,
      'account_unknown',
      /tidak memberi izin siaran/,
    ],
    ['an error with status 200', said(200, { error: 'user_already_live' }), 422, 'platform_refused', /sedang siaran/],
    ['a page', { html: true as const }, 422, 'platform_refused', 'Gagal mendapatkan RTMP URL dari TikTok.'],
    [
      'no target',
      said(200, { id: '7', rtmp: '', key: '' }),
      422,
      'platform_refused',
      /^RTMP URL tidak ditemukan dalam/,
    ],
    [
      'an error of theirs',
      { status: 502, html: true as const },
      502,
      'platform_unreachable',
      /^Tidak ada respons dari/,
    ],
  ])('[ACC-07] that is answered with %s is told in words', async (_, start, status, code, message) => {
    const given = token({ start })
    const reply = await anyone.begin({ token: given, title: 'x' })
    expect(reply).toMatchObject({ status, body: { success: false, code } })
    expect(reply.body.message).toMatch(message)
    expect(`${JSON.stringify(reply.body)}${program.logged()}`).not.toContain(given)
  })

  it('[ACC-07] whose target cannot be used is ended again', async () => {
    const { begin } = await someone()
    const given = token({ rtmp: 'http://push.example/game', key: 'kunci' })
    expect(await begin({ token: given })).toMatchObject({
      status: 422,
      body: { message: 'Gagal mendapatkan RTMP URL dari TikTok.' },
    })
    expect(streamlabs.calls('end', given)).toHaveLength(1)
    expect(streamlabs.liveId(given)).toBeNull()
  })

  it('[ACC-07] cannot be begun where nobody answers', async () => {
    const lonely = await startProgram()
    try {
      const { token: session } = await signIn(lonely.url)
      const body = { token: 'slobs-x', title: '' }
      expect(
        await call(lonely.url, 'POST', '/fitur/steamlabs/start', { headers: bearer(session), body }),
      ).toMatchObject({
        status: 502,
        body: { code: 'platform_unreachable', message: 'Tidak ada respons dari server TikTok.' },
      })
    } finally {
      await lonely.close()
    }
  })

  it('[ACC-07] needs an account of one’s own, or a token', async () => {
    const owner = await someone()
    const { body } = await owner.add(token())
    const { begin } = await someone()
    expect(await begin({ accountId: body.data.account_id, title: 'x' })).toMatchObject({
      status: 404,
      body: { message: 'Akun TikTok tidak ditemukan.' },
    })
    expect(await begin({ token: '••••••••abcd', title: 'x' })).toMatchObject({
      status: 422,
      body: { code: 'account_unknown', message: expect.stringContaining('Token TikTok') },
    })
    expect(await begin({ title: 'x' })).toMatchObject({
      status: 400,
      body: { message: 'Pilih akun TikTok terlebih dahulu.' },
    })
    expect(await call(program.url, 'POST', '/fitur/steamlabs/start', { body: { token: 'x' } })).toMatchObject({
      status: 401,
    })
  })
})
