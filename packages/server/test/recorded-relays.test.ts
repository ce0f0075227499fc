import { basename, join } from 'node:path'
import { type HlsSource, type HlsSourceOptions, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo } from './support/program.ts'
import { assertPlays, leftPieces, marksOf, piecesOf, SHORT_PIECES } from './support/recorded-relays.ts'
import { openStreamStage, type StreamStage, streamCalls } from './support/streams.ts'

const PATIENT = { timeoutMs: 90_000 }

let stage: StreamStage
let ingest: RtmpServer
let source: HlsSource
let calls: ReturnType<typeof streamCalls>

beforeAll(async () => {
  stage = await openStreamStage({ MAX_RELAY_ENCODES: '2', STORAGE_LIMIT_GB: '1' }, SHORT_PIECES)
  ingest = await startRtmpServer({ record: true })
  source = await startHlsSource()
  calls = streamCalls(stage.program.url, ingest)
  // Once: a person who comes later gets a copy of the video.
  await personWithVideo(stage.program, stage.clip)
}, 300_000)

afterAll(async () => {
  await stage?.close()
  await ingest?.stop()
  await source?.dispose()
})

const pieces = (id: string) => piecesOf(stage.program.db, id)
const pathOf = (key: string) => join(stage.program.dataDir, 'media', key)
const leftOf = async (id: string) => (await leftPieces(stage.program.dataDir)).filter((name) => name.includes(id))
const nothingLeft = (id: string) =>
  waitFor('every piece to be taken', async () => (await leftOf(id)).length === 0, PATIENT)
const taken = (id: string, count: number) =>
  waitFor(`${count} pieces`, async () => (await pieces(id)).length >= count && (await pieces(id)), PATIENT)

const liveRow = async (id: string) =>
  (await stage.program.db.selectFrom('streams').selectAll().where('id', '=', id).execute()).find(
    ({ phase }) => phase === 'live',
  )

/** Somebody whose broadcasts end with the test: several tests are on air at a time. */
async function asSomebody(test: (apiKey: string) => Promise<void>): Promise<void> {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  try {
    await test(apiKey)
  } finally {
    await stage.stopAll(apiKey)
  }
}

async function withSource(options: HlsSourceOptions, test: (source: HlsSource) => Promise<void>): Promise<void> {
  const own = await startHlsSource(options)
  try {
    await test(own)
  } finally {
    await own.dispose()
  }
}

async function record(apiKey: string, key: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await calls.start(apiKey, key, { source: source.url, record: true, ...more })
  expect([status, body.message]).toEqual([200, expect.any(String)])
  return body.streamId
}

const ingested = async (key: string): Promise<string> =>
  (await ingest.recordings()).find((file) => basename(file).startsWith(key)) ?? ''

describe.concurrent('[REC-02] an online source that is recorded', { timeout: 300_000 }, () => {
  it('is written down while it is sent, and what was written is what arrived', () =>
    asSomebody(async (apiKey) => {
      const id = await record(apiKey, 'same')
      const [first] = await taken(id, 3)
      // Its source sends the first pieces faster than they last: they may be there before anybody has seen it move.
      const row = await waitFor('it to be live', () => liveRow(id), PATIENT)
      expect(Math.abs((first?.at ?? 0) - row.created_at)).toBeLessThan(30_000)
      await calls.stop(apiKey, id)
      await ingest.waitForNoPublisher('same', PATIENT)
      await nothingLeft(id)
      const all = await pieces(id)
      expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
      expect(new Set(all.map(({ session }) => session)).size).toBe(1)
      const ends = all.map(({ at, ms }) => at + ms)
      expect(all.slice(1).map(({ at }) => at)).toEqual(ends.slice(0, -1))
      expect(all[0]?.whole_bytes).toBe(all.reduce((sum, { bytes }) => sum + bytes, 0))
      expect(all[0]?.whole_ms).toBeCloseTo(
        all.reduce((sum, { ms }) => sum + ms, 0),
        3,
      )
      for (const { key } of all) await assertPlays(pathOf(key))
      const written = await marksOf(...all.map(({ key }) => pathOf(key)))
      const arrived = await marksOf(await ingested('same'))
      expect(written.pictures.length).toBeGreaterThan(100)
      expect(written.pictures).toEqual(arrived.pictures)
      expect(written.sounds).toEqual(arrived.sounds)
      expect(stage.program.logged()).not.toContain('/same')
    }))

  it.runIf(isWholeRun)('is written down with the video that stands in for it, as another session', () =>
    withSource({}, (own) =>
      asSomebody(async (apiKey) => {
        const id = await record(apiKey, 'stand-in', { source: own.url, fallback: 'klip.mp4' })
        const [first] = await taken(id, 1)
        own.stop()
        const isStandIn = async () => (await stage.active(apiKey))[0]?.onFallback === true
        await waitFor('the stand-in', isStandIn, PATIENT)
        const others = async () => (await pieces(id)).filter(({ session }) => session !== first?.session)
        await waitFor('two pieces of it', async () => (await others()).length >= 2, PATIENT)
        await calls.stop(apiKey, id)
        await nothingLeft(id)
        const all = await pieces(id)
        expect(new Set(all.map(({ session }) => session)).size).toBeGreaterThan(1)
        for (const { key } of all) await assertPlays(pathOf(key))
      }),
    ),
  )

  it.runIf(isWholeRun)(
    'is written down as it is sent where its picture is made anew, whatever its key looks like',
    () =>
      withSource({ videoCodec: 'mpeg2video', audioCodec: 'mp2' }, (odd) =>
        asSomebody(async (apiKey) => {
          const id = await record(apiKey, "odd|[f=null]'", { source: odd.url })
          await taken(id, 2)
          const [{ args } = { args: [] as string[] }] = await stage.ffmpegOf(id)
          expect(args.filter((arg) => arg === 'libx264')).toHaveLength(1)
          await calls.stop(apiKey, id)
          await nothingLeft(id)
          const written = await marksOf(...(await pieces(id)).map(({ key }) => pathOf(key)))
          const arrived = await marksOf(await ingested('odd'))
          expect(written.pictures).toEqual(arrived.pictures)
          // The key that is refused has its own reason as ever.
          const target = { platform: 'lain', rtmpStream: `${ingest.refusingUrl}/k3y-9f8e` }
          const refused = await calls.start(apiKey, 'x', { source: odd.url, record: true, ...target })
          const isRefused = async () =>
            (await stage.active(apiKey)).find(({ streamId }) => streamId === refused.body.streamId)?.reason
          expect(await waitFor('it to be refused', isRefused, PATIENT)).toMatch(/menolak stream key/)
          expect(stage.program.logged()).not.toContain('k3y-9f8e')
        }),
      ),
  )

  it.runIf(isWholeRun)(
    'is written down as it is sent where only its picture is made anew, and its sound is copied',
    () =>
      withSource({ videoCodec: 'mpeg2video' }, (odd) =>
        asSomebody(async (apiKey) => {
          const id = await record(apiKey, 'copied-sound', { source: odd.url })
          await taken(id, 2)
          await calls.stop(apiKey, id)
          await nothingLeft(id)
          const written = await marksOf(...(await pieces(id)).map(({ key }) => pathOf(key)))
          const arrived = await marksOf(await ingested('copied-sound'))
          expect(written.sounds.length).toBeGreaterThan(20)
          expect(written.pictures).toEqual(arrived.pictures)
          expect(written.sounds).toEqual(arrived.sounds)
        }),
      ),
  )

  it('is written down once however many targets it has; where nobody asked, not at all', () =>
    asSomebody(async (apiKey) => {
      const targets = ['one', 'two'].map((key) => ({ platform: 'lain', rtmpStream: `${ingest.url}/${key}` }))
      const { body } = await call(stage.program.url, 'POST', '/fitur/broadcast', {
        body: { apiKey, source: source.url, looping: true, record: true, targets },
      })
      await taken(body.broadcastId, 2)
      const plain = await calls.start(apiKey, 'plain', { source: source.url })
      await ingest.waitForPublisher('plain', { growing: true, ...PATIENT })
      await ingest.waitForPublisher('two', { growing: true, ...PATIENT })
      const own: string[] = [...body.streamIds, plain.body.streamId]
      const recorders = (await ffmpegsUnder(stage.program.dataDir)).filter(
        ({ args }) => args.includes('tee') && args.some((arg) => own.some((id) => arg.includes(id))),
      )
      expect(recorders).toHaveLength(1)
      expect(recorders[0]?.args.join(' ')).toContain(body.broadcastId)
      expect(await pieces(plain.body.streamId)).toEqual([])
    }))

  it('ends with words once its owner has no more room, and is sent on', () =>
    asSomebody(async (apiKey) => {
      const id = await record(apiKey, 'no-room')
      await taken(id, 1)
      const { db } = stage.program
      const { id: recordingId, ...like } = await db
        .selectFrom('recordings')
        .selectAll()
        .where('broadcast_id', '=', id)
        .executeTakeFirstOrThrow()
      const { id: publisher } = await ingest.waitForPublisher('no-room', PATIENT)
      // One that has ended: one that is being made, of a broadcast that nobody knows, is ended at once and takes no room.
      const ended = { to_at: like.from_at + 1_000, kept_until: like.from_at + 3_600_000 }
      await db
        .insertInto('recordings')
        .values({ ...like, ...ended, id: 'other', broadcast_id: 'other', bytes: 1024 ** 3 })
        .execute()
      const why = async () => (await pieces(id))[0]?.ended_why
      expect(await waitFor('its end', why, PATIENT)).toBe('room-full')
      const at = (await pieces(id)).length
      const saysSo = (line: string) => line.includes('ends before') && line.includes(id)
      const isGone = async () => stage.program.logged().split('\n').some(saysSo)
      await waitFor('its recorder to be gone', isGone, PATIENT)
      expect(await ingest.waitForPublisher('no-room', { growing: true })).toMatchObject({ id: publisher })
      await waitFor('it to be switched off', async () => (await switchedOn(id)).length === 0, PATIENT)
      expect((await pieces(id)).length).toBe(at)
      expect(await ingest.waitForPublisher('no-room', { growing: true })).toMatchObject({ id: publisher })
      expect(recordingId).toBe((await pieces(id))[0]?.recording_id)
    }))
})

/** What is switched off stays empty. */
const switchedOn = async (id: string) => (await leftOf(id)).filter((name) => !name.includes('.off/'))
