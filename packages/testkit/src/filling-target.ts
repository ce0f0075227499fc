import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** The largest message that RTMP knows; all but its last bytes are sent. */
const MESSAGE_BYTES = 0xfffff0
const PART_BYTES = MESSAGE_BYTES - 16

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

/** Takes what is sent, and leaves so much in each sender: parts of messages that never end, each on a chunk stream of its own. */
export async function startFillingTarget(bytesEach: number) {
  const most = Math.ceil(bytesEach / MESSAGE_BYTES)
  let parts = 0
  const filler = Buffer.alloc(PART_BYTES, 0x5a)

  async function fill(socket: Socket): Promise<void> {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (let part = 0; part < most && !socket.destroyed; part++, parts++) {
      socket.write(head(70 + part, 9, MESSAGE_BYTES))
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `rtmp://127.0.0.1:${port}/live`,
    /** How many it has sent, and whether that is all for one sender. */
    parts: () => parts,
    hasFilledOne: () => parts >= most,
    stop: () => server.close(),
  }
}
