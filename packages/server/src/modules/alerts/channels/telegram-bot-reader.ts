import type { Secret } from '@siarin/media/secret'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { CallFailed } from '../../../platform/egress/small-call.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Pace } from './pace.ts'
import { createTakeStarts, type HeldBot, type Reply, type TakeStartsDeps } from './take-starts.ts'
import type { TelegramAnswer, TelegramApi } from './telegram-api.ts'
import { firstUpdateOf, type ReadUpdates, readUpdates } from './telegram-updates.ts'

interface ReaderDeps extends TakeStartsDeps {
  readonly api: TelegramApi
  readonly pace: Pace
  readonly timings: Pick<Timings, 'telegram'>
}

interface ReadBot extends HeldBot {
  readonly token: Secret
  readonly isOperators: boolean
  /** The first update that was not taken yet. */
  readonly from: number
}

/** `lost`: another program has the bot by now. */
type ReadOutcome = 'read' | 'lost' | 'conflict' | 'token_refused' | 'failed'

export interface BotReader {
  /** Waits for news of a bot, and takes them. */
  read(bot: ReadBot, signal: AbortSignal): Promise<ReadOutcome>
}

const AT_ONCE = 20
/** Twenty messages with all that may hang on them. */
const UPDATES_BYTES = 2 * 1024 ** 2
/** Beyond the time that Telegram may take for a poll. */
const GRACE_MS = 10_000
const REPLY_MS = 5_000

export function createBotReader(deps: ReaderDeps): BotReader {
  const { api, pace, timings } = deps
  /** Bots whose webhook, if they had one, is gone: it would keep us from reading. */
  const withoutWebhook = new Set<string>()
  const takeStarts = createTakeStarts(deps)

  async function poll({ token, from }: ReadBot, limit: number, signal: AbortSignal): Promise<TelegramAnswer> {
    const { pollSeconds } = timings.telegram
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(pollSeconds * 1000 + GRACE_MS)])
    const fields = { offset: from, timeout: pollSeconds, limit, allowed_updates: ['message'] }
    return api.call(token, 'getUpdates', fields, { signal: bounded, mostBytes: UPDATES_BYTES })
  }

  /** Only for the operator's bot: a user's bot may be at work for somebody else, whom that would stop. */
  async function dropWebhook({ id, token, isOperators }: ReadBot, signal: AbortSignal): Promise<void> {
    if (!isOperators || withoutWebhook.has(id)) return
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(GRACE_MS)])
    const { ok } = await api.call(token, 'deleteWebhook', {}, { signal: bounded })
    if (ok) withoutWebhook.add(id)
  }

  /** Who gets no reply sees it in the app: nothing waits for it, and nobody makes us send many. */
  async function reply({ token }: ReadBot, { chatId, text }: Reply, signal: AbortSignal): Promise<void> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(REPLY_MS)])
    if ((await pace.turn(chatId, 1_000, bounded)) > 0) return
    await api.call(token, 'sendMessage', { chat_id: chatId, text }, { signal: bounded }).catch(() => {})
  }

  /** Kept as what comes first, it would keep every later message from us. */
  function passOver({ id }: ReadBot, cut: string): ReadUpdates | null {
    const first = firstUpdateOf(cut)
    if (first === null) return null
    deps.log.warn({ bot: id }, 'a message to a Telegram bot was too long to be read')
    return { nextUpdate: first + 1, starts: [] }
  }

  return {
    async read(bot, signal) {
      let answer: TelegramAnswer
      try {
        await dropWebhook(bot, signal)
        answer = await poll(bot, AT_ONCE, signal)
        // Together they are too long to be read. One alone is, or is passed over.
        if (answer.ok && answer.cut !== undefined) answer = await poll(bot, 1, signal)
      } catch (error) {
        if (error instanceof CallFailed || error instanceof EgressRefused) return 'failed'
        throw error
      }
      if (!answer.ok) {
        // Perhaps somebody has set a webhook meanwhile.
        if (answer.code === 409) withoutWebhook.delete(bot.id)
        return faultOf(answer.code)
      }
      const updates = answer.cut === undefined ? readUpdates(answer.result) : passOver(bot, answer.cut)
      if (!updates) return 'failed'
      if (updates.nextUpdate !== null) {
        const replies = await takeStarts(bot, updates.starts, updates.nextUpdate)
        if (!replies) return 'lost'
        await Promise.all(replies.map((each) => reply(bot, each, signal)))
      }
      return 'read'
    },
  }
}

function faultOf(code: number): ReadOutcome {
  if (code === 409) return 'conflict'
  return code === 401 || code === 404 ? 'token_refused' : 'failed'
}
