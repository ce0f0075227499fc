import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cachedClip } from '@siarin/testkit/clips'
import { type Machine, startMachine } from '@siarin/testkit/machine'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allProcessed } from './support/all-processed.ts'
import { call, signIn, uploadVideo } from './support/program.ts'
import { clipsIn } from './support/sent-clips.ts'

const run = promisify(execFile)
/** By far longer than an ffmpeg may be silent before it is taken for stuck. */
const FULL_SECONDS = 45
const AGAIN_SECONDS = 30
const NAMES = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4']

describe('[SAFE-04] a memory disk that is full', () => {
  let rtmp: RtmpServer
  let machine: Machine
  beforeAll(async () => {
    rtmp = await startRtmpServer({ record: true })
    machine = await startMachine({ name: 'memory', env: {} })
  })
  afterAll(async () => {
    await machine?.dispose()
    await rtmp?.stop()
  })

  const inside = (command: string) =>
    run('nsenter', ['--target', String(machine.processes()[0]?.pid), '--mount', '--pid', '--', 'sh', '-c', command])

  it('takes nothing off air, keeps a list in its order, and keeps nothing from beginning', async () => {
    const { user } = await signIn(machine.url)
    const headers = { 'x-api-key': user.apiKey }
    const files = new Map<string, string>()
    for (const [index, name] of NAMES.entries()) {
      const clip = await cachedClip(name, { seconds: 4 + index / 5, picture: `gradients=seed=${100 + index}` })
      files.set(name, clip)
      await uploadVideo(machine.url, user.apiKey, clip, name)
    }
    await allProcessed(machine.url, user.apiKey)
    const post = (path: string, body: object) => call(machine.url, 'POST', path, { headers, body })
    const { playlist } = (await post('/fitur/playlist', { name: 'L', videos: NAMES })).body
    const start = async (key: string, source: string): Promise<void> => {
      const target = { platform: 'lain', rtmpStream: `${rtmp.url}/${key}` }
      expect((await post('/fitur/steam/start', { source, looping: true, ...target })).status).toBe(200)
      await rtmp.waitForPublisher(key, { growing: true })
    }
    await start('list', `playlist:${playlist.id}`)
    await start('loop', 'a.mp4')
    const sessions = async () => (await rtmp.publishers()).map(({ name, id }) => `${name} ${id}`).sort()
    const before = await sessions()
    await inside('mount -o remount,size=2m /dev/shm; dd if=/dev/zero of=/dev/shm/ballast bs=4k; true')
    const sent = async (name: string) => (await rtmp.publishers()).find((each) => each.name === name)?.bytesIn ?? 0
    const fullAt = performance.now()
    const bytes = { list: await sent('list'), loop: await sent('loop') }
    await waitFor('a long time', async () => performance.now() - fullAt > FULL_SECONDS * 1_000, { timeoutMs: 120_000 })
    expect.soft(await sessions()).toEqual(before)
    expect.soft(await sent('list')).toBeGreaterThan(bytes.list)
    await start('begun', 'b.mp4')
    await start('begun-list', `playlist:${playlist.id}`)
    const kept = await sessions()
    // What has lost its voice stays so, and is known to be well after there is room again, also to the next run of the program.
    await inside('rm /dev/shm/ballast')
    await machine.signal('program', 'SIGKILL')
    await machine.startProgram()
    const roomAt = performance.now()
    await waitFor('some time', async () => performance.now() - roomAt > AGAIN_SECONDS * 1_000, { timeoutMs: 90_000 })
    expect.soft(await sessions()).toEqual(kept)
    const recording = (await rtmp.recordings()).find((file) => file.includes('/list-'))
    const order = await clipsIn(recording ?? '', files)
    const first = NAMES.indexOf(order[0] ?? '')
    expect.soft(order).toEqual(order.map((_, index) => NAMES[(first + index) % NAMES.length]))
    expect(order.length).toBeGreaterThan(6)
  })
})
