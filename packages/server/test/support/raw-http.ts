import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawCall {
  readonly socket: Socket
  /** All that was answered so far. */
  answer(): string
  isClosed(): boolean
  send(bytes: string | Uint8Array): void
  end(): void
}

/** A connection by hand: what no HTTP client would send, or not as slowly. `from` is one of loopback's many addresses. */
export async function rawCall(url: string, first: string | Uint8Array = '', from?: string): Promise<RawCall> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) })
  let answer = ''
  let closed = false
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    closed = true
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  if (first !== '') socket.write(first)
  return {
    socket,
    answer: () => answer,
    isClosed: () => closed,
    send: (bytes) => void socket.write(bytes),
    end: () => socket.destroy(),
  }
}

/** Lines of a request as they travel. */
export const requestHead = (line: string, headers: Record<string, string | number>): string =>
  [
    `${line} HTTP/1.1`,
    'host: test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

/** Sends a byte every now and then, until the connection is closed. */
export async function drip({ socket, isClosed }: RawCall, everyMs: number): Promise<void> {
  while (!isClosed()) {
    socket.write('x')
    await sleep(everyMs)
  }
}
