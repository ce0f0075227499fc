import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import { AddTelegramBody, TelegramLinkAnswer, TelegramLinkStateAnswer } from '@siarin/contracts/alerts'
import { Answer } from '@siarin/contracts/answers'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { TelegramLinkRefusal, TelegramLinks } from './channels/channels.ts'

interface TelegramRoutesDeps {
  links: TelegramLinks
  hooks: CallerHooks
}

const tags = ['alert']
const PATH = '/fitur/alert/channel/telegram'

function refusal(why: TelegramLinkRefusal): DomainError {
  const code = why === 'unreachable' ? 'platform_unreachable' : why === 'no_bot' ? 'invalid_input' : 'platform_refused'
  return new DomainError(code, ALERT_TEXTS.linkRefused[why])
}

/** A chat becomes a channel by a code that somebody sends from it. */
export const telegramRoutes = ({ links, hooks }: TelegramRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const preValidation = hooks.requireKeyOrSession
    const limit = createLimiter(
      app,
      'alert-telegram',
      PLATFORM_LIMITS.beginPerUser,
      (request) => callerOf(request).userId,
      () => ONLINE_TEXTS.tooMany,
    )

    app.post(
      PATH,
      {
        schema: {
          summary: 'A code that links a Telegram chat',
          tags,
          body: AddTelegramBody,
          response: { 200: TelegramLinkAnswer },
        },
        preValidation,
        config: { adds: true },
      },
      async (request) => {
        // A stolen session would link a chat that goes on listening long after it has ended, by whichever bot.
        await hooks.assertProved(request)
        await limit(request)
        const { botToken } = request.body
        const begun = await links.begin(callerOf(request).workspaceId, botToken ? new Secret(botToken) : null)
        if (!begun.ok) throw refusal(begun.why)
        const { botName, code, url, expiresAt } = begun.offer
        const data = { botName, code, url, expiresAt: new Date(expiresAt).toISOString() }
        return { success: true, message: ALERT_TEXTS.linkStarted, data }
      },
    )

    app.get(
      PATH,
      {
        schema: { summary: 'Whether the code has come', tags, response: { 200: TelegramLinkStateAnswer } },
        preValidation,
      },
      async (request) => {
        const { state, botName, expiresAt, problem } = await links.stateOf(callerOf(request).workspaceId)
        const message = problem ? ALERT_TEXTS.linkProblem[problem] : ALERT_TEXTS.link[state]
        const until = expiresAt === null ? null : new Date(expiresAt).toISOString()
        return { success: true, message, data: { state, botName, expiresAt: until, problem } }
      },
    )

    app.delete(
      PATH,
      { schema: { summary: 'The code counts no more', tags, response: { 200: Answer } }, preValidation },
      async (request) => {
        await links.cancel(callerOf(request).workspaceId)
        return { success: true, message: ALERT_TEXTS.linkCancelled }
      },
    )
  }
