import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo, videosOf } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** A frozen program answers nobody: the test says so instead of waiting with it. */
const FROZEN_MS = 40_000
const answered = <T>(answer: Promise<T>) => waitFor('an answer', () => answer, { timeoutMs: FROZEN_MS })

let siarin: Siarin
let folder: Awaited<ReturnType<typeof tempDir>>
let clip: string

beforeAll(async () => {
  folder = await tempDir('insert-bounds')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  siarin = await startSiarin()
})
afterAll(async () => {
  await siarin.dispose()
  await folder.remove()
})

function changeDatabase(statement: string): void {
  const db = new SqliteDatabase(join(siarin.dataDir, 'siarin.db'))
  db.exec(statement)
  db.close()
}

describe('what the database never takes, however often it is tried', () => {
  it('a name: the upload is answered, and the program goes on', async () => {
    const { apiKey } = await personWithVideo(siarin, clip)
    // Stricter than the program: it takes another case for another name.
    changeDatabase('create unique index test_filename on videos (user_id, lower(filename))')
    expect(await answered(uploadVideo(siarin.url, apiKey, clip, 'KLIP.mp4'))).toMatchObject({
      status: 500,
      body: { code: 'internal' },
    })
    changeDatabase('drop index test_filename')
    expect(await answered(uploadVideo(siarin.url, apiKey, clip, 'KLIP.mp4'))).toMatchObject({ status: 200 })
    expect(await processed(siarin.url, apiKey, 'KLIP.mp4')).toMatchObject({ status: 'ready' })
    expect(await videosOf(siarin.url, apiKey)).toHaveLength(2)
  })

  it('a place: the start is answered, and the program goes on', async () => {
    const { apiKey } = await personWithVideo(siarin, clip)
    const { start, stop, history } = streamCalls(siarin.url, { url: 'rtmp://127.0.0.1:1/live' })
    const first = await start(apiKey, 'satu')
    await stop(apiKey, first.body.streamId)
    await waitFor('its end', async () => (await history(apiKey)).length === 1)
    // Stricter than the program: to it the place of an ended stream is free.
    changeDatabase('create unique index test_slot on streams (user_id, slot)')
    expect(await answered(start(apiKey, 'dua'))).toMatchObject({ status: 500, body: { code: 'internal' } })
    changeDatabase('drop index test_slot')
    const third = await answered(start(apiKey, 'tiga'))
    expect(third).toMatchObject({ status: 200 })
    await stop(apiKey, third.body.streamId)
  })
})
