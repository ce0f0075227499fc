import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTargetsRepo } from '../src/modules/targets/targets.repo.ts'
import { addressOfRow, createTargetsService } from '../src/modules/targets/targets.service.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, fromAddress, randomAddress, signIn, type TestProgram } from './support/program.ts'

const KEY = 'abcd-efgh-ijkl-mnop-wxyz'

describe.each(DATABASES)('stored targets on $name', ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  const someone = async () => {
    const { user, token, password } = await signIn(program.url)
    const headers = bearer(token)
    return {
      ...{ user, headers, password },
      add: (body: object) => call(program.url, 'POST', '/fitur/target', { body, headers }),
      list: (query = '') => call(program.url, 'GET', `/fitur/target${query}`, { headers }),
      get: (id: string) => call(program.url, 'GET', `/fitur/target/${id}`, { headers }),
      change: (id: string, body: object) => call(program.url, 'PATCH', `/fitur/target/${id}`, { body, headers }),
      remove: (id: string) => call(program.url, 'DELETE', `/fitur/target/${id}`, { headers }),
      test: (id: string) => call(program.url, 'POST', `/fitur/target/${id}/test`, { headers }),
    }
  }
  const LAIN = { name: 'Kanal', platform: 'lain', address: 'rtmp://127.0.0.1/live', key: KEY }

  const sealerOf = async () =>
    createSealer(new Secret((await readFile(join(program.dataDir, 'secret'), 'utf8')).trim()))
  const wholeOfRow = async (id: string): Promise<string> => {
    const row = await program.db.selectFrom('targets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return addressOfRow(row, await sealerOf()).reveal()
  }

  it('[TGT-01] are saved once, and show no more than the end of their key ever after', async () => {
    const one = await someone()
    expect(await one.list()).toMatchObject({
      status: 200,
      body: { success: true, message: 'Anda belum menyimpan tujuan siaran.', data: [], nextCursor: null },
    })
    const added = await one.add({ name: 'Kanal utama', platform: 'youtube', key: KEY })
    expect(added).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Tujuan disimpan.',
        data: {
          name: 'Kanal utama',
          platform: 'youtube',
          preset: null,
          address: null,
          keyHint: '••••wxyz',
          lastUsedAt: null,
          check: null,
        },
      },
    })
    const whole = await one.add({
      name: 'Toko',
      platform: 'lain',
      preset: 'restream',
      address: `rtmp://127.0.0.1/live/${KEY}`,
    })
    expect(whole.body.data).toMatchObject({ address: 'rtmp://127.0.0.1/live', preset: 'restream', keyHint: '••••wxyz' })
    const { id } = added.body.data
    expect((await one.get(id)).body.data).toEqual(added.body.data)
    expect((await one.list()).body.data.map(({ name }: { name: string }) => name)).toEqual(['Kanal utama', 'Toko'])

    expect(await one.change(id, { name: 'Kanal malam' })).toMatchObject({
      status: 200,
      body: { message: 'Perubahan disimpan.', data: { name: 'Kanal malam', keyHint: '••••wxyz' } },
    })
    expect((await one.change(id, { key: 'sepuluh-10' })).body.data).toMatchObject({ keyHint: '••••10', address: null })
    expect(await one.remove(whole.body.data.id)).toMatchObject({ status: 200, body: { message: 'Tujuan dihapus.' } })
    expect((await one.remove(whole.body.data.id)).status).toBe(404)

    const activity = await program.activityOf(one.user.email)
    expect(activity.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(
      expect.arrayContaining([
        'target-added Kanal utama · YouTube',
        'target-changed Kanal malam · YouTube',
        'target-removed Toko · Lainnya',
      ]),
    )
    const everything = `${await program.dump()}${program.logged()}${JSON.stringify(activity)}`
    expect(everything).not.toContain(KEY)
    expect(everything).not.toContain('sepuluh')
    expect(everything).toContain('Kanal malam')
  })

  it.each<[object, number, string | RegExp]>([
    [{ platform: 'youtube', key: KEY }, 400, 'Isi nama tujuan.'],
    [{ ...LAIN, name: 'n'.repeat(61) }, 400, 'Nama tujuan terlalu panjang.'],
    [{ ...LAIN, name: 'a\u202eb' }, 400, /tidak bisa ditampilkan/],
    [{ ...LAIN, platform: 'bigo' }, 400, /Pilih platform tujuan/],
    [{ ...LAIN, key: '' }, 400, 'Isi stream key-nya.'],
    [{ ...LAIN, key: 'dua kata' }, 400, /key tidak valid/],
    [{ ...LAIN, key: 'rtmp://127.0.0.1/live/x' }, 400, /Isi stream key-nya saja/],
    [{ ...LAIN, address: 'http://127.0.0.1/live' }, 400, /Alamat server tidak valid/],
    [{ ...LAIN, address: 'rtmp://127.0.0.1:99999/live' }, 400, /Alamat server tidak valid/],
    [{ ...LAIN, address: 'rtmp://127.0.0.1/live?a=b' }, 400, /tanda tanya/],
    [{ ...LAIN, address: 'rtmp://tidak-ada.invalid/live' }, 400, /Alamat tujuan tidak ditemukan/],
    [{ ...LAIN, address: null }, 400, /Isi alamat lengkap/],
    [{ ...LAIN, preset: 'Tanda Petik"' }, 400, /Preset platform/],
    [{ ...LAIN, key: 7 }, 400, /key tidak valid/],
    [[], 400, 'Permintaan tidak bisa dibaca.'],
  ])('[TGT-01] refuse %j with a sentence', async (body, status, message) => {
    const one = await refused
    const reply = await one.add(body)
    expect(reply).toMatchObject({ status, body: { success: false } })
    expect(reply.body.message).toMatch(message)
    expect((await one.list()).body.data).toEqual([])
  })
  let refused: ReturnType<typeof someone>
  beforeAll(() => {
    refused = someone()
  })

  it('have names of their own, whatever their case, and are at most fifty', async () => {
    const one = await someone()
    await one.add(LAIN)
    const second = (await one.add({ ...LAIN, name: 'Lain lagi' })).body.data
    expect(await one.add({ ...LAIN, name: ' KANAL ' })).toMatchObject({
      status: 409,
      body: { code: 'target_exists', message: 'Sudah ada tujuan dengan nama ini. Pilih nama lain.' },
    })
    expect((await one.change(second.id, { name: 'kanal' })).body.code).toBe('target_exists')
    expect((await one.change(second.id, { name: 'LAIN LAGI' })).status).toBe(200)
    expect(await one.change(second.id, {})).toMatchObject({ status: 400, body: { message: 'Tidak ada yang diubah.' } })

    const many = await Promise.all(Array.from({ length: 52 }, (_, n) => one.add({ ...LAIN, name: `Tujuan ${n}` })))
    expect(many.filter(({ status }) => status === 200)).toHaveLength(48)
    expect(many.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { code: 'target_limit_reached', message: 'Paling banyak 50 tujuan. Hapus yang tidak dipakai dulu.' },
    })

    const names: string[] = []
    let query = '?limit=20'
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await one.list(query)
      names.push(...body.data.map(({ name }: { name: string }) => name))
      query = `?limit=20&cursor=${body.nextCursor}`
      if (pages === 2) expect(body.nextCursor).toBeNull()
    }
    expect(new Set(names).size).toBe(50)
    expect(names).toHaveLength(50)
    for (const wrong of ['?cursor=%00', '?cursor=%E2%82%AC', '?limit=0', '?limit=101', '?limit=x']) {
      expect((await one.list(wrong)).status, wrong).toBe(400)
    }
  })

  it('[TGT-01] of another workspace cannot be seen, changed, tested or deleted', async () => {
    const [one, other] = await Promise.all([someone(), someone()])
    const { id } = (await one.add(LAIN)).body.data
    for (const reply of [
      await other.get(id),
      await other.change(id, { name: 'Punya saya' }),
      await other.change(id, { key: 'kunci-saya-sendiri' }),
      await other.test(id),
      await other.remove(id),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { success: false, code: 'not_found' } })
    }
    expect((await other.list()).body.data).toEqual([])
    expect((await one.list()).body.data).toHaveLength(1)
    expect((await call(program.url, 'GET', `/fitur/target/${id}`)).status).toBe(401)
  })

  it('[TGT-01] send their key to no other server than the one that it was typed for', async () => {
    const one = await someone()
    const { id } = (await one.add(LAIN)).body.data
    const moved = await one.change(id, { address: 'rtmp://127.0.0.2/live' })
    expect(moved).toMatchObject({
      status: 400,
      body: { message: 'Server tujuannya berubah, jadi isi lagi stream key-nya.' },
    })
    expect((await one.change(id, { platform: 'youtube', address: null })).body.message).toMatch(/isi lagi stream key/)
    expect((await one.change(id, { address: 'rtmp://127.0.0.1:1936/app' })).body.data.keyHint).toBe('••••wxyz')
    expect((await one.change(id, { address: 'rtmp://127.0.0.2/live/kunci-yang-saya-lain' })).body.data).toMatchObject({
      address: 'rtmp://127.0.0.2/live',
      keyHint: '••••lain',
    })
    const typed = await one.change(id, { key: 'rtmp://127.0.0.3/app/kunci-ketiga-saya' })
    expect(typed.body.data).toMatchObject({ address: 'rtmp://127.0.0.3/app', keyHint: '••••saya' })
  })

  it('[TGT-01] show no key that was pasted with the address, also of a row that an older version wrote', async () => {
    const one = await someone()
    const twice = await one.add({ ...LAIN, address: `rtmp://127.0.0.1/live/${KEY}` })
    expect(twice.body.data).toMatchObject({ address: 'rtmp://127.0.0.1/live', keyHint: '••••wxyz' })
    const hidden = await one.add({ ...LAIN, name: 'Kanal dua', address: `rtmp://127.0.0.1/live/${KEY}-lain` })
    const { id, address } = hidden.body.data
    expect(address).toBe('rtmp://127.0.0.1/live/…')
    // A client that sends back what it was shown changes nothing of it, and a new key goes behind the same address.
    const changed = await one.change(id, { address, key: 'kunci-yang-baru-sekali' })
    expect(changed.body.data).toMatchObject({ address, keyHint: '••••kali' })
    expect(await wholeOfRow(id)).toBe(`rtmp://127.0.0.1/live/${KEY}-lain/kunci-yang-baru-sekali`)
    const whole = await one.change(id, { address: `rtmp://127.0.0.1/live/${KEY}-utuh` })
    expect(whole.body.data).toMatchObject({ address: 'rtmp://127.0.0.1/live', keyHint: '••••utuh' })

    await program.db
      .updateTable('targets')
      .set({ address: `rtmp://127.0.0.1/live/${KEY}-utuh` })
      .where('id', '=', id)
      .execute()
    expect((await one.get(id)).body.data.address).toBe('rtmp://127.0.0.1/live/…')
    expect(JSON.stringify((await one.list()).body)).not.toContain(KEY)
    await one.change(id, { key: 'kunci-yang-baru-sekali' })
    expect(await wholeOfRow(id)).toBe('rtmp://127.0.0.1/live/kunci-yang-baru-sekali')
    expect(`${await program.dump()}${program.logged()}`).not.toContain(KEY)
  })

  it('[TGT-01] are given to a broadcast with their keys, in its order, each once, and to nobody else', async () => {
    const one = await someone()
    const first = (await one.add({ name: 'Satu', platform: 'youtube', key: KEY })).body.data.id
    const second = (await one.add({ ...LAIN, name: 'Dua' })).body.data.id
    const { resolve } = createTargetsService({
      repo: createTargetsRepo(program.db),
      sealer: await sealerOf(),
      clock: program.clock,
      activity: { record: async () => {} },
      egress: { resolve: async () => [] },
      isStoredOnAir: async () => false,
    })
    const { id: owner } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', one.user.email)
      .executeTakeFirstOrThrow()
    const given = await resolve(owner, [second, first, second])
    expect(given.map(({ name, platform, address }) => [name, platform, address.reveal()])).toEqual([
      ['Dua', 'lain', `rtmp://127.0.0.1/live/${KEY}`],
      ['Satu', 'youtube', `rtmps://a.rtmps.youtube.com:443/live2/${KEY}`],
    ])
    expect(JSON.stringify(given)).not.toContain(KEY)
    expect((await one.get(first)).body.data.lastUsedAt).not.toBeNull()
    await expect(resolve('another workspace', [first])).rejects.toMatchObject({ code: 'not_found' })
    await expect(resolve(owner, [first, 'no-such-target'])).rejects.toMatchObject({
      message: 'Tujuan tidak ditemukan. Mungkin sudah dihapus.',
    })
    expect(await resolve(owner, [])).toEqual([])
  })

  it('[TGT-01] a session from a strange browser proves its password before it changes or uses a key', async () => {
    const one = await someone()
    const { id } = (await one.add(LAIN)).body.data
    const { email } = one.user
    const from = fromAddress(randomAddress())
    const login = { email, password: one.password }
    const { token } = (await call(program.url, 'POST', '/auth/login', { body: login, headers: from })).body
    program.clock.move(16 * 60_000)
    const headers = { authorization: `Bearer ${token}`, ...from }
    const path = `/fitur/target/${id}`
    const needed = { status: 403, body: { code: 'password_needed' } }
    expect(await call(program.url, 'PATCH', path, { body: { key: 'x-y-z' }, headers })).toMatchObject(needed)
    expect(await call(program.url, 'POST', `${path}/test`, { headers })).toMatchObject(needed)
    expect((await call(program.url, 'PATCH', path, { body: { name: 'Nama baru' }, headers })).status).toBe(200)
    const { apiKey } = one.user
    expect((await call(program.url, 'PATCH', path, { body: { apiKey, key: 'kunci-lewat-api' } })).status).toBe(200)
  })
})
