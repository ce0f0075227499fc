import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { startFillingTarget } from '@siarin/testkit/filling-target'
import { residentBytes } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBroadcast } from '../src/modules/broadcasts/sender/broadcast-process.ts'
import { createClips } from '../src/modules/broadcasts/sequence/clips.ts'
import { startDetached } from '../src/platform/process/detached.ts'
import { BROADCAST_MEMORY_BYTES } from '../src/platform/process/limited-tool.ts'

const MIB = 1024 ** 2

/** None once it has ended, and nobody has heard of that yet. */
const held = async (pid: number): Promise<number> => (await residentBytes(pid).catch(() => 0)) || 0

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
    const child = await startBroadcast({
      ...{ streamId: 's', epoch: 1, processes: { start: startDetached, adopt: () => null }, dataDir: folder.path },
      ...{
        ffmpegPath: process.env['FFMPEG_PATH'] || 'ffmpeg',
        folder: { directory: join(folder.path, 's'), spare: null },
      },
      ...{ target: new Secret(`${filling.url}/key`), address: null, clip, place: null, next: undefined },
      ...{ looping: true, fromSeconds: 0, clipSeconds: 3.2, meanSeconds: null, bitrateKbps: 900 },
    })
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
