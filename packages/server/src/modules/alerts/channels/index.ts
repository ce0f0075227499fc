import type { Channels, ChannelsDeps } from './channels.ts'
import { checkDiscord, createDiscordSender } from './discord.ts'
import { createEmailSender } from './email.ts'
import { createPushSender } from './push.ts'
import { createPushKeys } from './push-keys.ts'
import { checkSubscription } from './push-subscription.ts'
import { createTelegramSender, telegramPace } from './telegram.ts'
import { createTelegramApi } from './telegram-api.ts'
import { createBotReader } from './telegram-bot-reader.ts'
import { createTelegramBotsRepo } from './telegram-bots.repo.ts'
import { createTelegramLinksRepo } from './telegram-links.repo.ts'
import { createTelegramLinks } from './telegram-links.ts'
import { createTelegramPoller } from './telegram-poller.ts'

export type { Channels, ChannelsDeps } from './channels.ts'

/** The ways in which somebody is told outside of the app. */
export function createChannels(deps: ChannelsDeps): Channels {
  const { egress: guard, clock, log, settings, verifiedMailOf, isSessionOver } = deps
  const { discordApiUrl, mail, brand, publicUrl, pushContact, allowPrivateNetwork: allowHttp } = settings
  const telegram = createTelegram(deps)
  const keys = createPushKeys(deps)
  const email = mail && createEmailSender({ ...mail, brand, publicUrl, verifiedMailOf })
  return {
    senders: {
      telegram: telegram.send,
      discord: createDiscordSender({ apiUrl: discordApiUrl, guard, brand, clock }),
      push: createPushSender({ guard, allowHttp, keys, contact: pushContact, clock, log, isSessionOver }),
      email: email?.send ?? null,
    },
    check: {
      discord: (address) => checkDiscord(address, discordApiUrl),
      push: (subscription, sessionId) => checkSubscription(subscription, { guard, allowHttp }, sessionId),
    },
    telegramLinks: telegram.links,
    vapidPublicKey: async () => (await keys()).publicKey,
    start: telegram.poller.start,
    async stop() {
      email?.close()
      await telegram.poller.stop()
    },
  }
}

/** Replies of the bots and alerts keep one pace together. */
function createTelegram({ settings, egress, ...deps }: ChannelsDeps) {
  const { bot, apiUrl } = settings.telegram
  const api = createTelegramApi({ apiUrl, guard: egress })
  const links = createTelegramLinksRepo(deps.db)
  const bots = createTelegramBotsRepo(deps.db)
  const pace = telegramPace()
  const operatorToken = bot?.token ?? null
  const reader = createBotReader({ ...deps, api, bots, pace, brand: settings.brand })
  return {
    send: createTelegramSender({ api, pace, operatorToken }),
    links: createTelegramLinks({ ...deps, api, repo: links, bot }),
    poller: createTelegramPoller({ ...deps, links, bots, operatorToken, reader }),
  }
}
