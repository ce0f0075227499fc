import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import type { Rendition } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcastCalls } from './support/broadcasts.ts'
import { call, processed, signIn, startProgram, type TestProgram, uploadVideo, videosOf } from './support/program.ts'

const NAME = 'padat.mp4'
const RECIPE = '320x180@25:6000'

let folder: TempDir
let rtmp: RtmpServer
let program: TestProgram
let apiKey: string
let calls: ReturnType<typeof broadcastCalls>

beforeAll(async () => {
  folder = await tempDir('for-platforms')
  rtmp = await startRtmpServer({ record: true })
  program = await startProgram()
  apiKey = (await signIn(program.url)).user.apiKey
  calls = broadcastCalls(program.url, apiKey)
  const clip = join(folder.path, NAME)
  // As much as no platform but YouTube takes.
  await makeClip(clip, { seconds: 3, extraArgs: ['-vf', 'noise=alls=60:allf=t', '-b:v', '9M', '-minrate', '9M'] })
  await uploadVideo(program.url, apiKey, clip, NAME)
})
afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

const send = (method: string, path: string, body = {}) => call(program.url, method, path, { body: { apiKey, ...body } })
const path = `/fitur/video/rendition/${NAME}`
const renditions = async (): Promise<Rendition[]> => (await videosOf(program.url, apiKey))[0]?.renditions ?? []

async function profileOf(key: string): Promise<string> {
  const [recording = ''] = (await rtmp.recordings()).filter((file) => file.includes(`${key}-`)).sort()
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=profile', '-of', 'csv=p=0', recording]
  return (await promisify(execFile)(process.env['FFPROBE_PATH'] || 'ffprobe', args)).stdout.trim()
}

describe('[TGT-02] a video that a platform will not take as it is', { timeout: 240_000 }, () => {
  it('is made to fit it, and is sent so to that platform alone, also after a fall', async () => {
    const video = await processed(program.url, apiKey, NAME)
    expect(video.bitrate).toBeGreaterThan(7_000)
    expect((await send('POST', path, { preset: 'youtube' })).status).toBe(400)
    const ordered = await send('POST', path, { preset: 'twitch' })
    expect(ordered).toMatchObject({ status: 200, body: { rendition: { recipe: RECIPE, size: 0, reason: null } } })
    expect(['waiting', 'preparing']).toContain(ordered.body.rendition.state)
    // The video itself stays ready all the while.
    expect((await videosOf(program.url, apiKey))[0]).toMatchObject({ status: 'ready', bitrate: video.bitrate })
    const made = await waitFor('the rendition', async () => (await renditions()).find(({ state }) => state === 'ready'))
    expect(made.recipe).toBe(RECIPE)
    expect(made.bitrate).toBeLessThan(6_500)
    expect(await send('POST', path, { preset: 'twitch' })).toMatchObject({
      ...{ status: 200, body: { message: RENDITION_TEXTS.ready, rendition: made } },
    })
    expect(await renditions()).toHaveLength(1)

    const target = { name: 'Twitch saya', platform: 'lain', preset: 'twitch', address: rtmp.url, key: 'fitting' }
    const { id: targetId } = (await send('POST', '/fitur/target', target)).body.data
    const targets = [{ targetId }, { platform: 'lain', rtmpStream: `${rtmp.url}/as-it-is` }]
    const { body } = await send('POST', '/fitur/broadcast', { source: NAME, looping: true, targets })
    await calls.waitForStates(body.broadcastId, ['live', 'live'])
    const { id: session } = await rtmp.waitForPublisher('fitting', { growing: true })
    kill9((await ffmpegsUnder(program.dataDir)).find(({ args }) => args.some((arg) => arg.includes(body.streamIds[0]))))
    await rtmp.waitForPublisher('fitting', { growing: true, otherThan: session })
    const rows = await program.db.selectFrom('streams').select(['recipe', 'position_recipe']).orderBy('slot').execute()
    expect(rows).toEqual([
      { recipe: RECIPE, position_recipe: RECIPE },
      { recipe: null, position_recipe: null },
    ])
    // What is on air stays.
    const removal = `${path}?recipe=${encodeURIComponent(RECIPE)}`
    expect(await send('DELETE', removal)).toMatchObject({ status: 409, body: { message: RENDITION_TEXTS.onAir } })
    await calls.stop(body.broadcastId)
    await rtmp.waitForNoPublisher('fitting')
    await rtmp.waitForNoPublisher('as-it-is')
    expect(await profileOf('fitting')).toBe('High')
    expect(await profileOf('as-it-is')).not.toBe('High')

    await waitFor('it to be removed', async () => (await send('DELETE', removal)).status === 200)
    expect(await renditions()).toEqual([])
    expect((await send('DELETE', removal)).status).toBe(404)
    const left = await program.db.selectFrom('renditions').select('recipe').execute()
    expect(left).toEqual([{ recipe: 'as-is' }])
  })
})
