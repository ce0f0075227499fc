import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rendition } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, processed, signIn, uploadVideo, videosOf } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

/** Much to make out of a small file, so that there is time to come in between. */
const RECIPE = '854x480@50:2500'
const OTHER = '320x180@25:400'
const NAME = 'klip.mp4'

let folder: TempDir
let siarin: Siarin
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('renditions-crashes')
  siarin = await startSiarin()
  apiKey = (await signIn(siarin.url)).user.apiKey
  await makeClip(join(folder.path, NAME), { seconds: 8 })
  await uploadVideo(siarin.url, apiKey, join(folder.path, NAME), NAME)
  await processed(siarin.url, apiKey, NAME)
})
afterAll(async () => {
  await siarin.dispose()
  await folder.remove()
})

const order = (recipe: string) =>
  call(siarin.url, 'POST', `/fitur/video/rendition/${NAME}`, { body: { apiKey, recipe } })
const renditions = async (): Promise<Rendition[]> => (await videosOf(siarin.url, apiKey))[0]?.renditions ?? []
const stateOf = async (recipe: string) => (await renditions()).find((one) => one.recipe === recipe)?.state ?? null
const isMaking = () =>
  waitFor('it to be made', async () =>
    (await ffmpegsUnder(siarin.dataDir)).find(({ args }) => args.some((arg) => arg.endsWith('rendition.mp4'))),
  )
const workFolders = () => readdir(join(siarin.dataDir, 'work')).catch(() => [])
async function stored(): Promise<string[]> {
  const all = await readdir(join(siarin.dataDir, 'media'), { recursive: true })
  return all.filter((path) => path.includes('rendition-'))
}

describe('[LIST-04] a rendition that is being made', { timeout: 240_000 }, () => {
  it('is made after all when the program was killed with -9 meanwhile, once', async () => {
    expect((await order(RECIPE)).body.rendition).toMatchObject({ recipe: RECIPE })
    expect((await order(OTHER)).status).toBe(200)
    const running = await isMaking()
    expect(await stateOf(OTHER)).toBe('waiting')
    await siarin.kill9()
    await siarin.restart()
    await waitFor('the ffmpeg that was left to end', async () =>
      (await ffmpegsUnder(siarin.dataDir)).every(({ pid }) => pid !== running.pid),
    )
    for (const recipe of [RECIPE, OTHER]) {
      await waitFor(`${recipe} to be ready`, async () => (await stateOf(recipe)) === 'ready', { timeoutMs: 120_000 })
    }
    expect(await stored()).toHaveLength(2)
    await waitFor('the work folders to be cleared', async () => (await workFolders()).length === 0)
  })

  it('is made no more when its order is taken back, and goes with its video', async () => {
    const third = '854x480@60:3000'
    await order(third)
    const { pid } = await isMaking()
    const path = `/fitur/video/rendition/${NAME}?recipe=${encodeURIComponent(third)}`
    expect((await call(siarin.url, 'DELETE', path, { body: { apiKey } })).status).toBe(200)
    await waitFor('its ffmpeg to end', async () => (await ffmpegsUnder(siarin.dataDir)).every((one) => one.pid !== pid))
    expect(await stateOf(third)).toBeNull()
    expect(await stored()).toHaveLength(2)

    await order(third)
    await isMaking()
    const removed = await call(siarin.url, 'DELETE', `/fitur/video/delete/${NAME}`, { body: { apiKey } })
    expect(removed.status).toBe(200)
    await waitFor('its ffmpeg to end', async () => (await ffmpegsUnder(siarin.dataDir)).length === 0)
    await waitFor('its files to go', async () => (await stored()).length === 0 && (await workFolders()).length === 0)
    expect(await videosOf(siarin.url, apiKey)).toEqual([])
  })
})

describe('[LIST-04] a playlist that was made alike', { timeout: 240_000 }, () => {
  it('goes on in its session when the program was killed with -9', async () => {
    const rtmp = await startRtmpServer()
    const { apiKey: own } = (await signIn(siarin.url)).user
    const sizes = { 'satu.mp4': { width: 320, height: 180 }, 'dua.mp4': { width: 240, height: 180 } }
    for (const [name, size] of Object.entries(sizes)) {
      await makeClip(join(folder.path, name), { seconds: 3, ...size })
      await uploadVideo(siarin.url, own, join(folder.path, name), name)
      await processed(siarin.url, own, name)
    }
    const send = async (path: string, body = {}) =>
      (await call(siarin.url, 'POST', path, { body: { apiKey: own, ...body } })).body
    const { playlist } = await send('/fitur/playlist', { name: 'Campur', videos: Object.keys(sizes) })
    expect((await send(`/fitur/playlist/${playlist.id}/alike`)).playlist.recipe).toBe('320x180@25:500')
    await waitFor('both to be ready', async () =>
      (await videosOf(siarin.url, own)).every(({ renditions }) => renditions?.[0]?.state === 'ready'),
    )
    const calls = streamCalls(siarin.url, rtmp)
    const plays = (filename: string) =>
      waitFor(`${filename} to play`, async () => (await calls.active(own))[0]?.playlist?.filename === filename)
    await calls.start(own, 'alike-kill', { source: `playlist:${playlist.id}` })
    const { id } = await rtmp.waitForPublisher('alike-kill', { growing: true })
    await plays('dua.mp4')
    await siarin.kill9()
    await siarin.restart()
    await waitFor('its ffmpeg to be taken over', async () => siarin.output().includes('took over a running ffmpeg'))
    for (const name of ['satu.mp4', 'dua.mp4']) await plays(name)
    expect((await rtmp.waitForPublisher('alike-kill', { growing: true })).id).toBe(id)
    await calls.stopAll(own)
    await rtmp.stop()
  })
})
