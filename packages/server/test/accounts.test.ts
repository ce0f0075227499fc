import { randomUUID } from 'node:crypto'
import { initialState } from '@siarin/media/stream-state'
import { type BigoService, startBigoService } from '@siarin/testkit/bigo-service'
import { type StreamlabsService, startStreamlabsService } from '@siarin/testkit/streamlabs-service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createWorkersRepo } from '../src/modules/broadcasts/store/workers.repo.ts'
import { BOTH_DATABASES, showsAll, startProgramOn } from './support/databases.ts'
import { bearer, call, signIn, type TestProgram } from './support/program.ts'

const TOKEN = 'slobs-9f8e7d6c5b4a39281706abcd'

describe.each(BOTH_DATABASES)('platform accounts on $name', ({ name, open }) => {
  let program: TestProgram
  let bigo: BigoService
  let streamlabs: StreamlabsService
  let headers: Record<string, string>
  /** The headers of somebody who is refused whatever they add, and so has nothing. */
  let refused: Record<string, string>

  beforeAll(async () => {
    bigo = await startBigoService()
    streamlabs = await startStreamlabsService()
    program = await startProgramOn(open, { BIGO_API_URL: bigo.url, STREAMLABS_API_URL: streamlabs.url })
    refused = bearer((await signIn(program.url)).token)
  })
  afterAll(async () => {
    await program.close()
    await bigo.dispose()
    await streamlabs.dispose()
  })
  const someone = async () => {
    const { token, user } = await signIn(program.url)
    headers = bearer(token)
    return user
  }

  const add = (kind: string, body: unknown) => call(program.url, 'POST', `/fitur/${kind}/add`, { body, headers })
  const list = (kind: string) => call(program.url, 'GET', `/fitur/${kind}/accounts`, { headers })
  const remove = (kind: string, id: string) => call(program.url, 'DELETE', `/fitur/${kind}/${id}`, { headers })

  it('[ACC-05] are added, listed and deleted for Bigo', async () => {
    await someone()
    expect(await list('bigo')).toMatchObject({
      status: 200,
      body: { success: true, message: 'Anda belum memasukan akun bigo.', data: [] },
    })
    const added = await add('bigo', { name: 'Panggung Rina', siteId: '784512' })
    expect(added).toMatchObject({ status: 200, body: { success: true, message: 'Akun berhasil ditambahkan.' } })
    const listed = await list('bigo')
    expect(listed.body).toMatchObject({
      success: true,
      message: 'Ditemukan akun bigo 1.',
      data: [
        {
          platform: 'bigo',
          account_id: expect.any(String),
          name: 'Panggung Rina',
          credentials: { siteId: '784512' },
        },
      ],
    })
    expect((await list('tiktok')).body.data).toEqual([])

    const [{ account_id: id }] = listed.body.data
    expect(await remove('bigo', id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Akun berhasil dihapus.' },
    })
    expect((await list('bigo')).body.data).toEqual([])
    expect(await remove('bigo', id)).toMatchObject({
      status: 404,
      body: { success: false, message: 'Akun tidak ditemukan.' },
    })
  })

  it('[ACC-02] [ACC-05] a TikTok token is kept sealed and never comes back whole', async () => {
    await someone()
    const added = await add('tiktok', { name: '💃 تيك توك', token: TOKEN })
    expect(added.body).toMatchObject({ success: true, data: { credentials: { token: '••••••••abcd' } } })
    const listed = await list('tiktok')
    expect(listed.body).toMatchObject({
      message: 'Ditemukan akun tiktok 1.',
      data: [{ platform: 'tiktok', name: '💃 تيك توك', credentials: { token: '••••••••abcd' } }],
    })
    await add('tiktok', { name: 'Pendek', token: 'pendek' })
    expect((await list('tiktok')).body.data[1].credentials).toEqual({ token: '••••••••' })
    const everything = `${await program.dump()}${program.logged()}${JSON.stringify(listed.body)}`
    expect(everything).not.toContain(TOKEN)
    expect(everything).toContain('Pendek')
  })

  it('are one per credential, and others are not asked', async () => {
    await someone()
    await add('bigo', { name: 'Satu', siteId: '77' })
    const again = await add('bigo', { name: 'Dua', siteId: '77' })
    expect(again).toMatchObject({
      status: 409,
      body: { success: false, code: 'account_exists', message: 'Akun ini sudah ada di daftar Anda.' },
    })
    await someone()
    expect((await add('bigo', { name: 'Orang lain', siteId: '77' })).status).toBe(200)
  })

  it('of somebody else cannot be seen or deleted', async () => {
    await someone()
    const { body } = await add('bigo', { name: 'Milik saya', siteId: '5' })
    const mine = headers
    await someone()
    expect((await remove('bigo', body.data.account_id)).status).toBe(404)
    expect((await list('bigo')).body.data).toEqual([])
    headers = mine
    expect((await remove('tiktok', body.data.account_id)).status).toBe(404)
    expect((await list('bigo')).body.data).toHaveLength(1)
  })

  it('are kept while a broadcast relays their room, and go once it has ended', async () => {
    const { email } = await someone()
    const { body } = await add('bigo', { name: 'Tayang', siteId: '88' })
    const id: string = body.data.account_id
    const user = await program.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const streams = createStreamsRepo(program.db)
    const streamId = randomUUID()
    // Kept by another worker: this program would take it, find that its target cannot be opened, and end it.
    await createWorkersRepo(program.db).beat('elsewhere/1', { room: 1, shortOf: null }, program.clock.now())
    await streams.insert({
      id: streamId,
      worker: 'elsewhere',
      user_id: user.id,
      source: 'Tayang',
      source_account_id: id,
      platform: 'lain',
      target_sealed: 'sealed',
      target_host: 'host',
      target_mark: id,
      looping: 1,
      desired: 'live',
      phase: 'waiting',
      state: JSON.stringify(initialState),
      created_at: program.clock.now(),
    })
    const owner = headers
    await someone()
    expect((await remove('bigo', id)).status).toBe(404)
    headers = owner
    expect(await remove('bigo', id)).toMatchObject({
      status: 409,
      body: {
        success: false,
        code: 'account_in_use',
        message: 'Akun ini sedang dipakai siaran. Hentikan dulu siarannya.',
      },
    })
    expect((await list('bigo')).body.data).toHaveLength(1)
    const ended = { at: 'ended', reason: 'stopped', cause: null } as const
    await streams.change({ id: streamId, epoch: 0 }, { state: ended, reason: null })
    expect((await remove('bigo', id)).status).toBe(200)
  })

  it('are at most fifty per platform', async () => {
    await someone()
    for (let number = 1; number <= 50; number++) await add('bigo', { name: `Akun ${number}`, siteId: String(number) })
    expect(await add('bigo', { name: 'Satu lagi', siteId: '51' })).toMatchObject({
      status: 409,
      body: { success: false, code: 'account_limit_reached', message: expect.stringContaining('50 akun') },
    })
    expect((await add('tiktok', { name: 'Masih bisa', token: TOKEN })).status).toBe(200)
  })

  if (!showsAll(name)) return

  it.each([
    ['bigo', { siteId: '', name: 'Rina' }, 'Isi Id Bigo.'],
    ['bigo', { name: 'Rina' }, 'Isi Id Bigo.'],
    ['bigo', { siteId: 'dua kata', name: 'Rina' }, /Id Bigo tidak valid/],
    ['bigo', { siteId: 'x'.repeat(65), name: 'Rina' }, /Id Bigo tidak valid/],
    ['bigo', { siteId: { $ne: '' }, name: 'Rina' }, 'Isi Id Bigo.'],
    ['bigo', { siteId: '12', name: '   ' }, 'Isi nama akun.'],
    ['bigo', { siteId: '12', name: 'n'.repeat(61) }, 'Nama akun terlalu panjang.'],
    ['bigo', { siteId: '12', name: 'a\u202eb' }, /tidak bisa ditampilkan/],
    ['tiktok', { name: 'Rina' }, 'Isi token TikTok.'],
    ['tiktok', { token: 'ada spasi', name: 'Rina' }, /Token TikTok tidak valid/],
    ['tiktok', { token: 't'.repeat(2049), name: 'Rina' }, /Token TikTok tidak valid/],
    ['tiktok', [], 'Permintaan tidak bisa dibaca.'],
  ])('[ACC-05] refuses %s %j with a sentence', async (kind, body, message) => {
    headers = refused
    const reply = await add(kind, body)
    expect(reply).toMatchObject({ status: 400, body: { success: false, code: 'invalid_input' } })
    expect(reply.body.message).toMatch(message)
    expect((await list(kind)).body.data).toEqual([])
  })

  it('takes the id out of the address of a room', async () => {
    await someone()
    await add('bigo', { name: 'Alamat', siteId: ' https://www.bigo.tv/id/rina.live?share=1 ' })
    expect((await list('bigo')).body.data[0].credentials).toEqual({ siteId: 'rina.live' })
  })

  it('[API-07] answer to a session or to an API key, and to nobody else', async () => {
    const { apiKey } = await someone()
    headers = {}
    for (const reply of [
      await list('bigo'),
      await add('tiktok', { name: 'x', token: 'y' }),
      await remove('bigo', 'x'),
    ]) {
      expect(reply).toMatchObject({ status: 401, body: { success: false, message: 'API Key diperlukan.' } })
    }
    headers = { 'x-api-key': 'sk_made-up' }
    expect((await list('bigo')).status).toBe(401)
    headers = bearer('st_made-up')
    expect(await list('bigo')).toMatchObject({ status: 401, body: { code: 'session_ended' } })

    headers = {}
    const added = await add('bigo', { apiKey, name: 'Lewat API', siteId: '9' })
    expect(added.status).toBe(200)
    const listed = await call(program.url, 'GET', `/fitur/bigo/accounts?apiKey=${apiKey}`)
    expect(listed.body.data).toHaveLength(1)
    const path = `/fitur/bigo/${added.body.data.account_id}`
    expect((await call(program.url, 'DELETE', path, { body: { apiKey } })).status).toBe(200)
  })

  it('of a platform that is not known are a JSON 404', async () => {
    await someone()
    expect((await list('twitch')).status).toBe(404)
    expect((await add('twitch', { name: 'x', token: 'y' })).status).toBe(404)
  })
})
