import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from './support/databases.ts'
import { call, processed } from './support/program.ts'
import { CLIP_SECONDS, FPS, framesOf, HOUR_MS, lengthOf, recordingStage } from './support/recordings.ts'

const PASS = CLIP_SECONDS * FPS
/** Where a session was cut off, pictures that are shown between others may be missing or too many. */
const LOOSE = 4

/** Numbers of frames from one to another. */
const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

describe.each(DATABASES)('[REC-01] recordings on $name', ({ open }) => {
  const stage = recordingStage(open)
  let frames: string[]
  beforeAll(async () => {
    frames = await framesOf(stage.clip)
    expect(new Set(frames).size).toBe(PASS)
  })

  /** Two passes and a half, five seconds off air, ten seconds from a key frame on. */
  async function recorded() {
    const owner = await stage.person()
    const at = stage.program.clock.now() - HOUR_MS
    const id = await stage.broadcast(owner, at - 1_000)
    await stage.send(owner, id, [
      { at, ms: 32_000 },
      { at: at + 37_000, ms: 10_000, session: 's2', from_ms: 6_000, reason: 'target-closed' },
    ])
    await stage.live(owner, id, at + 2_000)
    await stage.end(owner, id, at + 47_000)
    return { owner, at, id, recording: await stage.ready(owner, id) }
  }

  /** What is sent of these, in order: each begins exactly, and ends where it was cut off. */
  const EXPECTED = [
    span(0, PASS),
    span(0, PASS),
    span(0, 32 * FPS - 2 * PASS),
    span(6 * FPS, 16 * FPS).map((n) => n % PASS),
  ]

  function expectFrames(sent: readonly string[]): void {
    const found = sent.map((hash) => frames.indexOf(hash))
    expect(found).not.toContain(-1)
    const parts: number[][] = []
    for (const [index, number] of found.entries()) {
      const before = found[index - 1]
      const isNext = before !== undefined && (number + PASS - before) % PASS <= LOOSE
      if (!isNext) parts.push([])
      parts.at(-1)?.push(number)
    }
    const [first = [], second = []] = parts
    expect(parts).toHaveLength(2)
    const passes = [...(EXPECTED[0] ?? []), ...(EXPECTED[1] ?? []), ...(EXPECTED[2] ?? [])]
    expect(Math.abs(first.length - passes.length)).toBeLessThanOrEqual(LOOSE)
    expect(first.slice(0, passes.length - LOOSE)).toEqual(passes.slice(0, -LOOSE))
    const last = EXPECTED[3] ?? []
    expect(Math.abs(second.length - last.length)).toBeLessThanOrEqual(LOOSE)
    expect(second.slice(0, last.length - LOOSE)).toEqual(last.slice(0, -LOOSE))
  }

  it('[REC-02] tells when and why it was interrupted, how long it is and until when it is kept', async () => {
    const { owner, at, id, recording } = await recorded()
    expect(recording).toMatchObject({
      ...{ broadcastId: id, title: 'Lofi malam', sourceName: 'klip.mp4', online: false, state: 'ready' },
      ...{ startedAt: new Date(at).toISOString(), endedAt: new Date(at + 47_000).toISOString() },
      ...{ seconds: 42, interruptions: 1, endedWhy: null, hasPicture: true },
      // Plans are not in force here: what is largest counts.
      keptUntil: new Date(at + 47_000 + 365 * 24 * HOUR_MS).toISOString(),
    })
    expect(recording.size).toBeGreaterThan(10_000)
    const { status, body } = await owner.ask('GET', `/${recording.recordingId}`)
    expect([status, body.message]).toEqual([200, RECORDING_TEXTS.found])
    expect(body.recording.parts).toEqual([
      { at: new Date(at).toISOString(), from: 0, seconds: 32, interruption: null },
      {
        ...{ at: new Date(at + 37_000).toISOString(), from: 32, seconds: 10 },
        interruption: STREAM_REASON_TEXTS['target-closed'],
      },
    ])
    const facts = await stage.program.db
      .selectFrom('outbox')
      .selectAll()
      .where('subject_id', '=', recording.recordingId)
      .execute()
    expect(facts.map(({ fact, payload }) => [fact, JSON.parse(payload)])).toEqual([
      ['recording.ready', { streamId: id, title: 'Lofi malam', durationMs: 42_000, sizeBytes: recording.size }],
    ])
    const picture = await owner.get(`/${recording.recordingId}/picture`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  it('[REC-02] plays what was sent, frame by frame, and each piece lasts as long as it says', async () => {
    const { owner, recording } = await recorded()
    const path = `/${recording.recordingId}`
    const list = await owner.get(`${path}/index.m3u8`)
    expect([list.status, list.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    const text = await list.text()
    expect(text).toMatch(/^#EXTM3U\n[\s\S]*#EXT-X-PLAYLIST-TYPE:VOD\n[\s\S]*#EXT-X-ENDLIST\n$/)
    const lengths = [...text.matchAll(/#EXTINF:([\d.]+),\nsegment\/(\d+)\.ts\n/g)].map(([, seconds]) => Number(seconds))
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(4)
    const sent: string[] = []
    for (const [number, seconds] of lengths.entries()) {
      const response = await owner.get(`${path}/segment/${number}.ts`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp2t'])
      const file = await stage.saved(response, `${number}.ts`)
      expect(Math.abs((await lengthOf(file)) - seconds), `segment ${number}`).toBeLessThan(0.15)
      sent.push(...(await framesOf(file)))
    }
    expectFrames(sent)
    expect((await owner.get(`${path}/segment/${lengths.length}.ts`)).status).toBe(404)
    expect((await owner.get(`${path}/segment/x.ts`)).status).toBe(400)
  })

  it('[REC-02] is had as one file, whole, resumed and in part', async () => {
    const { owner, recording } = await recorded()
    const path = `/${recording.recordingId}/file`
    const response = await owner.get(path)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Lofi malam \d{4}-.*\.mp4"/)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    const etag = response.headers.get('etag') ?? ''
    const whole = Buffer.from(await response.arrayBuffer())
    const file = await stage.saved(new Response(whole), 'whole.mp4')
    expectFrames(await framesOf(file))
    expect(await lengthOf(file)).toBeCloseTo(42, 0)

    const half = Math.floor(whole.length / 2)
    const rest = await owner.get(path, { range: `bytes=${half}-`, 'if-range': etag })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${half}-${whole.length - 1}/${whole.length}`,
    ])
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(half))).toBe(true)
    const other = await owner.get(path, { range: `bytes=${half}-`, 'if-range': '"another"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length])
    const beyond = await owner.get(path, { range: `bytes=${whole.length}-` })
    expect(beyond.status).toBe(416)

    const part = await owner.get(`${path}?from=15&to=20`)
    const cut = await framesOf(await stage.saved(part, 'part.mp4'))
    // From the key frame before on: there is one every two seconds.
    const from = frames.indexOf(cut[0] ?? '')
    expect(from % 50).toBe(0)
    expect(from).toBeGreaterThan((15 - CLIP_SECONDS) * FPS - 51)
    expect(from).toBeLessThanOrEqual((15 - CLIP_SECONDS) * FPS)
    expect(Math.abs(from + cut.length - (20 - CLIP_SECONDS) * FPS)).toBeLessThanOrEqual(LOOSE)
    for (const query of ['?from=5&to=4', '?from=-1', '?from=x', '?from=100', '?to=99999999']) {
      const refused = await owner.ask('GET', `/${recording.recordingId}/file${query}`)
      expect([refused.status, refused.body.message], query).toEqual([400, RECORDING_TEXTS.partInvalid])
    }
  })

  it('[REC-02] becomes a video of the library', async () => {
    const { owner, recording } = await recorded()
    const { status, body } = await owner.ask('POST', `/${recording.recordingId}/video`, {
      from: 0,
      to: 20,
      filename: 'Pilihan',
    })
    expect([status, body.message, body.video.filename, body.video.status]).toEqual([
      ...[200, RECORDING_TEXTS.used, 'Pilihan.mp4', 'processing'],
    ])
    const video = await processed(stage.program.url, owner.user.apiKey, 'Pilihan.mp4')
    expect([video.status, video.reason]).toEqual(['ready', null])
    expect(video.duration).toBeCloseTo(20, 0)
  })

  it('is being made while its broadcast goes on: it can be seen up to now, and not deleted', async () => {
    const owner = await stage.person()
    const at = stage.program.clock.now() - 60_000
    const id = await stage.broadcast(owner, at)
    await stage.send(owner, id, [{ at, ms: null, out_from_ms: 500 }])
    await stage.program.db.updateTable('streams').set({ sent_ms: 30_500 }).where('id', '=', id).execute()
    await stage.live(owner, id, at + 2_000)
    const [recording] = await waitFor('it to begin', async () => {
      const found = await owner.list()
      return found.length > 0 ? found : undefined
    })
    expect(recording).toMatchObject({ state: 'recording', seconds: 30, endedAt: null, keptUntil: null })
    const path = `/${recording?.recordingId}`
    const text = await (await owner.get(`${path}/index.m3u8`)).text()
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT')
    expect(text).not.toContain('#EXT-X-ENDLIST')
    // Two whole passes; what is not whole yet is left out.
    expect(text.match(/#EXTINF/g)).toHaveLength(4)
    const refused = await owner.ask('DELETE', path)
    expect([refused.status, refused.body.message]).toEqual([409, RECORDING_TEXTS.stillRecording])
    await stage.end(owner, id, at + 30_000)
    await stage.ready(owner, id)
  })

  it('keeps its videos until it is deleted, and says so', async () => {
    const { owner, id, recording } = await recorded()
    const remove = () =>
      call(stage.program.url, 'DELETE', `/fitur/video/delete/${owner.video.filename}`, { headers: owner.headers })
    const refused = await remove()
    expect([refused.status, refused.body.message]).toEqual([409, RECORDING_TEXTS.keepsVideo])
    expect((await owner.ask('DELETE', `/${recording.recordingId}`)).body.message).toBe(RECORDING_TEXTS.removed)
    expect((await owner.ask('GET', `/${recording.recordingId}`)).status).toBe(404)
    const left = await stage.program.db
      .selectFrom('sent_pieces')
      .select('number')
      .where('broadcast_id', '=', id)
      .execute()
    expect(left).toEqual([])
    expect((await remove()).status).toBe(200)
  })

  it('leaves nothing of a broadcast that never was on air, or was not to be recorded', async () => {
    const owner = await stage.person()
    const at = stage.program.clock.now() - 60_000
    const never = await stage.broadcast(owner, at)
    await stage.send(owner, never, [{ at, ms: 500 }])
    await stage.end(owner, never, at + 1_000)
    const unasked = await stage.broadcast(owner, at, { record: 0 })
    await stage.live(owner, unasked, at)
    await stage.end(owner, unasked, at + 1_000)
    const { id } = await recorded()
    expect(id).toBeDefined()
    expect(await owner.list()).toEqual([])
    const left = await stage.program.db
      .selectFrom('sent_pieces')
      .select('number')
      .where('broadcast_id', '=', never)
      .execute()
    expect(left).toEqual([])
  })

  it('is nobody else’s', async () => {
    const { recording } = await recorded()
    const other = await stage.person()
    const path = `/${recording.recordingId}`
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/picture'],
      ['GET', '/index.m3u8'],
      ['GET', '/segment/0.ts'],
      ['GET', '/file'],
      ['POST', '/video'],
    ] as const) {
      const answer = await other.ask(method, `${path}${rest}`, method === 'POST' ? {} : undefined)
      expect([answer.status, answer.body.message], rest).toEqual([404, RECORDING_TEXTS.notFound])
      const nobody = await call(
        stage.program.url,
        method,
        `/fitur/recording${path}${rest}`,
        method === 'POST' ? { body: {} } : {},
      )
      expect(nobody.status, rest).toBe(401)
    }
    expect(await other.list()).toEqual([])
  })

  it('is listed newest first, page by page', async () => {
    const owner = await stage.person()
    const now = stage.program.clock.now()
    for (const hours of [3, 2, 1]) {
      const at = now - hours * HOUR_MS
      const id = await stage.broadcast(owner, at)
      await stage.send(owner, id, [{ at, ms: 1_000 }])
      await stage.live(owner, id, at)
      await stage.end(owner, id, at + 1_000)
      await stage.ready(owner, id)
    }
    const first = (await owner.ask('GET', '?limit=2')).body
    const second = (await owner.ask('GET', `?limit=2&cursor=${first.nextCursor}`)).body
    const begins = [...first.recordings, ...second.recordings].map(({ startedAt }) => Date.parse(startedAt))
    expect(begins).toEqual([now - HOUR_MS, now - 2 * HOUR_MS, now - 3 * HOUR_MS])
    expect(second.nextCursor).toBeNull()
    for (const query of ['?cursor=x', '?limit=0', '?limit=1000'])
      expect((await owner.ask('GET', query)).status).toBe(400)
  })

  it('[REC-04] lasts twelve hours, then the next one begins by itself', async () => {
    const owner = await stage.person()
    const at = stage.program.clock.now() - 30 * HOUR_MS
    const id = await stage.broadcast(owner, at)
    await stage.send(owner, id, [{ at, ms: 25 * HOUR_MS }])
    await stage.live(owner, id, at)
    await stage.end(owner, id, at + 25 * HOUR_MS)
    await waitFor('three', async () => (await owner.list()).filter(({ state }) => state === 'ready').length === 3)
    const found = (await owner.list()).toReversed()
    expect(found.map(({ startedAt, seconds }) => [Date.parse(startedAt) - at, seconds])).toEqual([
      [0, 12 * 3600],
      [12 * HOUR_MS, 12 * 3600],
      [24 * HOUR_MS, 3600],
    ])
    // The piece is needed as long as one of them is there.
    await owner.ask('DELETE', `/${found[0]?.recordingId}`)
    expect((await owner.get(`/${found[1]?.recordingId}/segment/4000.ts`)).status).toBe(200)
  })
})
