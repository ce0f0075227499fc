import { randomBytes, randomInt } from 'node:crypto'
import { type DiscordServer, startDiscordServer } from '@siarin/testkit/discord-server'
import type { Settings } from '@siarin/testkit/siarin-server'
import { startTelegramServer, type TelegramServer } from '@siarin/testkit/telegram-server'

export const BOT = 'siarin_bot'

/** The services that a server tells whose operator has a bot; it is started with these settings. */
export type Told = { telegram: TelegramServer; discord: DiscordServer; token: string; settings: Settings }

export async function startTold(): Promise<Told & { dispose(): Promise<void> }> {
  const [telegram, discord] = [await startTelegramServer(), await startDiscordServer()]
  const token = `${randomInt(10 ** 8, 10 ** 9)}:${randomBytes(26).toString('base64url')}`
  telegram.addBot(token, { username: BOT })
  const settings = {
    ...{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_NAME: BOT, TELEGRAM_API_URL: telegram.url },
    DISCORD_API_URL: discord.url,
  }
  const dispose = async (): Promise<void> => {
    await telegram.dispose()
    await discord.dispose()
  }
  return { telegram, discord, token, settings, dispose }
}
