import { ActivityListAnswer } from '@siarin/contracts/activity'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import {
  bearer,
  call,
  fromAddress,
  newUser,
  personWithVideo,
  randomAddress,
  signIn,
  type TestProgram,
} from './support/program.ts'

describe.each(DATABASES)('activity on $name', ({ open }) => {
  let program: TestProgram
  let rtmp: RtmpServer
  let folder: TempDir
  let clip: string

  beforeAll(async () => {
    folder = await tempDir('activity')
    clip = `${folder.path}/senja.mp4`
    ;[program, rtmp] = await Promise.all([startProgramOn(open), startRtmpServer(), makeClip(clip, { seconds: 2 })])
  })
  afterAll(async () => {
    await program.close()
    await rtmp.stop()
    await folder.remove()
  })

  const activity = async (headers: Record<string, string>) => {
    const reply = await call(program.url, 'GET', '/fitur/activity', { headers })
    expect(reply.status).toBe(200)
    return ActivityListAnswer.parse(reply.body).data
  }
  const lines = async (headers: Record<string, string>) =>
    (await activity(headers)).map(({ text, status }) => `${text}: ${status}`)
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const reply = await call(program.url, 'POST', path, { body, headers })
    // Two things in one millisecond have no order.
    program.clock.move(5)
    return reply
  }

  it('[FITUR-02] is what the person really did, newest first, with its status', async () => {
    const user = newUser()
    const from = { ...fromAddress(randomAddress()), 'user-agent': 'Peramban/1.0' }
    await post('/auth/register', user, from)
    await post('/auth/login', { ...user, password: 'salah-sekali' }, { ...from, 'user-agent': 'Lain/2.0' })
    const { body } = await post('/auth/login', user, from)
    const headers = { ...bearer(body.token), ...from }
    await post('/auth/login', { ...user, password: 'salah-sekali' }, from)
    await post('/auth/profile/apikey', undefined, headers)
    await post('/fitur/activity', { kind: 'viewed-live' }, headers)
    const added = await post('/fitur/bigo/add', { name: 'Panggung', siteId: '12' }, headers)
    await call(program.url, 'DELETE', `/fitur/bigo/${added.body.data.account_id}`, { headers })

    expect(await lines(headers)).toEqual([
      'Akun platform dihapus: Berhasil',
      'Akun platform ditambahkan: Berhasil',
      'Membuka halaman Live: Berhasil',
      'API key diganti: Berhasil',
      'Login gagal: Gagal',
      'Login: Berhasil',
      'Login gagal dari perangkat tak dikenal: Gagal',
      'Akun dibuat: Berhasil',
    ])
    const [removed] = await activity(headers)
    expect(removed).toMatchObject({ detail: 'Panggung · Bigo', device: 'Peramban/1.0' })
    expect(Date.parse(removed?.at ?? '')).toBeLessThanOrEqual(program.clock.now())
  })

  it('[FITUR-02] of a broadcast is pending until it is on air, and its end is told too', async () => {
    const { apiKey } = await personWithVideo(program, clip)
    const key = { 'x-api-key': apiKey }
    const start = (rtmpStream: string, title: string) =>
      post('/fitur/steam/start', { source: 'klip.mp4', platform: 'lain', rtmpStream, title }, key)
    const told = (status: string, kind: string) =>
      waitFor(`${kind} to be ${status}`, async () =>
        (await activity(key)).find((entry) => entry.kind === kind && entry.status === status),
      )

    const lost = await start('rtmp://127.0.0.1:9/live/nobody', 'Tak sampai')
    expect(await told('Pending', 'stream-started')).toMatchObject({
      text: 'Siaran dimulai',
      detail: 'Tak sampai · Lainnya',
    })
    await post('/fitur/steam/stop', { streamId: lost.body.streamId }, key)
    expect(await told('Berhasil', 'stream-stopped')).toMatchObject({ text: 'Siaran dihentikan' })

    const found = await start(`${rtmp.url}/kegiatan`, 'Sampai')
    expect(await told('Berhasil', 'stream-started')).toMatchObject({ detail: 'Sampai · Lainnya' })
    await post('/fitur/steam/stop', { streamId: found.body.streamId }, key)
    await waitFor('both ends', async () => {
      const ends = (await activity(key)).filter(({ kind }) => kind === 'stream-stopped')
      return ends.length === 2 || undefined
    })
    // One of a broadcast that was never on air has an end and no start.
    expect((await activity(key)).filter(({ kind }) => kind === 'stream-started')).toHaveLength(1)
  })

  it('of somebody else is not to be seen, and a guest sees none', async () => {
    const [one, other] = [await signIn(program.url), await signIn(program.url)]
    await post('/fitur/bigo/add', { name: 'Rahasia', siteId: '12' }, bearer(one.token))
    expect(JSON.stringify(await activity(bearer(other.token)))).not.toContain('Rahasia')
    const guest = await call(program.url, 'GET', '/fitur/activity')
    expect(guest).toMatchObject({ status: 401, body: { success: false, message: 'API Key diperlukan.' } })
  })

  it('takes from the page only what it knows, and one visit once', async () => {
    const { token } = await signIn(program.url)
    const headers = bearer(token)
    expect(await post('/fitur/activity', { kind: 'login' }, headers)).toMatchObject({
      status: 400,
      body: { success: false, message: 'Aktivitas ini tidak dikenal.' },
    })
    const views = async () => (await activity(headers)).filter(({ kind }) => kind === 'viewed-live').length
    for (let time = 0; time < 3; time++) await post('/fitur/activity', { kind: 'viewed-live' }, headers)
    expect(await views()).toBe(1)
    program.clock.move(31 * 60_000)
    await post('/fitur/activity', { kind: 'viewed-live' }, headers)
    expect(await views()).toBe(2)
  })
})
