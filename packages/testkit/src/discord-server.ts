import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { serveOnLoopback } from './loopback-http.ts'

export type DiscordMessage = {
  webhookId: string
  content: string
  embeds: { description?: string; color?: number }[]
  fields: Record<string, unknown>
}

export type DiscordFault =
  | { status: number; json: unknown; headers?: Record<string, string> }
  /** What stands before Discord, instead of Discord. */
  | { status: number; page: string }
  | { redirect: string }
  | 'silent'

export type DiscordServer = {
  /** For DISCORD_API_URL. */
  url: string
  /** Answers the address as Discord's own screen shows it, but on loopback. */
  addWebhook(id: string, token: string): string
  removeWebhook(id: string): void
  /** How messages to this webhook are answered; null: as usual. */
  answer(id: string, fault: DiscordFault | null): void
  readonly messages: DiscordMessage[]
  dispose(): Promise<void>
}

const PATH = /^\/api(?:\/v\d+)?\/webhooks\/(\d+)\/([\w-]+)(?:\?(.*))?$/
const UNKNOWN = { status: 404, json: { message: 'Unknown Webhook', code: 10_015 } }

/** Discord's webhooks, on loopback, in the shapes of the real ones. */
export async function startDiscordServer(): Promise<DiscordServer> {
  const tokens = new Map<string, string>()
  const faults = new Map<string, DiscordFault>()
  const messages: DiscordMessage[] = []

  const server = await serveOnLoopback(async (request, response) => {
    const [, id = '', token = '', query = ''] = PATH.exec(request.url ?? '') ?? []
    const fields = ((await json(request).catch(() => null)) ?? {}) as Record<string, unknown>
    const fault = faults.get(id)
    if (fault) return sayFault(response, fault)
    if (!tokens.has(id)) return sayFault(response, UNKNOWN)
    if (tokens.get(id) !== token) {
      return sayFault(response, { status: 401, json: { message: 'Invalid Webhook Token', code: 50_027 } })
    }
    const wrong = wrongWith(fields)
    if (wrong)
      return sayFault(response, { status: 400, json: { message: 'Invalid Form Body', code: 50_035, errors: wrong } })
    const { content = '', embeds = [] } = fields as Partial<DiscordMessage>
    messages.push({ webhookId: id, content, embeds, fields })
    if (!new URLSearchParams(query).has('wait', 'true')) {
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '1', content }))
  })
  return {
    url: server.url,
    addWebhook(id, token) {
      tokens.set(id, token)
      return `${server.url}/api/webhooks/${id}/${token}`
    },
    removeWebhook: (id) => void tokens.delete(id),
    answer: (id, fault) => void (fault ? faults.set(id, fault) : faults.delete(id)),
    messages,
    dispose: server.close,
  }
}

/** Its limits, as far as we could run into them. */
function wrongWith(fields: Record<string, unknown>): string | null {
  const { content, embeds, username, allowed_mentions: mentions } = fields
  if (typeof content !== 'string' || content.length > 2000) return 'content'
  if (
    username !== undefined &&
    (typeof username !== 'string' || /discord|clyde/i.test(username) || username.length > 80)
  ) {
    return 'username'
  }
  if (!Array.isArray(embeds) || embeds.length > 10) return 'embeds'
  if (embeds.some(({ description }) => typeof description !== 'string' || description.length > 4096))
    return 'description'
  if (content === '' && embeds.length === 0) return 'empty'
  return JSON.stringify(mentions) === '{"parse":[]}' ? null : 'allowed_mentions'
}

function sayFault(response: ServerResponse, fault: DiscordFault): void {
  if (fault === 'silent') return
  if ('redirect' in fault) {
    response.writeHead(302, { location: fault.redirect }).end()
    return
  }
  const [type, body] = 'page' in fault ? ['text/html', fault.page] : ['application/json', JSON.stringify(fault.json)]
  const headers = 'headers' in fault ? fault.headers : {}
  response.writeHead(fault.status, { 'content-type': type, ...headers }).end(body)
}
