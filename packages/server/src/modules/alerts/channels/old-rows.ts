import { sql } from 'kysely'
import type { OldRows } from '../../../platform/db/old-rows.ts'

const DAY_MS = 86_400_000

/** Codes that count no more. */
export const oldTelegramLinks = (now: number): OldRows => ({
  table: 'telegram_links',
  where: sql`expires_at < ${now - DAY_MS}`,
})

/** Bots that nobody reads any more. Telegram keeps messages for a day, so their places are of no use then. */
export const oldTelegramBots = (now: number): OldRows => ({
  table: 'telegram_bots',
  where: sql`lease_until < ${now - 7 * DAY_MS}`,
})
