import { Agent, type IncomingMessage, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface PlainRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | null
}

/** Longer than a loop may stand before its own watchdog ends the program. */
const LATE_MS = 60_000
/** A table of a million lines takes longer: as long as it keeps coming, it is an answer. */
const STILL_COMING_MS = 5_000
const TOO_MANY = 429
/** Longer than such a limit lasts. */
const PATIENCE_MS = 15_000
const AGAIN_MS = 1_000

export interface Sender {
  /** The status; 0: there was no answer. */
  send(request: PlainRequest): Promise<number>
  /** The same, but one that comes too soon after others is sent again when it may. */
  sendPatiently(request: PlainRequest): Promise<number>
  close(): void
}

/** Reads answers to their end and keeps nothing of them: what they weigh here must not be counted as the program's. */
export function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 80 })
  const { hostname, port } = new URL(url)

  const once = ({ method, path, headers, body }: PlainRequest): Promise<number | 'closed'> =>
    new Promise((resolve) => {
      const length = body === null ? {} : { 'content-length': String(body.length) }
      const call = send({ hostname, port, method, path, headers: { ...headers, ...length }, agent })
      let last = { status: 0, at: 0 }
      const late = setTimeout(() => {
        done(performance.now() - last.at < STILL_COMING_MS ? last.status : 0)
        call.destroy()
      }, LATE_MS)
      const done = (status: number | 'closed') => {
        clearTimeout(late)
        resolve(status)
      }
      call.once('error', (error: NodeJS.ErrnoException) =>
        done(call.reusedSocket && error.code === 'ECONNRESET' ? 'closed' : 0),
      )
      call.once('close', () => done(0))
      call.once('response', (response) => {
        response.on('data', () => {
          last = { status: response.statusCode ?? 0, at: performance.now() }
        })
        drain(response, call, done)
      })
      call.end(body ?? undefined)
    })

  /** A connection that had been closed says nothing about the request: it is sent once more. */
  async function sendRequest(request: PlainRequest): Promise<number> {
    const status = await once(request)
    return status === 'closed' ? Number(await once(request)) || 0 : status
  }

  return {
    send: sendRequest,
    async sendPatiently(request) {
      const begun = performance.now()
      let status = await sendRequest(request)
      while (status === TOO_MANY && performance.now() - begun < PATIENCE_MS) {
        await sleep(AGAIN_MS)
        status = await sendRequest(request)
      }
      return status
    },
    close: () => agent.destroy(),
  }
}

function drain(response: IncomingMessage, call: { destroy(): void }, done: (status: number) => void): void {
  const { statusCode = 0, headers } = response
  // It has no end: the first words are an answer.
  if (headers['content-type']?.includes('event-stream')) {
    response.once('data', () => {
      done(statusCode)
      call.destroy()
    })
    return
  }
  response.once('end', () => done(statusCode)).once('error', () => done(0))
  response.resume()
}
