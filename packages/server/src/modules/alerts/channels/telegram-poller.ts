import { randomUUID } from 'node:crypto'
import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../../platform/clock.ts'
import type { Changes } from '../../../platform/db/changes.ts'
import type { Log } from '../../../platform/log.ts'
import { repeat } from '../../../platform/repeat.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Timings } from '../../../platform/timings.ts'
import { type FollowedBot, followBot } from './follow-bot.ts'
import { botIdOf } from './telegram-api.ts'
import type { BotReader } from './telegram-bot-reader.ts'
import type { TelegramBotsRepo } from './telegram-bots.repo.ts'
import type { TelegramLinksRepo } from './telegram-links.repo.ts'

interface PollerDeps {
  readonly links: TelegramLinksRepo
  readonly bots: TelegramBotsRepo
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'telegram'>
  readonly operatorToken: Secret | null
  readonly isAlone: boolean
  readonly reader: BotReader
}

export interface TelegramPoller {
  start(): void
  stop(): Promise<void>
}

/** Bots of users' own that are read at once: each holds a connection. Who comes later waits for a place. */
const OWN_BOTS = 20
/** Where every change is seen anyway: for what nobody thought of. */
const POLLS_UNASKED = 30

/**
 * Reads the messages of the operator's bot all the time, and of a user's own bot while a code waits for it. Each bot is read by one program:
 * Telegram refuses a second one.
 */
export function createTelegramPoller({ links, changes, sealer, operatorToken, ...deps }: PollerDeps): TelegramPoller {
  const { clock, log, timings } = deps
  const owner = randomUUID()
  const changed = changes.of(['telegram_links'])
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let seen = -1
  let unasked = 0
  let stopPolling = async () => {}

  const waiting = () => links.waitingBots(clock.now(), OWN_BOTS)
  /** A user's own bot is left alone as soon as nobody waits for it. */
  const isWanted = async (bot: FollowedBot) =>
    bot.isOperators || (await waiting()).some(({ botId }) => botId === bot.id)
  const giveUp = (botId: string) => links.giveUp(botId, clock.now())

  function begin(bot: FollowedBot): void {
    if (underWay.has(bot.id) || stopping.signal.aborted) return
    const following = followBot(bot, { ...deps, owner, giveUp, isWanted, signal: stopping.signal })
    underWay.set(
      bot.id,
      following.finally(() => underWay.delete(bot.id)),
    )
  }

  async function poll(): Promise<void> {
    const version = changed.version()
    if (changes.seesOthers && version === seen && unasked++ < POLLS_UNASKED) return
    unasked = 0
    for (const { botId, tokenSealed } of await waiting()) {
      begin({ id: botId, token: sealer.open(tokenSealed), isOperators: false })
    }
    seen = version
  }

  return {
    start() {
      const id = operatorToken && botIdOf(operatorToken)
      if (id) begin({ id, token: operatorToken, isOperators: true })
      const complaint = 'codes for Telegram bots could not be looked for'
      stopPolling = repeat({ firstAfterMs: 0, everyMs: timings.telegram.lookMs, log, complaint, work: poll })
    },
    async stop() {
      stopping.abort()
      await stopPolling()
      await Promise.all(underWay.values())
    },
  }
}
