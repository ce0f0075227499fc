import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('[SAFE-04] gets as much memory as two readings of a file may take, and all the time there is', async () => {
    const started: { command: string; args: string[] }[] = []
    const processes: BroadcastRun['processes'] = {
      async start(command, args) {
        started.push({ command, args })
        return { pid: process.pid, birth: '', exited: new Promise(() => {}), signal: () => {} }
      },
      adopt: () => null,
    }
    const place = { streamId: 's', epoch: 1, processes, dataDir: folder.path, ffmpegPath, address: null }
    const directory = join(folder.path, 's')
    await startBroadcast({
      ...{ ...place, clip, looping: false, fromSeconds: 0, clipSeconds: 2, meanSeconds: null, next: null },
      ...{ item: 0, place: null, bitrateKbps: 100, target: new Secret('rtmp://127.0.0.1/live/key') },
      folder: { directory, spare: null },
    })
    const [{ command, args } = { command: '', args: [] }] = started
    const { stdout } = await run(command, args)
    expect(stdout.trim().split('\n')).toEqual([String(1536 * 1024), 'unlimited', `${ffmpegPath} -nostdin`])
  })
})
