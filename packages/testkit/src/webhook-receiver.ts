import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveOnLoopback } from './loopback-http.ts'
import { waitFor } from './wait-for.ts'

export type ReceivedWebhook = {
  id: string
  headers: Record<string, string>
  body: string
  /** What `body` says. */
  type: string
  data: Record<string, unknown>
}

/** 'hang': no answer ever. 'drip': the head at once, and the body without end. 'cut': the connection ends without a word. */
export type ReceiverAnswer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'hang'
  | 'drip'
  | 'cut'

export type WebhookReceiver = {
  /** The address of a receiver of this name: each name has its own answers and its own list. */
  urlOf(name: string): string
  /** How it answers from now on; a list: one by one, and the last of it for ever. */
  answer(name: string, ...answers: ReceiverAnswer[]): void
  received(name: string): ReceivedWebhook[]
  /** Waits until it got so many. */
  got(name: string, count: number): Promise<ReceivedWebhook[]>
  /** Calls that came in and have not been answered. */
  open(name: string): number
  dispose(): Promise<void>
}

/** Somebody's own program that takes webhooks, or does not. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const lists = new Map<string, ReceivedWebhook[]>()
  const scripts = new Map<string, ReceiverAnswer[]>()
  const open = new Map<string, number>()
  const listOf = (name: string): ReceivedWebhook[] => {
    const list = lists.get(name) ?? []
    lists.set(name, list)
    return list
  }
  const nextAnswer = (name: string): ReceiverAnswer => {
    const script = scripts.get(name) ?? []
    return (script.length > 1 ? script.shift() : script[0]) ?? 204
  }

  const server = await serveOnLoopback(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://receiver').pathname.slice(1)
    open.set(name, (open.get(name) ?? 0) + 1)
    response.once('close', () => open.set(name, (open.get(name) ?? 1) - 1))
    const body = await text(request)
    const said = JSON.parse(body) as { type: string; data: Record<string, unknown> }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
    listOf(name).push({ id: headers['webhook-id'] ?? '', headers, body, type: said.type, data: said.data })
    const answer = nextAnswer(name)
    if (answer === 'hang') return
    if (answer === 'cut') return void request.socket.destroy()
    if (answer === 'drip') {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write('.')
        await sleep(50)
      }
      return
    }
    const plain = typeof answer === 'number' ? { status: answer } : answer
    if (plain.afterMs) await sleep(plain.afterMs)
    response.writeHead(plain.status, plain.headers).end(plain.status === 204 ? undefined : (plain.body ?? 'ok'))
  })

  return {
    urlOf: (name) => `${server.url}/${name}`,
    answer: (name, ...answers) => void scripts.set(name, answers),
    received: (name) => [...listOf(name)],
    async got(name, count) {
      await waitFor(`${count} webhooks at ${name}`, async () => listOf(name).length >= count, { everyMs: 5 })
      return [...listOf(name)]
    },
    open: (name) => open.get(name) ?? 0,
    dispose: server.close,
  }
}
