import { DomainError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { hashToken } from '../../../platform/secrets/tokens.ts'
import type { LinkedChat } from './channels.ts'
import { telegramDestination } from './telegram.ts'
import type { TelegramBotsRepo } from './telegram-bots.repo.ts'
import { findCode, useCodeUp } from './telegram-links.repo.ts'
import type { StartMessage } from './telegram-updates.ts'

export interface TakeStartsDeps {
  readonly bots: TelegramBotsRepo
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
  readonly brand: string
  readonly keepLinked: (inside: Db, chat: LinkedChat) => Promise<void>
}

export interface HeldBot {
  readonly id: string
  /** The program that reads it. */
  readonly owner: string
}

/** What fails so often with a database that works fails for ever, and keeps everybody behind it waiting. */
const MOST_TRIES = 3

export type Reply = { readonly chatId: string; readonly text: string }

/**
 * Writes down what follows from `/start CODE`, together with how far the bot was read: after a crash nothing is missing, and nothing comes
 * twice. Answers what is to be replied; null: the bot is another program's by now.
 */
export function createTakeStarts({ bots, sealer, clock, log, brand, keepLinked }: TakeStartsDeps) {
  const tries = new Map<string, number>()

  const REPLIES = {
    linked: `Terhubung. Pemberitahuan dari ${brand} akan datang ke obrolan ini.`,
    unknown: `Kode ini tidak dikenal atau sudah lewat waktunya. Buat kode baru di ${brand}, menu Notifikasi.`,
    bare: `Untuk menghubungkan obrolan ini, buka ${brand}, menu Notifikasi, lalu pilih Telegram.`,
  }

  async function take(bot: HeldBot, starts: readonly StartMessage[], nextUpdate: number): Promise<Reply[] | null> {
    const replies: Reply[] = []
    const isOurs = await bots.take({ botId: bot.id, owner: bot.owner, nextUpdate }, async (inside) => {
      for (const start of starts) replies.push({ chatId: start.chatId, text: await answerTo(inside, bot, start) })
    })
    return isOurs ? replies : null
  }

  async function answerTo(inside: Db, bot: HeldBot, { chatId, code, who }: StartMessage): Promise<string> {
    if (code === null) return REPLIES.bare
    const now = clock.now()
    const link = await findCode(inside, { botId: bot.id, codeHash: hashToken(code), now })
    if (!link) return REPLIES.unknown
    const token = link.tokenSealed === '' ? null : sealer.open(link.tokenSealed).reveal()
    const destination = telegramDestination({ chatId, token })
    try {
      await keepLinked(inside, { userId: link.userId, destination, shown: `${who} · @${link.botName}` })
    } catch (error) {
      // Such as that the user has too many channels: the code still counts once there is room.
      if (error instanceof DomainError) return error.message
      throw error
    }
    await useCodeUp(inside, link.id, now)
    return REPLIES.linked
  }

  /** The same updates come again until they are taken. One that nothing can be made of is left out in the end, alone. */
  async function takeOrSkip(
    bot: HeldBot,
    starts: readonly StartMessage[],
    nextUpdate: number,
  ): Promise<Reply[] | null> {
    try {
      const replies = await take(bot, starts, nextUpdate)
      tries.delete(bot.id)
      return replies
    } catch (error) {
      const tried = (tries.get(bot.id) ?? 0) + 1
      tries.set(bot.id, tried)
      if (tried < MOST_TRIES) throw error
      tries.delete(bot.id)
      return takeOneByOne(bot, starts, nextUpdate)
    }
  }

  async function takeOneByOne(bot: HeldBot, starts: readonly StartMessage[], nextUpdate: number) {
    const replies: Reply[] = []
    for (const start of starts) {
      const next = start.updateId + 1
      const taken = await take(bot, [start], next).catch(async (error) => {
        log.error({ err: error, bot: bot.id }, 'a message to a Telegram bot was left out')
        return take(bot, [], next)
      })
      if (!taken) return null
      replies.push(...taken)
    }
    return (await take(bot, [], nextUpdate)) && replies
  }

  return takeOrSkip
}
