import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { cachedClip, makeClip } from '@siarin/testkit/clips'
import { startFillingTarget } from '@siarin/testkit/filling-target'
import { residentBytes } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBroadcast } from '../src/modules/broadcasts/sender/broadcast-process.ts'
import { createRunFolders } from '../src/modules/broadcasts/sender/run-folders.ts'
import { createClips } from '../src/modules/broadcasts/sequence/clips.ts'
import type { StreamRow } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createMemoryGuard } from '../src/modules/broadcasts/worker/memory-guard.ts'
import { createLog } from '../src/platform/log.ts'
import { startDetached } from '../src/platform/process/detached.ts'
import {
  BROADCAST_MEMORY_BYTES,
  encoderMemoryBytes,
  encodingRelayNeedBytes,
  limitedCommand,
} from '../src/platform/process/limited-tool.ts'

const MIB = 1024 ** 2

/** None once it has ended, and nobody has heard of that yet. */
const held = async (pid: number): Promise<number> => (await residentBytes(pid).catch(() => 0)) || 0

/** How `path` is sent, to a server that takes all: as the program itself would begin it. */
async function send(folder: TempDir, path: string, { streamId = 's', url = '', looping = true }) {
  const file = {
    loop: null,
    head: async () => ({ bytes: 1, etag: 'e' }),
    pin: async () => ({ path, release: () => {} }),
  }
  const library = {
    findById: async () => ({ id: 'v', filename: 'klip.mp4', duration_ms: 3_200 }),
    playable: async () => file,
  }
  const clip = await createClips(library as never, 'ffprobe').find('v')
  return startBroadcast({
    ...{ streamId, epoch: 1, processes: { start: startDetached, adopt: () => null }, dataDir: folder.path },
    ...{
      ffmpegPath: process.env['FFMPEG_PATH'] || 'ffmpeg',
      folder: { directory: join(folder.path, streamId), spare: null },
    },
    ...{ target: new Secret(`${url}/key`), address: null, clip, place: null, next: undefined },
    ...{ looping, fromSeconds: 0, clipSeconds: 3.2, meanSeconds: null, bitrateKbps: 900 },
  })
}

describe('[SAFE-04] a server that fills the ffmpeg that sends to it', () => {
  let folder: TempDir
  let filling: Awaited<ReturnType<typeof startFillingTarget>>
  beforeAll(async () => {
    folder = await tempDir('filled')
    filling = await startFillingTarget(2 * BROADCAST_MEMORY_BYTES.usual)
  })
  afterAll(async () => {
    filling.stop()
    await folder.remove()
  })

  it('gets as much of the memory as a broadcast needs, and no more', async () => {
    const path = join(folder.path, 'klip.mp4')
    await makeClip(path, { seconds: 3.2 })
    const child = await send(folder, path, { url: filling.url })
    let most = 0
    let hasEnded = false
    void child.exited.then(() => {
      hasEnded = true
    })
    await waitFor('ffmpeg to have ended, or to have taken all', async () => {
      most = Math.max(most, await held(child.pid))
      return hasEnded || filling.hasFilledOne()
    })
    // What was the last of it may still be on its way.
    for (let looks = 0; looks < 20 && !hasEnded; looks++) {
      await sleep(100)
      most = Math.max(most, await held(child.pid))
    }
    child.kill()
    const { reason } = await child.exited
    // It ended by itself, and counts as a server that hung up: it is tried again, ever less often.
    expect(reason).toBe('target-closed')
    expect(filling.parts()).toBeGreaterThan(5)
    expect(Math.round(most / MIB)).toBeLessThan(Math.round(BROADCAST_MEMORY_BYTES.usual / MIB) + 50)
  })
})

/** For a machine whose memory is short. */
const guardOf = (folder: TempDir) =>
  createMemoryGuard({
    repo: { byId: async (id) => ({ user_id: id }) as StreamRow },
    folders: createRunFolders({ runDir: folder.path, diskDir: folder.path }),
    isMemoryLow: () => true,
    log: createLog('silent'),
  })

describe('[SAFE-07] where memory runs short', () => {
  it('a file of very many packets may hold what their list takes and no more, whether it loops or not', async () => {
    await using props = new AsyncDisposableStack()
    const folder = props.adopt(await tempDir('need'), (each) => each.remove())
    // 1.4 million packets: ffmpeg may take 1.5 GB for their list, and needs a fifth of that.
    const path = await cachedClip('banyak.mp4', { seconds: 3.2, width: 32, height: 32, fps: 1_000, times: 410 })
    const begin = async (streamId: string, bytes: number, looping: boolean) => {
      const { url } = props.adopt(await startFillingTarget(bytes), (each) => void each.stop())
      const child = props.adopt(await send(folder, path, { streamId, url, looping }), (each) => each.kill())
      return { mibs: async () => (await held(child.pid)) / MIB }
    }
    const [looped, once, neighbour] = await Promise.all([
      begin('looped', 380 * MIB, true),
      begin('once', 380 * MIB, false),
      begin('neighbour', 0, true),
    ])
    for (const each of [looped, once])
      await waitFor('the target to have filled it', async () => (await each.mibs()) > 420)
    const look = guardOf(folder)
    // One at a time.
    for (let looks = 0; looks < 3; looks++) await look()
    await sleep(500)
    expect([await looped.mibs(), await once.mibs(), (await neighbour.mibs()) > 60]).toEqual([0, 0, true])
  }, 120_000)

  const relay = { args: ['-c:v', 'libx264'], limitBytes: encoderMemoryBytes() }
  const relayMibs = encodingRelayNeedBytes() / MIB
  const fromBefore = { args: ['-c', 'copy'], limitBytes: BROADCAST_MEMORY_BYTES.most }
  it.each([
    ['a relay that re-encodes a source in 4K stays', relay, relayMibs - 100, true],
    ['one that holds more ends', relay, relayMibs + 100, false],
    ['of what a version before has started, nobody knows what it plays: it stays', fromBefore, 1_000, true],
    ['and ends where it holds nearly all that it may', fromBefore, 1_250, false],
  ])('%s', async (_what, { args, limitBytes }, mibs, stays) => {
    await using props = new AsyncDisposableStack()
    const folder = props.adopt(await tempDir('holds'), (each) => each.remove())
    // Stands in for an ffmpeg that has come to hold so much.
    const holding = ['-c', `x = b'1' * ${Math.round(mibs * MIB)}; import time; time.sleep(60)`]
    const named = [...holding, '-progress', `file:${folder.path}/s/progress`, ...args]
    const child = spawn(...limitedCommand('python3', named, { memoryBytes: limitBytes }))
    props.defer(() => void child.kill('SIGKILL'))
    const pid = child.pid ?? 0
    await waitFor('it to hold so much', async () => (await held(pid)) > mibs * MIB)
    await guardOf(folder)()
    await sleep(200)
    expect((await held(pid)) > 0).toBe(stays)
  })
})
