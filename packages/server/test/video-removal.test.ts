import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { initialState } from '@siarin/media/stream-state'
import { makeClip } from '@siarin/testkit/clips'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { BOTH_DATABASES, type TestDatabases } from './support/databases.ts'
import { call, personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** Long enough for a call to have come as far as it can. */
const MOMENT_MS = 500

describe.each(BOTH_DATABASES)('a video that is deleted at the moment of a start, on $name', ({ open }) => {
  let databases: TestDatabases
  let program: TestProgram
  let folder: TempDir
  let clip: string
  let source: LoopbackHttp
  /** How to let the source answer those who wait for it. */
  let waiting: (() => void)[] = []
  let calls: ReturnType<typeof streamCalls>

  beforeAll(async () => {
    databases = await open()
    folder = await tempDir('removal')
    clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 1 })
    source = await serveOnLoopback(async (_, response) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      response.writeHead(404).end()
    })
    program = await startProgram(await databases.settings())
    // Nobody listens there: nothing of this needs to come on air.
    calls = streamCalls(program.url, { url: 'rtmp://127.0.0.1:1/live' })
  })
  afterAll(async () => {
    await program.close()
    await source.close()
    await databases.stop()
    await folder.remove()
  })

  const filesOf = async (videoId: string) =>
    (await readdir(join(program.dataDir, 'media'), { recursive: true })).filter((name) => name.includes(videoId))

  /** With a broadcast that ended at once: to know the ids, and to have a row like which others can be made. */
  async function personWithStream() {
    const { apiKey } = await personWithVideo(program, clip)
    const { streamId } = (await calls.start(apiKey, `key-${apiKey}`)).body
    await calls.stop(apiKey, streamId)
    const stream = await waitFor('its end', async () => {
      const row = await program.db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirst()
      return row?.phase === 'ended' && row
    })
    return { apiKey, stream, videoId: stream.video_id ?? '' }
  }

  type Stream = Awaited<ReturnType<typeof personWithStream>>['stream']
  const insertLike = (db: Db, stream: Stream, change: Partial<Stream>) =>
    createStreamsRepo(db).insert({
      ...stream,
      id: `${stream.id}-2`,
      video_id: null,
      phase: initialState.at,
      desired: 'live',
      worker: 'another machine',
      ended_at: null,
      ...change,
    })

  it.each(['video_id', 'next_video_id', 'fallback_video_id'] as const)(
    '[API-04] stays when the start came first, though it was not yet to be seen: as its %s',
    async (column) => {
      const { apiKey, stream, videoId } = await personWithStream()
      const before = await filesOf(videoId)
      let deleting: ReturnType<typeof calls.deleteVideo> | undefined
      await program.db.transaction().execute(async (start) => {
        await insertLike(start, stream, { [column]: videoId })
        deleting = calls.deleteVideo(apiKey, 'klip.mp4')
        await sleep(MOMENT_MS)
      })
      expect(await deleting).toMatchObject({
        status: 409,
        body: { code: 'video_on_air', message: 'Video sedang dipakai siaran langsung.' },
      })
      expect(await filesOf(videoId)).toEqual(before)
      const started = program.db.selectFrom('streams').selectAll().where('id', '=', `${stream.id}-2`)
      expect((await started.executeTakeFirstOrThrow())[column]).toBe(videoId)

      const claim = { id: `${stream.id}-2`, epoch: stream.epoch }
      const state = { at: 'ended', reason: 'stopped', cause: null } as const
      expect(await createStreamsRepo(program.db).change(claim, { state, reason: null })).toBe(true)
      expect((await calls.deleteVideo(apiKey, 'klip.mp4')).status).toBe(200)
      expect(await filesOf(videoId)).toEqual([])
      expect((await started.executeTakeFirstOrThrow())[column]).toBeNull()
    },
  )

  it('[API-04] is no stand-in any more when the deletion came first: the start is refused', async () => {
    const { apiKey, videoId } = await personWithStream()
    waiting = []
    const starting = calls.start(apiKey, `relay-${apiKey}`, { source: `${source.url}/live.m3u8`, fallback: 'klip.mp4' })
    await waitFor('the source to be looked at', async () => waiting.length > 0)
    expect((await calls.deleteVideo(apiKey, 'klip.mp4')).status).toBe(200)
    for (const answer of waiting) answer()
    expect(await starting).toMatchObject({
      status: 400,
      body: { code: 'source_invalid', message: ONLINE_TEXTS.fallbackInvalid },
    })
    expect(await calls.active(apiKey)).toEqual([])
    expect(await filesOf(videoId)).toEqual([])
  })

  it('is not waited for by a swap that came too late', async () => {
    const { apiKey, stream, videoId } = await personWithStream()
    await insertLike(program.db, stream, {})
    let swapping: ReturnType<typeof calls.swap> | undefined
    await program.db.transaction().execute(async (deletion) => {
      await deletion.deleteFrom('videos').where('id', '=', videoId).execute()
      swapping = calls.swap(apiKey, `${stream.id}-2`, 'klip.mp4')
      await sleep(MOMENT_MS)
    })
    expect(await swapping).toMatchObject({
      status: 400,
      body: { code: 'source_invalid', message: STREAM_TEXTS.sourceInvalid },
    })
  })

  it('and several at once delete it once', async () => {
    const { apiKey } = await personWithStream()
    const replies = await Promise.all(Array.from({ length: 4 }, () => calls.deleteVideo(apiKey, 'klip.mp4')))
    expect(replies.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect((await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}`)).body.data).toEqual([])
  })
})
