import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type LoopbackHttp = { url: string; close(): Promise<void> }

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** An HTTP server of a test's own, on a free port. Without a port it takes any. */
export async function serveOnLoopback(handler: Handler, port = 0): Promise<LoopbackHttp> {
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A form as it came, url-encoded or multipart. */
export async function formOf(request: IncomingMessage): Promise<Record<string, string>> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(await buffer(request), { headers }).formData().catch(() => new FormData())
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]))
}

/** An answer: data, a page where data was asked for, or none at all. */
export type Said = { status?: number; json: unknown } | { status?: number; html: true } | 'silent'

const PAGE = '<!doctype html><title>Just a moment</title><script>challenge()</script>'

export function say(response: ServerResponse, said: Said): void {
  if (said === 'silent') return
  const [type, body] = 'html' in said ? ['text/html', PAGE] : ['application/json', JSON.stringify(said.json)]
  response.writeHead(said.status ?? 200, { 'content-type': type }).end(body)
}
