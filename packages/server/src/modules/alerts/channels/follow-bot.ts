import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { BotReader } from './telegram-bot-reader.ts'
import type { TelegramBotsRepo } from './telegram-bots.repo.ts'

export interface FollowedBot {
  readonly id: string
  readonly token: Secret
  readonly isOperators: boolean
}

interface FollowDeps {
  readonly bots: TelegramBotsRepo
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'telegram'>
  /** There is no other program that might read it. */
  readonly isAlone: boolean
  /** This program, in the row of the bot. */
  readonly owner: string
  readonly reader: BotReader
  /** The user's own bot is refused: those who wait for it wait in vain. */
  readonly giveUp: (botId: string) => Promise<void>
  readonly isWanted: (bot: FollowedBot) => Promise<boolean>
  readonly signal: AbortSignal
}

const LONGEST_RETRY_MS = 60_000
/** A token that Telegram does not take is tried again now and then, where it is the operator's. */
const REFUSED_MS = 300_000

type Next = { readonly waitMs: number; readonly failures: number }

/** Reads the messages of one bot for as long as they are wanted. */
export async function followBot(bot: FollowedBot, deps: FollowDeps): Promise<void> {
  const { bots, log, owner, signal, isWanted } = deps
  let failures = 0
  while (!signal.aborted && (await isWanted(bot).catch(() => true))) {
    const next = await readOnce(bot, failures, deps).catch((error) => {
      log.warn({ err: error, bot: bot.id }, 'a Telegram bot could not be read')
      return failed(failures, deps)
    })
    if (next === null) break
    failures = next.failures
    if (next.waitMs > 0) await sleep(next.waitMs, undefined, { signal }).catch(() => {})
  }
  await bots.release(bot.id, owner).catch(() => {})
}

const failed = (failures: number, { timings }: FollowDeps): Next => ({
  waitMs: Math.min(LONGEST_RETRY_MS, timings.telegram.firstRetryMs * 2 ** Math.min(failures, 10)),
  failures: failures + 1,
})

/** Null: leave the bot alone. */
async function readOnce(bot: FollowedBot, failures: number, deps: FollowDeps): Promise<Next | null> {
  const { bots, clock, log, timings, isAlone, owner, reader, giveUp, signal } = deps
  const { leaseMs, firstRetryMs, conflictMs } = timings.telegram
  const now = clock.now()
  const leased = await bots.lease(bot.id, owner, { now, until: now + leaseMs, anyway: isAlone })
  if (leased === null) return bot.isOperators ? { waitMs: leaseMs / 2, failures } : null
  switch (await reader.read({ ...bot, owner, from: leased.from }, signal)) {
    case 'read':
      if (leased.hadProblem) await bots.setProblem(bot.id, null)
      return { waitMs: 0, failures: 0 }
    case 'lost':
      return { waitMs: firstRetryMs, failures }
    case 'conflict':
      await bots.setProblem(bot.id, 'conflict')
      if (failures === 0) log.warn({ bot: bot.id }, 'another program reads the messages of this Telegram bot')
      return { waitMs: conflictMs, failures: failures + 1 }
    case 'token_refused':
      await bots.setProblem(bot.id, 'token_refused')
      if (bot.isOperators) log.error('Telegram does not take TELEGRAM_BOT_TOKEN')
      else await giveUp(bot.id)
      return bot.isOperators ? { waitMs: REFUSED_MS, failures: failures + 1 } : null
    case 'failed':
      return failed(failures, deps)
  }
}
