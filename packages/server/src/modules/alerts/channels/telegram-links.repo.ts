import type { Db } from '../../../platform/db/database.ts'
import type { TelegramLinkTable } from '../../../platform/db/tables/alert-channels.ts'

/** A bot of a user's own for which a code waits. */
export interface WaitingBot {
  readonly botId: string
  readonly tokenSealed: string
}

export type TelegramLinksRepo = ReturnType<typeof createTelegramLinksRepo>

/** The codes by which chats are linked. */
export function createTelegramLinksRepo(db: Db) {
  return {
    /** In place of the user's code before. */
    async put(link: TelegramLinkTable): Promise<void> {
      await db.transaction().execute(async (inside) => {
        // One statement: of two codes that are asked for at once, the later one counts.
        await inside
          .insertInto('telegram_links')
          .values(link)
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
          .execute()
        // Telegram has just taken this token: what was wrong with the one before is over.
        if (link.token_sealed !== '') {
          await inside.updateTable('telegram_bots').set({ problem: null }).where('id', '=', link.bot_id).execute()
        }
      })
    },

    async ofUser(userId: string) {
      return db
        .selectFrom('telegram_links')
        .leftJoin('telegram_bots', 'telegram_bots.id', 'telegram_links.bot_id')
        .select(['bot_name', 'expires_at', 'used_at', 'problem'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
    },

    async remove(userId: string): Promise<void> {
      await db.deleteFrom('telegram_links').where('user_id', '=', userId).execute()
    },

    /** The bots of users' own that somebody waits for, who waits longest first. */
    async waitingBots(now: number, most: number): Promise<WaitingBot[]> {
      return db
        .selectFrom('telegram_links')
        .select(['bot_id as botId', (columns) => columns.fn.max('token_sealed').as('tokenSealed')])
        .where('token_sealed', '<>', '')
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .groupBy('bot_id')
        .orderBy((columns) => columns.fn.min('created_at'))
        .limit(most)
        .execute()
    },

    /** The user's own bot is refused: those who wait for it wait in vain. */
    async giveUp(botId: string, now: number): Promise<void> {
      await db
        .updateTable('telegram_links')
        .set({ token_sealed: '' })
        .where('bot_id', '=', botId)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .execute()
    },
  }
}

/** Null: there is no such code for this bot, or it was used, or its time is over. */
export async function findCode(inside: Db, { botId, codeHash, now }: { botId: string; codeHash: string; now: number }) {
  const link = await inside
    .selectFrom('telegram_links')
    .select(['id', 'user_id as userId', 'bot_name as botName', 'token_sealed as tokenSealed'])
    .where('code_hash', '=', codeHash)
    .where('bot_id', '=', botId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link ?? null
}

/** In the transaction that holds the bot: nobody else takes codes of it meanwhile. */
export async function useCodeUp(inside: Db, id: string, now: number): Promise<void> {
  await inside.updateTable('telegram_links').set({ used_at: now, token_sealed: '' }).where('id', '=', id).execute()
}
