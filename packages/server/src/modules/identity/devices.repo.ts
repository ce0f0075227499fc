import type { Selectable } from 'kysely'
import { type Db, uniqueViolation } from '../../platform/db/database.ts'
import type { KnownDeviceTable } from '../../platform/db/schema.ts'

export type DeviceRow = Selectable<KnownDeviceTable>

/** A person has a few; more are somebody who throws cookies away. */
const DEVICES_KEPT = 50
const ADDRESSES_KNOWN = 100

export const devices = (db: Db) => ({
  async deviceByToken(userId: string, tokenHash: string): Promise<DeviceRow | null> {
    const row = await db
      .selectFrom('known_devices')
      .selectAll()
      .where('user_id', '=', userId)
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    return row ?? null
  },
  /** Only one of two logins that come at once makes the row. */
  async addDevice(device: DeviceRow): Promise<void> {
    try {
      await db.insertInto('known_devices').values(device).execute()
    } catch (error) {
      if (!uniqueViolation(error)) throw error
      return
    }
    const old = await db
      .selectFrom('known_devices')
      .select('id')
      .where('user_id', '=', device.user_id)
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .limit(1000)
      .offset(DEVICES_KEPT)
      .execute()
    const ids = old.map(({ id }) => id)
    if (ids.length > 0) await db.deleteFrom('known_devices').where('id', 'in', ids).execute()
  },
  async seeDevice(id: string, now: number, trust: boolean): Promise<void> {
    await db
      .updateTable('known_devices')
      .set((eb) => ({ last_seen_at: now, ...(trust && { trusted_at: eb.fn.coalesce('trusted_at', eb.val(now)) }) }))
      .where('id', '=', id)
      .execute()
  },
  /** Whether nobody has been in this account yet, as far as the rows tell. */
  async isUntouched(userId: string): Promise<boolean> {
    const session = db.selectFrom('sessions').select('id').where('user_id', '=', userId)
    const device = db.selectFrom('known_devices').select('id').where('user_id', '=', userId)
    return (await session.unionAll(device).limit(1).executeTakeFirst()) === undefined
  },
  /** Whence somebody has logged in to this account, newest first. */
  async loginAddresses(userId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('sessions')
      .select('address')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(ADDRESSES_KNOWN)
      .execute()
    return rows.map(({ address }) => address)
  },
  async sessionById(id: string) {
    return (await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },
  /** The password was typed in it, there. */
  async confirmSession(id: string, typed: { device_id: string; address: string; confirmed_at: number }): Promise<void> {
    await db.updateTable('sessions').set(typed).where('id', '=', id).where('ended_at', 'is', null).execute()
  },
})
