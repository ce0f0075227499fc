import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { residentBytes } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBroadcast } from '../src/modules/broadcasts/sender/broadcast-process.ts'
import { createClips } from '../src/modules/broadcasts/sequence/clips.ts'
import { startDetached } from '../src/platform/process/detached.ts'
import { BROADCAST_MEMORY_BYTES } from '../src/platform/process/limited-tool.ts'

const MIB = 1024 ** 2
/** The largest message that RTMP knows; all but its last bytes are sent. */
const MESSAGE_BYTES = 0xfffff0
const PART_BYTES = MESSAGE_BYTES - 16
/** Twice what an ffmpeg may have. */
const MOST_PARTS = Math.ceil((2 * BROADCAST_MEMORY_BYTES.usual) / MESSAGE_BYTES)

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(9)
  bytes.writeDoubleBE(value, 1)
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([Buffer.from([2, 0, value.length]), Buffer.from(value)])
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const NULL = Buffer.from([5])
const field = (name: string, value: string) => Buffer.concat([text(name).subarray(1), text(value)])
const OBJECT_END = Buffer.from([0, 0, 9])
const PUBLISHING = [Buffer.from([3]), field('level', 'status'), field('code', 'NetStream.Publish.Start'), OBJECT_END]

function head(channel: number, type: number, bytes: number): Buffer {
  const head = Buffer.alloc(11)
  head.writeUIntBE(bytes, 3, 3)
  head[6] = type
  return Buffer.concat([Buffer.from(channel < 64 ? [channel] : [0, channel - 64]), head])
}
const message = (channel: number, type: number, ...body: Buffer[]): Buffer => {
  const whole = Buffer.concat(body)
  return Buffer.concat([head(channel, type, whole.length), whole])
}
const COMMAND = 20
const ANSWERS: Readonly<Record<string, (id: number) => Buffer[]>> = {
  connect: (id) => [message(2, 1, uint32(PART_BYTES)), message(3, COMMAND, text('_result'), number(id), NULL, NULL)],
  createStream: (id) => [message(3, COMMAND, text('_result'), number(id), NULL, number(1))],
  publish: () => [message(5, COMMAND, text('onStatus'), number(0), NULL, ...PUBLISHING)],
}

/** Takes what is sent, and leaves in the sender the parts of messages that never end, each on a chunk stream of its own. */
function fillingServer() {
  let parts = 0
  const filler = Buffer.alloc(PART_BYTES, 0x5a)

  async function fill(socket: Socket): Promise<void> {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (; parts < MOST_PARTS && !socket.destroyed; parts++) {
      socket.write(head(70 + parts, 9, MESSAGE_BYTES))
      // A whole small message behind it: ffmpeg stops reading there, and goes on sending.
      const goesOn = socket.write(Buffer.concat([filler, message(2, 3, uint32(1))]))
      if (!goesOn) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
  }

  const server = createServer((socket) => {
    const open = new Set(Object.keys(ANSWERS))
    let seen = Buffer.alloc(0)
    let greeted = 0
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (open.size === 0) return
      seen = Buffer.concat([seen, data])
      if (greeted === 0 && seen.length >= 1537) {
        greeted = 1
        socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536), seen.subarray(1, 1537)]))
      }
      for (const name of [...open]) {
        const at = seen.indexOf(text(name))
        const idAt = at + text(name).length + 1
        if (at === -1 || seen.length < idAt + 8) continue
        open.delete(name)
        for (const answer of ANSWERS[name]?.(seen.readDoubleBE(idAt)) ?? []) socket.write(answer)
        if (open.size === 0) void fill(socket)
      }
    })
  })
  return { server, parts: () => parts }
}

/** None once it has ended, and nobody has heard of that yet. */
const held = async (pid: number): Promise<number> => (await residentBytes(pid).catch(() => 0)) || 0

describe('[SAFE-04] a server that fills the ffmpeg that sends to it', () => {
  let folder: TempDir
  let server: Server
  let parts: () => number
  beforeAll(async () => {
    folder = await tempDir('filled')
    ;({ server, parts } = fillingServer())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    server.close()
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
    const { port } = server.address() as { port: number }
    const child = await startBroadcast({
      ...{ streamId: 's', epoch: 1, processes: { start: startDetached, adopt: () => null }, dataDir: folder.path },
      ...{
        ffmpegPath: process.env['FFMPEG_PATH'] || 'ffmpeg',
        folder: { directory: join(folder.path, 's'), spare: null },
      },
      ...{ target: new Secret(`rtmp://127.0.0.1:${port}/live/key`), address: null, clip, place: null, next: undefined },
      ...{ looping: true, fromSeconds: 0, clipSeconds: 3.2, meanSeconds: null, bitrateKbps: 900 },
    })
    let most = 0
    let hasEnded = false
    void child.exited.then(() => {
      hasEnded = true
    })
    await waitFor('ffmpeg to have ended, or to have taken all', async () => {
      most = Math.max(most, await held(child.pid))
      return hasEnded || parts() === MOST_PARTS
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
    expect(parts()).toBeGreaterThan(5)
    expect(Math.round(most / MIB)).toBeLessThan(Math.round(BROADCAST_MEMORY_BYTES.usual / MIB) + 50)
  })
})
