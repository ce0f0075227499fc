import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type StreamlabsService, startStreamlabsService } from '@siarin/testkit/streamlabs-service'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { DATABASES, type TestDatabases } from './support/databases.ts'
import { bearer, call, fromAddress, giveVideo, newUser, processed, randomAddress, signIn } from './support/program.ts'
import { openStreamStage, type StreamStage, streamCalls } from './support/streams.ts'
import { locationOf, tusOf } from './support/tus.ts'

/** Several videos and programs in one test: a busy machine needs its time. */
const STARVED = { timeout: 600_000 }

const deleteAccount = (url: string, token: string, currentPassword: string, confirm: string) =>
  call(url, 'DELETE', '/auth/profile', { body: { currentPassword, confirm }, headers: bearer(token) })

/** Every file that bears the user's id in its path. */
const filesOf = async (dataDir: string, userId: string) => {
  const all = await readdir(dataDir, { recursive: true })
  return all.filter((name) => name.includes(userId))
}

/** Somebody with a video, an upload on its way and accounts, whose id the folder tells. */
async function settledPerson(program: Pick<StreamStage['program'], 'url' | 'dataDir'>, clip: string) {
  const { url, dataDir } = program
  const { user, token, password } = await signIn(url)
  await giveVideo(program, user, clip)
  const tus = tusOf(url, user.apiKey)
  const location = locationOf(await tus.create(1000))
  await tus.patch(location, 0, Buffer.alloc(100))
  const [userId = ''] = decodeURIComponent(location.split('/').at(-1) ?? '').split('~')
  expect((await filesOf(dataDir, userId)).length).toBeGreaterThan(4)
  await call(url, 'POST', '/fitur/bigo/add', { body: { apiKey: user.apiKey, name: 'Toko', siteId: `toko${userId}` } })
  return { ...user, token, password, userId, tus, location }
}

describe.each(DATABASES)('an account that its owner deletes, on $name', STARVED, ({ open }) => {
  let databases: TestDatabases
  let streamlabs: StreamlabsService
  let stage: StreamStage

  beforeAll(async () => {
    databases = await open()
    streamlabs = await startStreamlabsService()
    stage = await openStreamStage({ ...(await databases.settings()), STREAMLABS_API_URL: streamlabs.url })
  })
  afterAll(async () => {
    await stage.close()
    await streamlabs.dispose()
    await databases.stop()
  })

  const usersWith = (email: string) =>
    stage.program.db.selectFrom('users').select('id').where('email', '=', email).execute()

  it('is not deleted without the password and the name', async () => {
    const { url } = stage.program
    const { user, token, password } = await signIn(url)
    expect(await deleteAccount(url, token, 'bukan-ini', user.username)).toMatchObject({
      status: 401,
      body: { message: 'Password ini salah. Ketik password Anda yang sekarang.' },
    })
    expect(await deleteAccount(url, token, password, 'orang lain')).toMatchObject({
      status: 400,
      body: { message: 'Please type your username exactly as it is shown.' },
    })
    expect((await call(url, 'GET', '/auth/profile', { headers: bearer(token) })).status).toBe(200)
    expect(await deleteAccount(url, token, password, user.username)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Your account and all its files have been deleted.' },
    })
    expect((await call(url, 'GET', '/auth/profile', { headers: bearer(token) })).status).toBe(401)
  })

  it('goes off air and takes everything with it: files, uploads on their way, rows, sessions, what was begun at TikTok', async () => {
    const { url, dataDir } = stage.program
    const other = await settledPerson(stage.program, stage.clip)
    const person = await settledPerson(stage.program, stage.clip)
    const { apiKey, token, userId } = person
    streamlabs.set(`used-${userId}`, { rtmp: stage.rtmp.url, key: `tiktok-${userId}` })
    const begin = (account: string) =>
      call(url, 'POST', '/fitur/steamlabs/start', { body: { apiKey, token: account, title: 'Siaran' } })
    const used = (await begin(`used-${userId}`)).body.stream
    await begin(`unused-${userId}`)
    const { streamId } = (await stage.start(apiKey, '', { platform: 'tiktok', rtmpStream: used.rtmpSteam })).body
    await stage.start(apiKey, `lain-${userId}`)
    await stage.rtmp.waitForPublisher(`tiktok-${userId}`, { growing: true })
    await stage.rtmp.waitForPublisher(`lain-${userId}`, { growing: true })

    // What has ffmpegs to end may be answered before they have.
    expect((await deleteAccount(url, token, person.password, person.username)).status).toBe(200)
    await waitFor('the account to go', async () => (await usersWith(person.email)).length === 0)
    await waitFor('its files to go', async () => (await filesOf(dataDir, userId)).length === 0)
    for (const name of ['tiktok', 'lain']) await stage.rtmp.waitForNoPublisher(`${name}-${userId}`)
    expect(await stage.ffmpegOf(streamId)).toEqual([])
    expect([streamlabs.liveId(`used-${userId}`), streamlabs.liveId(`unused-${userId}`)]).toEqual([null, null])
    const rows = await stage.program.dump()
    for (const trace of [userId, person.username, streamId]) expect(rows).not.toContain(trace)

    expect((await call(url, 'GET', '/auth/profile', { headers: bearer(token) })).status).toBe(401)
    expect((await call(url, 'GET', `/fitur/video?apiKey=${apiKey}`)).status).toBe(401)
    expect((await person.tus.head(person.location)).status).toBe(401)
    const again = { username: person.username, email: person.email, password: person.password }
    const headers = fromAddress(randomAddress())
    expect((await call(url, 'POST', '/auth/login', { body: again, headers })).status).toBe(401)
    expect((await call(url, 'POST', '/auth/register', { body: again, headers })).status).toBe(200)

    expect((await filesOf(dataDir, other.userId)).length).toBeGreaterThan(4)
    expect(await processed(url, other.apiKey, 'klip.mp4')).toMatchObject({ status: 'ready' })
  })

  it('lets nobody in once it is marked, and waits for a platform that does not answer for ten minutes only', async () => {
    const { url, clock } = stage.program
    const person = newUser()
    const headers = fromAddress(randomAddress())
    await call(url, 'POST', '/auth/register', { body: person, headers })
    const login = () => call(url, 'POST', '/auth/login', { body: person, headers })
    const { body } = await login()
    const account = `silent-${person.username}`
    streamlabs.set(account, { end: { status: 503, html: true } })
    const { apiKey } = body.user
    await call(url, 'POST', '/fitur/steamlabs/start', { body: { apiKey, token: account, title: 'Siaran' } })
    expect(await deleteAccount(url, body.token, person.password, person.username)).toMatchObject({
      status: 200,
      body: { message: 'Your account is being deleted with all its files. This takes a few minutes.' },
    })
    expect(await login()).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect((await call(url, 'GET', `/fitur/video?apiKey=${apiKey}`)).status).toBe(401)
    expect(streamlabs.calls('end', account).length).toBeGreaterThan(0)
    clock.move(11 * 60_000)
    await waitFor('the account to go', async () => (await usersWith(person.email)).length === 0)
  })
})

describe('a program that dies while it deletes an account', STARVED, () => {
  it('finishes at its next start', async () => {
    const folder = await tempDir('deletion')
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    const rtmp = await startRtmpServer()
    const siarin = await startSiarin()
    try {
      const calls = streamCalls(siarin.url, rtmp)
      const person = await settledPerson(siarin, clip)
      await calls.start(person.apiKey, 'mati')
      await rtmp.waitForPublisher('mati', { growing: true })
      await siarin.kill9()
      // The mark is the first thing that is written; what comes after it had not happened yet.
      const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
      await db.updateTable('users').set({ deleting_at: Date.now() }).where('id', '=', person.userId).execute()
      await siarin.restart()
      await waitFor('the account to go', async () => (await db.selectFrom('users').selectAll().execute()).length === 0)
      await waitFor('its files to go', async () => (await filesOf(siarin.dataDir, person.userId)).length === 0)
      await rtmp.waitForNoPublisher('mati')
      expect(await db.selectFrom('streams').selectAll().execute()).toEqual([])
      await db.destroy()
    } finally {
      await siarin.dispose()
      await rtmp.stop()
      await folder.remove()
    }
  })
})
