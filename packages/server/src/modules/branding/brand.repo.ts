import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { BrandKitTable, BrandLookTable } from '../../platform/db/tables/branding.ts'
import { withUserLocked } from '../identity/user-lock.ts'

export type KitRow = Selectable<BrandKitTable>
type LookRow = Selectable<BrandLookTable>
type LogoColumns = Pick<KitRow, 'logo_key' | 'logo_hash' | 'logo_width' | 'logo_height'>

const IDS_AT_ONCE = 500

export type BrandRepo = ReturnType<typeof createBrandRepo>

export function createBrandRepo(db: Db) {
  return {
    kitOf: (userId: string): Promise<KitRow | null> => kitIn(db, userId),
    async save(userId: string, change: Partial<Pick<KitRow, 'text' | 'colours'>>, now: number): Promise<void> {
      await write(db, userId, change, now)
    },
    /** Answers the file of the one before where nothing needs it any more. */
    async setLogo(userId: string, logo: LogoColumns, now: number): Promise<string | null> {
      return withUserLocked(db, userId, async (locked) => {
        const before = (await kitIn(locked, userId))?.logo_key ?? null
        await write(locked, userId, logo, now)
        return before !== null && (await isFree(locked, userId, before)) ? before : null
      })
    },
    /** What `make` answers of the kit as it is, kept under its id; one that is there already is young again. */
    async keepLook(
      userId: string,
      make: (kit: KitRow | null) => Pick<LookRow, 'id' | 'look' | 'logo_key'>,
      now: number,
    ): Promise<string> {
      return withUserLocked(db, userId, async (locked) => {
        const row = make(await kitIn(locked, userId))
        await locked
          .insertInto('brand_looks')
          .values({ user_id: userId, ...row, created_at: now })
          .onConflict((conflict) => conflict.columns(['user_id', 'id']).doUpdateSet({ created_at: now }))
          .execute()
        return row.id
      })
    },
    async looksOf(userId: string, ids: readonly string[]): Promise<LookRow[]> {
      const found: LookRow[] = []
      const all = [...new Set(ids)]
      for (let from = 0; from < all.length; from += IDS_AT_ONCE) {
        const some = all.slice(from, from + IDS_AT_ONCE)
        found.push(
          ...(await db
            .selectFrom('brand_looks')
            .selectAll()
            .where('user_id', '=', userId)
            .where('id', 'in', some)
            .execute()),
        )
      }
      return found
    },
    async lookOwners(): Promise<string[]> {
      const rows = await db.selectFrom('brand_looks').select('user_id').distinct().execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** Those of before `before` that `used` does not name. Answers the files that nothing needs any more. */
    async removeUnused(userId: string, used: ReadonlySet<string>, before: number): Promise<string[]> {
      return withUserLocked(db, userId, async (locked) => {
        const old = await locked
          .selectFrom('brand_looks')
          .select(['id', 'logo_key'])
          .where('user_id', '=', userId)
          .where('created_at', '<', before)
          .execute()
        const unused = old.filter(({ id }) => !used.has(id))
        for (const { id } of unused) {
          await locked.deleteFrom('brand_looks').where('user_id', '=', userId).where('id', '=', id).execute()
        }
        const keys = new Set(unused.flatMap(({ logo_key }) => logo_key ?? []))
        const free = await Promise.all([...keys].map(async (key) => ((await isFree(locked, userId, key)) ? key : null)))
        return free.filter((key) => key !== null)
      })
    },
  }
}

const kitIn = async (db: Db, userId: string): Promise<KitRow | null> =>
  (await db.selectFrom('brand_kits').selectAll().where('user_id', '=', userId).executeTakeFirst()) ?? null

async function write(db: Db, userId: string, change: Partial<KitRow>, now: number): Promise<void> {
  const values = { ...change, updated_at: now }
  await db
    .insertInto('brand_kits')
    .values({ ...values, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Neither the kit nor a look has it. */
async function isFree(db: Db, userId: string, key: string): Promise<boolean> {
  const [kit, look] = await Promise.all([
    kitIn(db, userId),
    db
      .selectFrom('brand_looks')
      .select('id')
      .where('user_id', '=', userId)
      .where('logo_key', '=', key)
      .executeTakeFirst(),
  ])
  return kit?.logo_key !== key && look === undefined
}
