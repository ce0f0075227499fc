import { Secret } from '@siarin/media/secret'
import { type BigoService, startBigoService } from '@siarin/testkit/bigo-service'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatforms, type OnlineRef, type OnlineSources } from '../src/modules/platforms/index.ts'
import { createOnlineRepo } from '../src/modules/platforms/online.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { createEgress } from '../src/platform/egress/egress.ts'
import { createEvents } from '../src/platform/events/events.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { sureOf } from './support/sure-clock.ts'

const HLS = 'https://hls.example/live.m3u8?sign=1'
const sealer = createSealer(new Secret('rahasia untuk pengujian'))

let db: Db
let close: () => Promise<void>
let bigo: BigoService
let userId: string
let now = 1_800_000_000_000

const account = { id: 'a1', name: 'Panggung', credential: new Secret('784512') }
let accounts = [account]

beforeAll(async () => {
  const [sqlite] = REPO_DATABASES
  if (!sqlite) throw new Error('there is no database')
  ;({ db, close } = await sqlite.open())
  userId = await addUser(db)
  bigo = await startBigoService()
})
afterAll(async () => {
  await bigo.dispose()
  await close()
})

const sources = (): OnlineSources =>
  createPlatforms({
    db,
    sealer,
    clock: { now: () => now },
    trust: sureOf({ now: () => now }),
    events: createEvents(),
    log: pino({ level: 'silent' }),
    timings: USUAL_TIMINGS,
    egress: createEgress({ allowPrivateNetwork: false, dnsServers: [] }),
    accounts: {
      withCredentials: async () => accounts,
      find: async (owner, kind, id) =>
        (owner === userId && kind === 'bigo' && accounts.find((one) => one.id === id)) || null,
    },
    assertAccess: async () => {},
    keyMarkOf: async () => null,
    bigoApiUrl: bigo.url,
    streamlabsApiUrl: bigo.url,
  }).sources

describe('an online source that a stream is to relay', () => {
  it('is an address, called by its host', async () => {
    const ref = await sources().find(userId, { url: `${HLS}#t=1` })
    expect(ref).toMatchObject({ kind: 'hls', name: 'hls.example' })
    expect(ref.kind === 'hls' && ref.url.reveal()).toBe(HLS)
    expect(await sources().locate(userId, ref)).toEqual({ state: 'live', url: new URL(HLS) })
  })

  it('is called as its owner has called it', async () => {
    const secret = new Secret(HLS)
    const row = { id: 's1', user_id: userId, name: 'Kamera toko', url_sealed: sealer.seal(secret), created_at: now }
    await createOnlineRepo(db).insertWithin({ ...row, url_mark: sealer.mark(secret) }, 50)
    expect(await sources().find(userId, { url: HLS })).toMatchObject({ name: 'Kamera toko' })
    expect(await sources().find(await addUser(db), { url: HLS })).toMatchObject({ name: 'hls.example' })
  })

  it.each([
    ['nothing', ''],
    ['a file', 'klip.mp4'],
    ['a file of this machine', 'file:///etc/passwd'],
    ['a target', 'rtmp://host/live'],
    ['an address with a password', 'http://a:b@host/x.m3u8'],
    ['an address without an end', `http://host/${'x'.repeat(5000)}`],
  ])('is not %s', async (_, url) => {
    await expect(sources().find(userId, { url })).rejects.toMatchObject({ code: 'source_invalid' })
  })

  it('is the room of an account of its owner, and of nobody else', async () => {
    bigo.set('784512', { is: 'live', hls: HLS, nickname: 'Rina' })
    expect(await sources().find(userId, { url: HLS, accountId: 'a1' })).toEqual({
      kind: 'bigo',
      accountId: 'a1',
      name: 'Rina',
    })
    await expect(sources().find('other', { url: HLS, accountId: 'a1' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(sources().find(userId, { url: HLS, accountId: 'a2' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is looked for anew: a room changes its address, goes and comes', async () => {
    const found = sources()
    const ref: OnlineRef = { kind: 'bigo', accountId: 'a1', name: 'Rina' }
    bigo.set('784512', { is: 'live', hls: HLS })
    expect(await found.locate(userId, ref)).toEqual({ state: 'live', url: new URL(HLS) })
    for (const [is, state] of [
      ['offline', 'offline'],
      ['unknown-list', 'unknown'],
      ['needs-login', 'blocked'],
      ['error-500', 'unreachable'],
    ] as const) {
      bigo.set('784512', { is })
      now += 6_000
      expect(await found.locate(userId, ref)).toEqual({ state })
    }
    accounts = []
    expect(await found.locate(userId, ref)).toEqual({ state: 'unknown' })
    accounts = [account]
  })
})
