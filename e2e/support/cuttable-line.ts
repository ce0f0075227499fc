import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type CuttableLine = {
  url: string
  /** Every connection breaks at once and no new one is taken. */
  cut(): void
  mend(): Promise<void>
  close(): void
}

/** A line to a local port that can be cut. The browser's own offline switch lets held-back bytes through before it closes. */
export async function openLine(port: number): Promise<CuttableLine> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // A broken pair goes together; its errors are what the line is for.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  const listen = async (at: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = keep(connect(port, '127.0.0.1'))
      keep(near).on('close', () => far.destroy())
      far.on('close', () => near.destroy())
      near.pipe(far).pipe(near)
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  let server = await listen(0)
  const own = (server.address() as AddressInfo).port
  const cut = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    close: cut,
    async mend() {
      server = await listen(own)
    },
  }
}
