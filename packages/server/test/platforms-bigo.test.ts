import { type BigoRoom, type BigoService, startBigoService } from '@siarin/testkit/bigo-service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, type Reply, signIn, startProgram, type TestProgram } from './support/program.ts'

let bigo: BigoService
let program: TestProgram

beforeAll(async () => {
  bigo = await startBigoService()
  program = await startProgram({ BIGO_API_URL: bigo.url })
})
afterAll(async () => {
  await program.close()
  await bigo.dispose()
})

const HLS = 'https://hls.example/live/room.m3u8?sign=abc'
let lastId = 0
/** A room that no other test has: what is known of one is kept a few seconds. */
function room(described: BigoRoom): string {
  lastId += 1
  bigo.set(`room${lastId}`, described)
  return `room${lastId}`
}

async function someone() {
  const { token, user } = await signIn(program.url)
  const headers = bearer(token)
  return {
    user,
    headers,
    add: (siteId: string, name = 'Panggung'): Promise<Reply> =>
      call(program.url, 'POST', '/fitur/bigo/add', { headers, body: { siteId, name } }),
    live: (): Promise<Reply> => call(program.url, 'GET', '/fitur/bigo/live', { headers }),
  }
}

describe('a Bigo id that is added', () => {
  it('[ACC-01] is asked for at Bigo, by the plain call', async () => {
    const { add } = await someone()
    const siteId = room({ is: 'offline' })
    expect(await add(siteId)).toMatchObject({ status: 200, body: { message: 'Akun berhasil ditambahkan.' } })
    expect(bigo.calls(siteId)).toEqual([
      { siteId, method: 'POST', path: '/official_website/studio/getInternalStudioInfo', accept: 'application/json' },
    ])
  })

  it.each([{ is: 'unknown-list' }, { is: 'unknown-null' }] as const)(
    'and is not known there (%j) is refused',
    async (known) => {
      const { add, live } = await someone()
      expect(await add(room(known))).toMatchObject({
        status: 422,
        body: { success: false, code: 'account_unknown', message: 'Id Bigo ini tidak ditemukan.' },
      })
      expect((await live()).body.data).toEqual([])
    },
  )

  it.each([{ is: 'html' }, { is: 'html-418' }, { is: 'needs-login' }, { is: 'code-1' }, { is: 'error-500' }] as const)(
    'is added, and said to be unchecked, where Bigo answers %j',
    async (known) => {
      const { add, live } = await someone()
      expect(await add(room(known))).toMatchObject({
        status: 200,
        body: {
          success: true,
          message: 'Akun berhasil ditambahkan. Bigo belum bisa ditanya, jadi Id-nya belum diperiksa.',
        },
      })
      expect((await live()).body.data).toHaveLength(1)
    },
  )

  it('is added where Bigo cannot be reached', async () => {
    const lonely = await startProgram()
    try {
      const { token } = await signIn(lonely.url)
      const body = { siteId: '784512', name: 'Panggung' }
      const added = await call(lonely.url, 'POST', '/fitur/bigo/add', { headers: bearer(token), body })
      expect(added).toMatchObject({ status: 200, body: { message: expect.stringContaining('belum diperiksa') } })
      const listed = await call(lonely.url, 'GET', '/fitur/bigo/live', { headers: bearer(token) })
      expect(listed.body).toMatchObject({
        message: 'Tidak ada stream yang aktif saat ini.',
        data: [
          { isLive: false, state: 'unreachable', message: 'Bigo tidak bisa dihubungi. Coba lagi beberapa saat lagi.' },
        ],
      })
    } finally {
      await lonely.close()
    }
  })
})

describe('the rooms of a person', () => {
  it('[ACC-06] are listed with address, nickname, siteId and account', async () => {
    const { add, live } = await someone()
    const siteId = room({ is: 'live', hls: HLS, nickname: 'Rina 🎤' })
    const added = await add(siteId)
    expect((await live()).body).toEqual({
      success: true,
      message: 'Ditemukan 1 stream aktif.',
      data: [
        {
          streamUrl: HLS,
          previewUrl: expect.stringMatching(/^\/fitur\/online\/preview\/[\w.-]+\/index\.m3u8$/),
          nickname: 'Rina 🎤',
          isLive: true,
          siteId,
          account_id: added.body.data.account_id,
          state: 'live',
          message: 'Sedang siaran.',
        },
      ],
    })
  })

  it('[ACC-06] are told apart, and one that fails hides no other', async () => {
    const { add, live } = await someone()
    const states: Record<string, string> = {}
    for (const [described, state] of [
      [{ is: 'live', hls: HLS }, 'live'],
      [{ is: 'offline' }, 'offline'],
      [{ is: 'offline-without-address' }, 'offline'],
      [{ is: 'live', hls: 'file:///etc/passwd' }, 'offline'],
      [{ is: 'live', hls: 'https://user:pass@hls.example/' }, 'offline'],
      [{ is: 'html' }, 'blocked'],
      [{ is: 'html-418' }, 'blocked'],
      [{ is: 'needs-login' }, 'blocked'],
      [{ is: 'code-1' }, 'blocked'],
      [{ is: 'live', hls: HLS, change: { passRoom: true } }, 'blocked'],
      [{ is: 'error-500' }, 'unreachable'],
    ] satisfies [BigoRoom, string][]) {
      const siteId = room(described)
      states[siteId] = state
      await add(siteId, `Nama ${siteId}`)
    }
    const gone = room({ is: 'offline' })
    await add(gone)
    bigo.set(gone, { is: 'unknown-list' })
    states[gone] = 'unknown'
    program.clock.move(10_000)

    const { body } = await live()
    const seen = Object.fromEntries(body.data.map((one: { siteId: string; state: string }) => [one.siteId, one.state]))
    expect(seen).toEqual(states)
    expect(body.message).toBe('Ditemukan 1 stream aktif.')
    for (const one of body.data) {
      if (one.state === 'live') continue
      expect(one).toMatchObject({
        isLive: false,
        streamUrl: '',
        previewUrl: null,
        message: expect.stringMatching(/\.$/),
      })
    }
    const silent = body.data.filter(({ state }: { state: string }) => state === 'unreachable')
    expect(silent[0].nickname).toBe(`Nama ${silent[0].siteId}`)
  })

  it('[ACC-06] that never answer are given up, beside one that does', async () => {
    const { add, live } = await someone()
    const quick = room({ is: 'live', hls: HLS })
    const stuck = room({ is: 'offline' })
    await add(quick)
    await add(stuck)
    bigo.set(stuck, { is: 'silent' })
    program.clock.move(10_000)
    expect((await live()).body.data).toMatchObject([{ state: 'live' }, { state: 'unreachable' }])
  })

  it('[ACC-06] are asked for again only after a few seconds', async () => {
    const { add, live } = await someone()
    const siteId = room({ is: 'live', hls: HLS })
    await add(siteId)
    await Promise.all([live(), live(), live()])
    expect(bigo.calls(siteId)).toHaveLength(1)
    bigo.set(siteId, { is: 'offline' })
    program.clock.move(6_000)
    expect((await live()).body).toMatchObject({
      message: 'Tidak ada stream yang aktif saat ini.',
      data: [{ isLive: false, state: 'offline', message: 'Tidak sedang siaran.' }],
    })
    expect(bigo.calls(siteId)).toHaveLength(2)
  })

  it('[ACC-06] are none without an account, and nobody else sees them', async () => {
    const owner = await someone()
    await owner.add(room({ is: 'live', hls: HLS }))
    const { live } = await someone()
    expect((await live()).body).toEqual({ success: true, message: 'Anda belum memasukan akun bigo.', data: [] })
    const nobody = await call(program.url, 'GET', '/fitur/bigo/live')
    expect(nobody).toMatchObject({ status: 401, body: { message: 'API Key diperlukan.' } })
    const byKey = await call(program.url, 'GET', `/fitur/bigo/live?apiKey=${owner.user.apiKey}`)
    expect(byKey.body.data).toHaveLength(1)
  })
})
