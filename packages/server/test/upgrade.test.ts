import { join } from 'node:path'
import type { ActiveStream } from '@siarin/contracts/streams'
import { Secret } from '@siarin/media/secret'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, openSqlite } from '../src/platform/db/database.ts'
import { showsAll } from './support/databases.ts'
import { call } from './support/program.ts'
import { emptyPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'
import {
  APP_SECRET,
  apiKeyOf,
  fillPostgres,
  fillSqlite,
  placeVideos,
  readFrom,
  sendTo,
  startAsThen,
  type Told,
  toldBy,
} from './support/version-0.2.2.ts'

interface Left {
  readonly file: string
  readonly url: string | null
  drop(): Promise<void>
}

const DUMPS = [
  {
    name: 'SQLite',
    kind: 'sqlite' as const,
    async fill(dataDir: string): Promise<Left> {
      const file = join(dataDir, 'siarin.db')
      await fillSqlite(file)
      return { file, url: null, drop: async () => {} }
    },
  },
  {
    name: 'PostgreSQL',
    kind: 'postgres' as const,
    async fill(): Promise<Left> {
      const { url, drop } = await emptyPostgres()
      await fillPostgres(url)
      return { file: '', url, drop }
    },
  },
]

/** What a migration does to rows is shown on both in migrations.test.ts. */
const CHOSEN = isWholeRun ? DUMPS : DUMPS.slice(0, 1)

/** What each is known by: a word of its title. */
const ON_AIR = ['Berputar', 'Sekali', 'Pengganti'] as const
const WAITING = 'Menunggu'

describe.each(CHOSEN)('a database of version 0.2.2 with broadcasts on air, on $name', ({ name, kind, fill }) => {
  let folder: TempDir
  let rtmp: RtmpServer
  let siarin: Siarin
  let left: Left
  let told: Told
  let apiKey: string
  let calls: ReturnType<typeof streamCalls>
  const pids = new Map<string, number>()
  const sessions = new Map<string, number>()

  beforeAll(async () => {
    folder = await tempDir('upgrade')
    const dataDir = folder.path
    rtmp = await startRtmpServer()
    told = await toldBy(kind)
    left = await fill(dataDir)
    const db = left.url ? openPostgres(new Secret(left.url), pino({ level: 'silent' })) : openSqlite(left.file)
    await placeVideos(db, dataDir)
    apiKey = await apiKeyOf(db)
    for (const name of ON_AIR) {
      const streamId = before(name).streamId
      const target = `${rtmp.url}/${name}`
      await sendTo(db, streamId, target)
      const process = told.processes.find((one) => one.streamId === streamId)
      if (process) pids.set(name, await startAsThen(db, process, { dataDir, target }))
    }
    await sendTo(db, before(WAITING).streamId, `${rtmp.url}/${WAITING}`)
    await readFrom(db, before('Pengganti').streamId, `${rtmp.httpUrl}/langsung.m3u8`)
    await db.destroy()
    for (const name of ON_AIR) sessions.set(name, (await rtmp.waitForPublisher(name, { growing: true })).id)

    siarin = await startSiarin({ dataDir, env: { APP_SECRET, ...(left.url ? { DATABASE_URL: left.url } : {}) } })
    calls = streamCalls(siarin.url, rtmp)
    const takeOvers = () => siarin.output().split('took over a running ffmpeg').length - 1
    await waitFor('all to be taken over', async () => takeOvers() === ON_AIR.length)
  })
  afterAll(async () => {
    await siarin?.dispose()
    // Where the program did not come so far as to take them over.
    for (const found of await ffmpegsUnder(folder.path)) kill9(found)
    await rtmp?.stop()
    await left?.drop()
    await folder?.remove()
  })

  function before(name: string): ActiveStream {
    const stream = told.active.find(({ title }) => title?.includes(name))
    if (!stream) throw new Error(`0.2.2 had no stream ${name}`)
    return stream
  }
  async function now(name: string): Promise<ActiveStream | undefined> {
    return (await calls.active(apiKey)).find(({ streamId }) => streamId === before(name).streamId)
  }
  const kindsOf = async (name: string) => (await calls.events(apiKey, before(name).streamId)).map((event) => event.kind)

  it('is taken over without anything going off air', async () => {
    const running = (await ffmpegsUnder(folder.path)).map(({ pid }) => pid)
    for (const name of ON_AIR) {
      expect(running).toContain(pids.get(name))
      expect((await rtmp.waitForPublisher(name, { growing: true })).id).toBe(sessions.get(name))
    }
  })

  it('keeps what there is to know of each, and since when it is on air', async () => {
    for (const name of ON_AIR) {
      const { platform, title, online, fallback, onFallback, accountId, note } = before(name)
      const { startedAt, firstLiveAt, since, restarts, reconnects } = before(name)
      const of = { platform, title, online, fallback, onFallback, accountId, note }
      const counted = { startedAt, firstLiveAt, since, restarts, reconnects }
      expect(await now(name)).toMatchObject({ ...of, ...counted, state: 'live', reason: null })
    }
    expect((await now('Sekali'))?.restarts).toBeGreaterThan(0)
    expect(await now('Pengganti')).toMatchObject({ online: true, onFallback: true, fallback: 'klip.mkv' })
    expect(await now('Sekali')).toMatchObject({ source: 'panjang.mp4', nextSource: null })
  })

  it('brings back what waited for its target, with all that it had been through', async () => {
    const earlier = before(WAITING)
    expect(earlier.reason).toEqual(expect.any(String))
    await rtmp.waitForPublisher(WAITING, { growing: true })
    const back = await waitFor('it to be live', async () => {
      const stream = await now(WAITING)
      return stream?.state === 'live' && stream
    })
    const { startedAt, firstLiveAt } = earlier
    expect(back).toMatchObject({ startedAt, firstLiveAt, reconnects: earlier.reconnects + 1 })
    expect(back.restarts).toBeGreaterThanOrEqual(earlier.restarts)
    expect(back.uptime).toBeGreaterThanOrEqual(earlier.uptime)
    const [newest, ...others] = await calls.events(apiKey, earlier.streamId)
    const lostAt = Date.parse(told.events[earlier.streamId]?.find((event) => event.kind === 'lost')?.at ?? '')
    expect(newest).toMatchObject({ kind: 'back' })
    expect(newest?.offAirSeconds).toBeGreaterThan((Date.now() - lostAt) / 1000 - 600)
    expect(others).toEqual(told.events[earlier.streamId])
  })

  it('lets the video come that had been asked for, in the same session', async () => {
    expect(before('Berputar')).toMatchObject({ source: 'klip.mkv', nextSource: 'kedua.mkv' })
    await waitFor('the other video', async () => (await now('Berputar'))?.source === 'kedua.mkv')
    expect(await now('Berputar')).toMatchObject({ nextSource: null, state: 'live' })
    expect((await kindsOf('Berputar'))[0]).toBe('swapped')
    expect((await rtmp.waitForPublisher('Berputar', { growing: true })).id).toBe(sessions.get('Berputar'))
  })

  it('has the words of what ended before, in the history and in the timelines', async () => {
    const history = await calls.history(apiKey)
    const titles = told.history.map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['Gagal', expect.stringContaining('Dihentikan')]))
    expect(history).toMatchObject(told.history)
    for (const { streamId } of told.history) {
      expect(await calls.events(apiKey, streamId)).toEqual(told.events[streamId])
    }
    const { body } = await call(siarin.url, 'GET', `/fitur/activity?apiKey=${apiKey}`)
    // But for the start that was still to come true.
    for (const entry of told.activity.filter(({ status }) => status !== 'Pending')) {
      expect(body.data).toContainEqual(entry)
    }
  })

  if (!showsAll(name)) return

  it('brings one back whose ffmpeg of then is killed', async () => {
    const restarts = (await now('Berputar'))?.restarts ?? 0
    kill9((await ffmpegsUnder(folder.path)).find(({ pid }) => pid === pids.get('Berputar')))
    await rtmp.waitForPublisher('Berputar', { growing: true, otherThan: sessions.get('Berputar') ?? 0 })
    await waitFor('it to be live', async () => (await now('Berputar'))?.state === 'live')
    expect(await now('Berputar')).toMatchObject({ source: 'kedua.mkv', restarts: restarts + 1 })
  })

  it('ends one that is stopped', async () => {
    const { streamId } = before('Sekali')
    expect((await calls.stop(apiKey, streamId)).status).toBe(200)
    await rtmp.waitForNoPublisher('Sekali')
    expect((await calls.history(apiKey))[0]).toMatchObject({ streamId, ended: 'stopped', reason: null })
    expect((await ffmpegsUnder(folder.path)).map(({ pid }) => pid)).not.toContain(pids.get('Sekali'))
    // The others are not touched by it.
    expect((await rtmp.waitForPublisher('Pengganti', { growing: true })).id).toBe(sessions.get('Pengganti'))
  })
})
