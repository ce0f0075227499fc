import { randomBytes, randomInt } from 'node:crypto'
import { type DiscordServer, startDiscordServer } from '@siarin/testkit/discord-server'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { startTelegramServer, type TelegramServer } from '@siarin/testkit/telegram-server'

export const BOT = 'siarin_bot'

/** A server whose operator has a bot, and the services that it tells. */
export type Told = { siarin: Siarin; telegram: TelegramServer; discord: DiscordServer; token: string }

export async function startTold(): Promise<Told & { dispose(): Promise<void> }> {
  const [telegram, discord] = [await startTelegramServer(), await startDiscordServer()]
  const token = `${randomInt(10 ** 8, 10 ** 9)}:${randomBytes(26).toString('base64url')}`
  telegram.addBot(token, { username: BOT })
  const siarin = await startSiarin({
    env: {
      ...{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_NAME: BOT, TELEGRAM_API_URL: telegram.url },
      DISCORD_API_URL: discord.url,
    },
  })
  const dispose = async (): Promise<void> => {
    await siarin.dispose()
    await telegram.dispose()
    await discord.dispose()
  }
  return { siarin, telegram, discord, token, dispose }
}
