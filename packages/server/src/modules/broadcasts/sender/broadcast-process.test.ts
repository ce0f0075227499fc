import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nobodyAnswered } from '@siarin/media/parse/exit-reason'
import { Secret } from '@siarin/media/secret'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startDetached } from '../../../platform/process/detached.ts'
import {
  BROADCAST_MEMORY_BYTES,
  encoderMemoryBytes,
  RECORDER_MEMORY_BYTES,
} from '../../../platform/process/limited-tool.ts'
import type { Clip } from '../sequence/clips.ts'
import { type BroadcastRun, startBroadcast, startRelay } from './broadcast-process.ts'

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

  const MIB = 1024 ** 2
  const usual = { ...clip, packets: 1_300_000 }
  const recorder = { folder: 'pieces', pieceSeconds: 4, noteProcess: () => {} }
  const { target, ...relayed } = {
    ...{ streamId: 's', epoch: 1, address: null, target: new Secret('rtmp://127.0.0.1/live/key') },
    ...{ source: new Secret('https://example.com/live.m3u8'), proxy: 'http://127.0.0.1:9' },
  }
  const relayOf = (kind: 'copy' | 'encode') => {
    const encodedSize = { width: 1280, height: 720 }
    const picture = kind === 'copy' ? { kind } : { kind, ...encodedSize }
    return { ...relayed, target, plan: { picture, sound: 'copy', encodedSize } as const }
  }
  const asFile = (how: Partial<BroadcastRun>) => (run: BroadcastRun) => startBroadcast({ ...run, ...how })
  const asRelay =
    (kind: 'copy' | 'encode', how: Partial<BroadcastRun> = {}) =>
    (run: BroadcastRun) =>
      startRelay({ ...run, ...how, ...relayOf(kind) })

  it.each([
    ['a file as most are', asFile({ clip: usual }), BROADCAST_MEMORY_BYTES.usual],
    ['one that lists very much', asFile({ clip: { ...clip, packets: 1_300_001 } }), 1536 * MIB],
    ['one that nobody could look into', asFile({}), 1536 * MIB],
    [
      'one that lists very much behind one as most are',
      asFile({ clip: usual, next: { clip: { ...clip, packets: 1_300_001 }, place: null } }),
      1536 * MIB,
    ],
    [
      'one with a recorder beside it',
      asFile({ clip: usual, record: recorder }),
      BROADCAST_MEMORY_BYTES.usual + RECORDER_MEMORY_BYTES,
    ],
    ['an online source', asRelay('copy'), 768 * MIB],
    ['an online source whose picture is re-encoded', asRelay('encode'), encoderMemoryBytes()],
  ])('[SAFE-04] gets the memory that it needs, and all the time there is: %s', async (_what, start, bytes) => {
    const started: { command: string; args: string[] }[] = []
    const processes: BroadcastRun['processes'] = {
      async start(command, args) {
        started.push({ command, args })
        return { pid: process.pid, birth: '', exited: new Promise(() => {}), signal: () => {} }
      },
      adopt: () => null,
    }
    await start(runWith({ processes, ffmpegPath }))
    const [{ command, args } = { command: '', args: [] }] = started
    const { stdout } = await run(command, args)
    const kilobytes = String(Math.ceil(bytes / 1024))
    expect(stdout.trim().split('\n')).toEqual([kilobytes, 'unlimited', `${ffmpegPath} -nostdin`])
  })

  it.each([
    ['an online source ends it, and is said to be away', asRelay('copy'), 'source-away'],
    ['a video is cut, and it stays on air', asFile({}), 'killed'],
  ])('[SAFE-04] a flood of complaints of %s', async (_what, start, reason) => {
    const noisy = join(folder.path, 'noisy')
    const flood = 'yes a complaint | head -c 9000000 >&2'
    await writeFile(noisy, `#!/bin/sh\nuntil [ -e go ]; do sleep 0.05; done\n${flood}\n: >flooded\nexec sleep 100\n`)
    await chmod(noisy, 0o755)
    for (const name of ['go', 'flooded']) await rm(join(folder.path, name), { force: true })
    const processes: BroadcastRun['processes'] = { start: startDetached, adopt: () => null }
    const { lastWords, kill, exited } = await start(runWith({ processes, ffmpegPath: noisy }))
    onTestFinished(kill)
    lastWords()
    await writeFile(join(folder.path, 'go'), '')
    await waitFor('the flood', async () => existsSync(join(folder.path, 'flooded')))
    lastWords()
    // The folder goes with a process that ends.
    const errors = statSync(join(folder.path, 's', 'errors'), { throwIfNoEntry: false })
    expect(errors?.size ?? 0).toBeLessThan(100_000)
    if (reason === 'killed') {
      expect(await Promise.race([exited, sleep(300, 'on air')])).toBe('on air')
      kill()
    }
    expect(await exited).toMatchObject({ reason, lines: Array(20).fill('a complaint') })
  })
})
