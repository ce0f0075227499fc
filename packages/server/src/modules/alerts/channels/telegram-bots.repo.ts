import type { Db } from '../../../platform/db/database.ts'

export type BotProblem = 'conflict' | 'token_refused'

export interface TakenUpdates {
  readonly botId: string
  readonly owner: string
  /** What is to be asked for next. */
  readonly nextUpdate: number
}

export type TelegramBotsRepo = ReturnType<typeof createTelegramBotsRepo>

/** Each bot is read by one program at a time: its row says by which, and how far it has come. */
export function createTelegramBotsRepo(db: Db) {
  return {
    /** Null: another program reads this bot. Else what is to be asked for next. `anyway`: there is no other program. */
    async lease(botId: string, owner: string, { now, until, anyway }: { now: number; until: number; anyway: boolean }) {
      await db
        .insertInto('telegram_bots')
        .values({ id: botId, next_update: 0, lease_owner: '', lease_until: 0, problem: null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      const row = await db
        .updateTable('telegram_bots')
        .set({ lease_owner: owner, lease_until: until })
        .where('id', '=', botId)
        .$if(!anyway, (query) =>
          query.where((of) => of.or([of('lease_owner', '=', owner), of('lease_until', '<=', now)])),
        )
        .returning(['next_update', 'problem'])
        .executeTakeFirst()
      return row ? { from: Number(row.next_update), hadProblem: row.problem !== null } : null
    },

    async release(botId: string, owner: string): Promise<void> {
      await db
        .updateTable('telegram_bots')
        .set({ lease_until: 0, lease_owner: '' })
        .where('id', '=', botId)
        .where('lease_owner', '=', owner)
        .execute()
    },

    async setProblem(botId: string, problem: BotProblem | null): Promise<void> {
      await db.updateTable('telegram_bots').set({ problem }).where('id', '=', botId).execute()
    },

    /** What follows from some updates is written together with how far they were read. False: the bot is another program's by now. */
    async take({ botId, owner, nextUpdate }: TakenUpdates, write: (inside: Db) => Promise<void>): Promise<boolean> {
      return db.transaction().execute(async (inside) => {
        const { numUpdatedRows } = await inside
          .updateTable('telegram_bots')
          .set({ next_update: nextUpdate })
          .where('id', '=', botId)
          .where('lease_owner', '=', owner)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await write(inside)
        return true
      })
    },
  }
}
