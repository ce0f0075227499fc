import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rendition } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, processed, signIn, uploadVideo, videosOf } from './support/program.ts'

/** Much to make out of a small file, so that there is time to come in between. */
const RECIPE = '1280x720@60:4000'
const OTHER = '640x360@30:900'
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
