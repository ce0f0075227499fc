import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteDeep, type Schema } from '../../platform/db/delete-deep.ts'
import type { BrandKitTable, BrandLookTable } from '../../platform/db/tables/branding.ts'
import { withUserLocked } from '../identity/user-lock.ts'

export type KitRow = Selectable<BrandKitTable>
type LookRow = Selectable<BrandLookTable>
type LogoColumns = Pick<KitRow, 'logo_key' | 'logo_hash' | 'logo_width' | 'logo_height'>

const IDS_AT_ONCE = 500
/** So many looks are read and cleared away at once. SQLite does all of it at once: everything else gets its turn in between. */
const CLEARED_AT_ONCE = 200
const BREATH_MS = 2
/** Nothing belongs to a look. */
const LOOKS_ALONE: Schema = { children: new Map(), keys: new Map([['brand_looks', ['user_id', 'id']]]) }

/** Which looks go: those of before `before` that `used` does not name, but for the `spared` youngest ones. */
interface Clearing {
  readonly used: ReadonlySet<string>
  readonly before: number
  readonly spared?: number
}

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
    /** What `make` answers of the kit as it is, kept under its id; one that is there already is young again. `added`: how many there are now, if it is new. */
    async keepLook(
      userId: string,
      make: (kit: KitRow | null) => Pick<LookRow, 'id' | 'look' | 'logo_key'>,
      now: number,
    ): Promise<{ id: string; added: number | null }> {
      return withUserLocked(db, userId, async (locked) => {
        const row = make(await kitIn(locked, userId))
        const { numUpdatedRows } = await locked
          .updateTable('brand_looks')
          .set({ created_at: now })
          .where('user_id', '=', userId)
          .where('id', '=', row.id)
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return { id: row.id, added: null }
        await locked
          .insertInto('brand_looks')
          .values({ user_id: userId, ...row, created_at: now })
          .execute()
        const { count } = await locked
          .selectFrom('brand_looks')
          .select(({ fn }) => fn.countAll<string | number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        return { id: row.id, added: Number(count) }
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
    ...clearing(db),
  }
}

type AgedLook = Pick<LookRow, 'id' | 'logo_key' | 'created_at'>

const clearing = (db: Db) => ({
  /** One by one: somebody may have any number of looks, and the index leads past them. */
  async *lookOwners(): AsyncGenerator<string> {
    for (let after = ''; ; ) {
      const row = await db
        .selectFrom('brand_looks')
        .select('user_id')
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(1)
        .executeTakeFirst()
      if (!row) return
      yield row.user_id
      after = row.user_id
    }
  },
  /** Page by page. Yields the files that nothing needs any more. */
  async *removeUnused(userId: string, { used, before, spared = 0 }: Clearing): AsyncGenerator<string[]> {
    let young: AgedLook[] = []
    for (let after = ''; ; ) {
      const page = await db
        .selectFrom('brand_looks')
        .select(['id', 'logo_key', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(CLEARED_AT_ONCE)
        .execute()
      const unused = page.filter(({ id, created_at }) => Number(created_at) < before && !used.has(id))
      const found = [...young, ...unused].toSorted((one, other) => Number(other.created_at) - Number(one.created_at))
      young = found.slice(0, spared)
      const gone = found.slice(spared)
      if (gone.length > 0) yield await removeLooks(db, userId, gone, before)
      const last = page.at(-1)
      if (!last || page.length < CLEARED_AT_ONCE) return
      after = last.id
      await sleep(BREATH_MS)
    }
  },
})

/** One that somebody wants again meanwhile is young again, and stays. Returns the files that nothing needs any more. */
async function removeLooks(db: Db, userId: string, looks: readonly AgedLook[], before: number): Promise<string[]> {
  const ids = sql.join(looks.map(({ id }) => id))
  const where = sql`user_id = ${userId} and created_at < ${before} and id in (${ids})`
  await deleteDeep(db, LOOKS_ALONE, { table: 'brand_looks', where })
  const keys = [...new Set(looks.flatMap(({ logo_key }) => logo_key ?? []))]
  if (keys.length === 0) return []
  return withUserLocked(db, userId, async (locked) => {
    const kit = await kitIn(locked, userId)
    const needed = await locked
      .selectFrom('brand_looks')
      .select('logo_key')
      .distinct()
      .where('user_id', '=', userId)
      .where('logo_key', 'in', keys)
      .execute()
    const kept = new Set([kit?.logo_key, ...needed.map(({ logo_key }) => logo_key)])
    return keys.filter((key) => !kept.has(key))
  })
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
