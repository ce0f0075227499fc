import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nobodyAnswered } from '@siarin/media/parse/exit-reason'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDetached } from '../../../platform/process/detached.ts'
import type { Clip } from '../sequence/clips.ts'
import { type BroadcastRun, startBroadcast } from './broadcast-process.ts'

const run = promisify(execFile)
const clip: Clip = { ...{ videoId: 'v', filename: 'v.mp4', path: '/v.mp4', durationMs: 2_000, bytes: 1 }, loop: null }

describe.runIf(process.platform === 'linux')('the ffmpeg of a video', () => {
  let folder: TempDir
  let ffmpegPath: string

  beforeAll(async () => {
    folder = await tempDir('broadcast')
    ffmpegPath = join(folder.path, 'ffmpeg')
    await writeFile(ffmpegPath, '#!/bin/sh\nulimit -d\nulimit -t\necho $0 $1\n')
    await chmod(ffmpegPath, 0o755)
  })
  afterAll(() => folder.remove())

  const runWith = (how: Pick<BroadcastRun, 'processes' | 'ffmpegPath'>): BroadcastRun => ({
    ...{ ...how, streamId: 's', epoch: 1, dataDir: folder.path, address: null },
    ...{ clip, looping: false, fromSeconds: 0, clipSeconds: 2, meanSeconds: null, next: null },
    ...{ item: 0, place: null, bitrateKbps: 100, target: new Secret('rtmp://127.0.0.1/live/key') },
    folder: { directory: join(folder.path, 's'), spare: null },
  })

  it.each([
    ['is missing', async () => 'nowhere'],
    [
      'may not be run',
      async () => {
        await writeFile(join(folder.path, 'half'), 'ELF')
        return 'half'
      },
    ],
  ])('that %s is trouble of ours, which gives a first start its two minutes', async (_, make) => {
    const processes: BroadcastRun['processes'] = { start: startDetached, adopt: () => null }
    const { exited } = await startBroadcast(runWith({ processes, ffmpegPath: join(folder.path, await make()) }))
    const { reason } = await exited
    expect([reason, nobodyAnswered(reason)]).toEqual(['server-trouble', true])
  })

  it('[SAFE-04] gets as much memory as two readings of a file may take, and all the time there is', async () => {
    const started: { command: string; args: string[] }[] = []
    const processes: BroadcastRun['processes'] = {
      async start(command, args) {
        started.push({ command, args })
        return { pid: process.pid, birth: '', exited: new Promise(() => {}), signal: () => {} }
      },
      adopt: () => null,
    }
    await startBroadcast(runWith({ processes, ffmpegPath }))
    const [{ command, args } = { command: '', args: [] }] = started
    const { stdout } = await run(command, args)
    expect(stdout.trim().split('\n')).toEqual([String(1536 * 1024), 'unlimited', `${ffmpegPath} -nostdin`])
  })
})
