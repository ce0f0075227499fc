import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SlowLine = {
  port: number
  /** From now on as fast as it goes. */
  mend(): void
  close(): void
}

const TICK_MS = 50

/** A line to a local port that carries only so much in one direction, as an uplink that is too small for its video. */
export async function openSlowLine(toPort: number, bytesPerSecond: number): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  let perTick = (bytesPerSecond * TICK_MS) / 1000
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = keep(connect(toPort, '127.0.0.1'))
    keep(near).on('close', () => far.destroy())
    far.on('close', () => near.destroy()).pipe(near)
    near.on('data', (chunk: Buffer) => {
      far.write(chunk)
      near.pause()
      setTimeout(() => near.resume(), Math.min(2_000, (chunk.length / perTick) * TICK_MS))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    mend() {
      perTick = Number.POSITIVE_INFINITY
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
