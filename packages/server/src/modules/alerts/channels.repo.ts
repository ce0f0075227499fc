import { ALERT_CHANNELS_MAX } from '@siarin/contracts/alerts'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import { type ChannelRow, dropWaiting } from './deliveries.repo.ts'
import { AT_ONCE } from './write-alerts.ts'

export type NewChannel = Pick<
  ChannelRow,
  'id' | 'user_id' | 'kind' | 'name' | 'hint' | 'destination_sealed' | 'created_at'
>

const own = (db: Db, workspaceId: string) => db.selectFrom('alert_channels').where('user_id', '=', workspaceId)

/** All but the e-mail, which goes to the mailbox of the account. Codes that wait for a chat count no more. Returns how many there were. */
export async function switchOffChannelsOf(inside: Db, workspaceId: string, now: number): Promise<number> {
  await inside.deleteFrom('telegram_links').where('user_id', '=', workspaceId).execute()
  const open = own(inside, workspaceId).selectAll().where('state', '=', 'on').where('kind', '<>', 'email')
  const rows = await open.orderBy('id').execute()
  for (const row of rows) await channelsRepo.change(inside, row, { on: false }, now)
  return rows.length
}

/** Where a workspace is told. Each takes the database or a transaction of its caller. */
export const channelsRepo = {
  all: (db: Db, workspaceId: string): Promise<ChannelRow[]> =>
    own(db, workspaceId).selectAll().orderBy('created_at').orderBy('id').limit(ALERT_CHANNELS_MAX).execute(),
  async byId(db: Db, workspaceId: string, id: string): Promise<ChannelRow | null> {
    return (await own(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },
  /** How many messages wait at each. */
  async waiting(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('alert_deliveries')
      .select(['channel_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('channel_id', 'in', ids)
      .where('state', '=', 'waiting')
      .groupBy('channel_id')
      .execute()
    return new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]))
  },
  /** However many are added at once: one at a time per workspace. For the transaction of who adds. */
  async lock(inside: Db, workspaceId: string): Promise<ChannelRow[]> {
    if (isPostgres(inside)) {
      // Rows that are not there yet cannot be locked; the settings' row stands for all of them.
      await inside
        .insertInto('alert_settings')
        .values({ user_id: workspaceId, settings: '{}', updated_at: 0 })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: workspaceId }))
        .execute()
    }
    return channelsRepo.all(inside, workspaceId)
  },
  async insert(inside: Db, channel: NewChannel): Promise<void> {
    const nothingYet = { last_at: null, last_ok: null, last_answer: null, due_at: null, retry_at: null }
    await inside
      .insertInto('alert_channels')
      .values({ ...channel, state: 'on', ...nothingYet, claimed_until: null, hour_from: null })
      .execute()
  },
  /** Switched off: what waits is dropped. Switched on: it begins with what comes from now on. */
  async change(
    inside: Db,
    { id, user_id }: Pick<ChannelRow, 'id' | 'user_id'>,
    { name, on, destination }: { name?: string; on?: boolean; destination?: { sealed: string; hint: string } },
    now: number,
  ): Promise<void> {
    const resting = { due_at: null, retry_at: null, claimed_until: null, is_crowded: 0 }
    await inside
      .updateTable('alert_channels')
      .set({
        ...(name !== undefined && { name }),
        ...(on !== undefined && { state: on ? 'on' : 'off', ...resting }),
        ...(destination && { destination_sealed: destination.sealed, hint: destination.hint }),
        // One who is at work on it writes nothing about it any more.
        claims: (eb) => eb('claims', '+', on === undefined ? 0 : 1),
      })
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .execute()
    if (on !== undefined) await dropWaiting(inside, id, now)
  },
  /** What it was; null: there is none. */
  async remove(inside: Db, workspaceId: string, id: string): Promise<Pick<ChannelRow, 'name' | 'hint'> | null> {
    const row = await inside
      .deleteFrom('alert_channels')
      .where('user_id', '=', workspaceId)
      .where('id', '=', id)
      .returning(['name', 'hint'])
      .executeTakeFirst()
    return row ?? null
  },
  async noteAnswer(inside: Db, id: string, said: { at: number; ok: boolean; answer: string }): Promise<void> {
    await inside
      .updateTable('alert_channels')
      .set({ last_at: said.at, last_ok: said.ok ? 1 : 0, last_answer: said.answer })
      .where('id', '=', id)
      .execute()
  },
  async moved(inside: Db, id: string, sealed: string): Promise<void> {
    await inside.updateTable('alert_channels').set({ destination_sealed: sealed }).where('id', '=', id).execute()
  },
  /** Quiet hours have changed: until when that waits which they hold back. */
  async holdUntil(inside: Db, workspaceId: string, until: number): Promise<void> {
    // Channels before their deliveries, in the order of their ids, as the sender locks them.
    if (isPostgres(inside)) {
      const own = inside.selectFrom('alert_channels').select('id').where('user_id', '=', workspaceId)
      await own.orderBy('id').forUpdate().execute()
    }
    await inside
      .updateTable('alert_deliveries')
      .set({ due_at: until })
      .where('state', '=', 'waiting')
      .where('is_held', '=', 1)
      .where('channel_id', 'in', (eb) =>
        eb.selectFrom('alert_channels').select('alert_channels.id').where('user_id', '=', workspaceId),
      )
      .execute()
    // Who looks there finds what is due, and when the rest will be.
    await inside
      .updateTable('alert_channels')
      .set({ due_at: AT_ONCE })
      .where('user_id', '=', workspaceId)
      .where('due_at', 'is not', null)
      .execute()
  },
}
