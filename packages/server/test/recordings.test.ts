import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { DATABASES } from './support/databases.ts'
import { call } from './support/program.ts'
import { HOUR_MS, recordingStage } from './support/recordings.ts'

/** What is had of them as pictures and sound is shown on one database, in recordings-had.test.ts. */
describe.each(DATABASES)('[REC-01] recordings on $name', ({ open }) => {
  const stage = recordingStage(open)

  it('[REC-02] tells when and why it was interrupted, how long it is and until when it is kept', async () => {
    const { owner, at, id, recording } = await stage.recorded()
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
      {
        ...{ at: new Date(at).toISOString(), until: new Date(at + 32_000).toISOString() },
        ...{ from: 0, seconds: 32, interruption: null, folded: 0 },
      },
      {
        ...{ at: new Date(at + 37_000).toISOString(), until: new Date(at + 47_000).toISOString() },
        ...{ from: 32, seconds: 10, folded: 0 },
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
    const { owner, id, recording } = await stage.recorded()
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
    const { id } = await stage.recorded()
    expect(id).toBeDefined()
    expect(await owner.list()).toEqual([])
    const left = await stage.program.db
      .selectFrom('sent_pieces')
      .select('number')
      .where('broadcast_id', '=', never)
      .execute()
    expect(left).toEqual([])
  })

  it('[REC-02] names its segments with the ticket that opened its list, and with no other', async () => {
    const { owner, recording } = await stage.recorded()
    const path = `/${recording.recordingId}/index.m3u8`
    const junk = '!'.repeat(12_000)
    expect(await (await owner.get(`${path}?ticket=${junk}`)).text()).not.toContain('ticket')
    const { headers } = owner
    const { ticket } = (await call(stage.program.url, 'POST', '/fitur/video/ticket', { headers })).body.data
    const openedBy = (opener: string) => fetch(`${stage.program.url}/fitur/recording${path}?ticket=${opener}`)
    const text = await (await openedBy(ticket)).text()
    const [first = ''] = text.match(/segment\/.*/g) ?? []
    expect(first).toBe(`segment/0.ts?ticket=${encodeURIComponent(ticket)}`)
    const segment = await fetch(`${stage.program.url}/fitur/recording/${recording.recordingId}/${first}`)
    expect([segment.status, (await segment.arrayBuffer()).byteLength > 0]).toEqual([200, true])
    // What stands behind a seal is not read, and would come back behind each address.
    expect((await openedBy(`${ticket}.${junk}`)).status).toBe(410)
  })

  it('is nobody else’s', async () => {
    const { recording } = await stage.recorded()
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
