import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { serveOnLoopback } from './loopback-http.ts'

export type TelegramMessage = {
  token: string
  chatId: string
  text: string
  /** All that was sent. */
  fields: Record<string, unknown>
}

/** How a call is answered, where it is not as usual. */
export type TelegramFault =
  | { code: number; description: string; parameters?: { retry_after?: number; migrate_to_chat_id?: number } }
  /** Something that is no answer of Telegram's, as a proxy in between sends it. */
  | { page: number }
  | 'silent'
  | 'endless'

export type TelegramServer = {
  /** For TELEGRAM_API_URL. */
  url: string
  addBot(token: string, bot: { username: string; webhook?: string }): void
  /** The bot's token counts no more. */
  removeBot(token: string): void
  /** A person writes to the bot. */
  write(token: string, chat: { id: number; first_name?: string; username?: string; title?: string }, text: string): void
  /** Something else than a message happens. */
  happen(token: string, update: Record<string, unknown>): void
  /** How messages to this chat are answered; null: as usual. */
  answerChat(chatId: string, fault: TelegramFault | null): void
  /** How calls of this method are answered; null: as usual. */
  answerMethod(method: string, fault: TelegramFault | null): void
  readonly messages: TelegramMessage[]
  /** The names of the methods that were called with this token. */
  calls(token: string): string[]
  /** How many read the bot's updates at once, at most so far: one gets them, the others a 409. */
  mostPolls(token: string): number
  /** Updates that nobody has confirmed yet. */
  pending(token: string): number
  dispose(): Promise<void>
}

type Bot = {
  username: string
  webhook: string
  updates: { update_id: number }[]
  poll: { response: ServerResponse; end(): void } | null
  polls: number
  mostPolls: number
  calls: string[]
}

const CONFLICT = {
  code: 409,
  description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
}
const WEBHOOK_CONFLICT = {
  code: 409,
  description:
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
}

/** Telegram's Bot API, on loopback, as far as a bot that sends and is linked needs it. It speaks as the real one does, and counts. */
export async function startTelegramServer(): Promise<TelegramServer> {
  const bots = new Map<string, Bot>()
  const messages: TelegramMessage[] = []
  const chats = new Map<string, TelegramFault>()
  const methods = new Map<string, TelegramFault>()
  let lastUpdate = 700_000

  function tell(token: string, update: Record<string, unknown>): void {
    const bot = bots.get(token)
    if (!bot) throw new Error('no such bot')
    lastUpdate += 1
    bot.updates.push({ update_id: lastUpdate, ...update })
    bot.poll?.end()
  }

  function send(token: string, fields: Record<string, unknown>, response: ServerResponse): void {
    const { text, chat_id: chat } = fields
    const chatId = String(chat)
    const fault = chats.get(chatId)
    if (fault) return void sayFault(response, fault)
    if (typeof text !== 'string' || text === '') {
      return void sayFault(response, { code: 400, description: 'Bad Request: message text is empty' })
    }
    if (text.length > 4096)
      return void sayFault(response, { code: 400, description: 'Bad Request: message is too long' })
    messages.push({ token, chatId, text, fields })
    sayResult(response, { message_id: messages.length, chat: { id: Number(chatId) }, text })
  }

  const server = await serveOnLoopback(async (request, response) => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const fields = ((await json(request).catch(() => ({}))) ?? {}) as Record<string, unknown>
    const bot = bots.get(token)
    // Telegram's word for what does not look like a token at all.
    if (!/^\d+:[\w-]{30,}$/.test(token)) return void sayFault(response, { code: 404, description: 'Not Found' })
    if (!bot) return void sayFault(response, { code: 401, description: 'Unauthorized' })
    bot.calls.push(method)
    const fault = methods.get(method)
    if (fault) return void sayFault(response, fault)
    if (method === 'getMe') return void sayResult(response, meOf(token, bot))
    if (method === 'getWebhookInfo') return void sayResult(response, { url: bot.webhook, pending_update_count: 0 })
    if (method === 'deleteWebhook') {
      bot.webhook = ''
      return void sayResult(response, true)
    }
    if (method === 'getUpdates') return void poll(bot, fields, response)
    if (method === 'sendMessage') return send(token, fields, response)
    sayFault(response, { code: 404, description: 'Not Found: method not found' })
  })

  return {
    url: server.url,
    addBot: (token, { username, webhook = '' }) =>
      void bots.set(token, { username, webhook, updates: [], poll: null, polls: 0, mostPolls: 0, calls: [] }),
    removeBot: (token) => void bots.delete(token),
    write: (token, chat, text) =>
      tell(token, { message: { message_id: 1, from: { is_bot: false }, chat: { type: 'private', ...chat }, text } }),
    happen: tell,
    answerChat: (chatId, fault) => void (fault ? chats.set(chatId, fault) : chats.delete(chatId)),
    answerMethod: (method, fault) => void (fault ? methods.set(method, fault) : methods.delete(method)),
    messages,
    calls: (token) => bots.get(token)?.calls ?? [],
    mostPolls: (token) => bots.get(token)?.mostPolls ?? 0,
    pending: (token) => bots.get(token)?.updates.length ?? 0,
    dispose: server.close,
  }
}

const meOf = (token: string, { username }: Bot) => ({
  id: Number(token.split(':')[0]),
  is_bot: true,
  first_name: username,
  username,
})

/** The newer poll ends the older one, as with the real one. What lies before the offset is confirmed, and gone. */
function poll(bot: Bot, fields: Record<string, unknown>, response: ServerResponse): void {
  if (bot.webhook !== '') {
    sayFault(response, WEBHOOK_CONFLICT)
    return
  }
  const { offset, timeout, limit } = fields
  const from = Number(offset ?? 0)
  bot.updates = bot.updates.filter(({ update_id: id }) => id >= from)
  bot.polls += 1
  bot.mostPolls = Math.max(bot.mostPolls, bot.polls)
  if (bot.poll) sayFault(bot.poll.response, CONFLICT)
  const timer = setTimeout(end, Number(timeout ?? 0) * 1000)
  let isOver = false
  function over(): void {
    if (!isOver) bot.polls -= 1
    isOver = true
    clearTimeout(timer)
    if (bot.poll?.response === response) bot.poll = null
  }
  function end(): void {
    over()
    sayResult(response, bot.updates.slice(0, Number(limit ?? 100)))
  }
  response.once('close', over)
  bot.poll = { response, end }
  if (bot.updates.length > 0) end()
}

const sayResult = (response: ServerResponse, result: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
}

function sayFault(response: ServerResponse, fault: TelegramFault): void {
  if (fault === 'silent') return
  if (fault === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => response.write('{"ok":false,'.repeat(10_000)) && setImmediate(more)
    response.on('drain', more)
    more()
    return
  }
  if ('page' in fault) {
    response.writeHead(fault.page, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
    return
  }
  const { code, description, parameters } = fault
  response
    .writeHead(code, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ok: false, error_code: code, description, ...(parameters && { parameters }) }))
}
