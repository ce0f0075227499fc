import { randomBytes, randomUUID } from 'node:crypto'
import type { Secret } from '@siarin/media/secret'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { CallFailed } from '../../../platform/egress/small-call.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { hashToken } from '../../../platform/secrets/tokens.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { ChannelSettings, TelegramLinkRefusal, TelegramLinkState, TelegramLinks } from './channels.ts'
import { botIdOf, type TelegramApi } from './telegram-api.ts'
import type { TelegramLinksRepo } from './telegram-links.repo.ts'

interface LinksDeps {
  readonly api: TelegramApi
  readonly repo: TelegramLinksRepo
  readonly sealer: Sealer
  readonly clock: Clock
  readonly timings: Pick<Timings, 'telegram'>
  readonly bot: ChannelSettings['telegram']['bot']
}

type Bot = { readonly id: string; readonly name: string; readonly ownToken: Secret | null }

const CALL_MS = 8_000
/** Nobody guesses 128 bits in the life of a code. */
const CODE_BYTES = 16
/** What an own bot's code leads to stays in view so long. */
const LATELY_MS = 3_600_000

const Me = z.object({ is_bot: z.literal(true), username: z.string().regex(/^\w{3,64}$/) })
const Webhook = z.object({ url: z.string() })

class Refused extends Error {
  readonly why: TelegramLinkRefusal

  constructor(why: TelegramLinkRefusal) {
    super(why)
    this.why = why
  }
}

export function createTelegramLinks({ api, repo, sealer, clock, timings, bot: operators }: LinksDeps): TelegramLinks {
  async function ask<T>(token: Secret, method: string, schema: z.ZodType<T>): Promise<T> {
    const answer = await api.call(token, method, {}, { signal: AbortSignal.timeout(CALL_MS) }).catch((error) => {
      if (error instanceof CallFailed || error instanceof EgressRefused) throw new Refused('unreachable')
      throw error
    })
    if (!answer.ok) throw new Refused(answer.code === 401 || answer.code === 404 ? 'token_refused' : 'unreachable')
    const read = schema.safeParse(answer.result)
    if (!read.success) throw new Refused('unreachable')
    return read.data
  }

  async function ownBot(token: Secret): Promise<Bot> {
    const id = botIdOf(token)
    if (!id) throw new Refused('token_refused')
    if (operators?.token.equals(token)) return operatorsBot()
    const { username } = await ask(token, 'getMe', Me)
    // Its messages go to another program, which would get none any more if we read them.
    const { url } = await ask(token, 'getWebhookInfo', Webhook)
    if (url !== '') throw new Refused('bot_busy')
    return { id, name: username, ownToken: token }
  }

  function operatorsBot(): Bot {
    const id = operators && botIdOf(operators.token)
    if (!operators || !id) throw new Refused('no_bot')
    return { id, name: operators.name, ownToken: null }
  }

  async function offer(userId: string, bot: Bot) {
    const code = randomBytes(CODE_BYTES).toString('base64url')
    const now = clock.now()
    const expiresAt = now + timings.telegram.codeMs
    await repo.put({
      ...{ id: randomUUID(), user_id: userId, bot_id: bot.id, bot_name: bot.name },
      code_hash: hashToken(code),
      token_sealed: bot.ownToken ? sealer.seal(bot.ownToken) : '',
      ...{ created_at: now, expires_at: expiresAt, used_at: null },
    })
    return { code, url: `https://t.me/${bot.name}?start=${code}`, botName: bot.name, expiresAt }
  }

  return {
    operatorBot: operators?.name ?? null,

    async begin(userId, token) {
      try {
        return { ok: true, offer: await offer(userId, token ? await ownBot(token) : operatorsBot()) }
      } catch (error) {
        if (error instanceof Refused) return { ok: false, why: error.why }
        throw error
      }
    },

    async stateOf(userId): Promise<TelegramLinkState> {
      const link = await repo.ofUser(userId)
      const now = clock.now()
      const expiresAt = Number(link?.expires_at ?? 0)
      if (!link || expiresAt < now - LATELY_MS) return { state: 'none', botName: null, expiresAt: null, problem: null }
      const state = link.used_at !== null ? 'linked' : expiresAt > now ? 'waiting' : 'expired'
      const problem = link.problem === 'conflict' || link.problem === 'token_refused' ? link.problem : null
      return { state, botName: link.bot_name, expiresAt, problem: state === 'waiting' ? problem : null }
    },

    cancel: (userId) => repo.remove(userId),
  }
}
