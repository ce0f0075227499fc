import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'

/** So many rows at once: a write holds up every other. With SQLite the first are few: nobody knows yet how far apart their pages lie. */
const BATCH = { first: 50, least: 25, most: 250, longMs: 15, shortMs: 5, postgres: 500 }
/** Rows whose own rows go before them. */
const PARENTS_AT_ONCE = 100
/** SQLite does all of it at once: everything else gets its turn in between. */
const BREATH_MS = 2

/** A column that names a row of another table. */
interface Reference {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly parentColumn: string
}

export interface Schema {
  /** What goes with a row, by the table of that row. Rows that only lose a name (`set null`) stay. */
  readonly children: ReadonlyMap<string, readonly Reference[]>
  readonly keys: ReadonlyMap<string, readonly string[]>
}

/** As the database itself says it, so that no table can be forgotten. */
export async function readSchema(db: Db): Promise<Schema> {
  const { references, keys } = isPostgres(db) ? await postgresSchema(db) : await sqliteSchema(db)
  return {
    children: Map.groupBy(references, ({ parent }) => parent),
    keys: new Map(
      [...Map.groupBy(keys, ({ table }) => table)].map(([table, all]) => [table, all.map((one) => one.name)]),
    ),
  }
}

const sqliteSchema = async (db: Db) => ({
  references: (
    await sql<Reference>`
      select tables.name as "table", key."from" as "column", key."table" as parent, coalesce(key."to", 'id') as "parentColumn"
      from sqlite_master as tables join pragma_foreign_key_list(tables.name) as key
      where tables.type = 'table' and key.on_delete in ('CASCADE', 'NO ACTION', 'RESTRICT')`.execute(db)
  ).rows,
  keys: (
    await sql<{ table: string; name: string }>`
      select tables.name as "table", info.name from sqlite_master as tables join pragma_table_info(tables.name) as info
      where tables.type = 'table' and info.pk > 0 order by tables.name, info.pk`.execute(db)
  ).rows,
})

const postgresSchema = async (db: Db) => ({
  references: (
    await sql<Reference>`
      select child.relname as "table", own.attname as "column", parent.relname as parent, named.attname as "parentColumn"
      from pg_constraint as key
        join pg_class as child on child.oid = key.conrelid join pg_class as parent on parent.oid = key.confrelid
        join pg_attribute as own on own.attrelid = key.conrelid and own.attnum = key.conkey[1]
        join pg_attribute as named on named.attrelid = key.confrelid and named.attnum = key.confkey[1]
      where key.contype = 'f' and key.confdeltype in ('c', 'a', 'r')
        and key.connamespace = current_schema()::regnamespace`.execute(db)
  ).rows,
  keys: (
    await sql<{ table: string; name: string }>`
      select tables.relname as "table", own.attname as name
      from pg_constraint as key join pg_class as tables on tables.oid = key.conrelid
        cross join unnest(key.conkey) with ordinality as part(number, place)
        join pg_attribute as own on own.attrelid = key.conrelid and own.attnum = part.number
      where key.contype = 'p' and key.connamespace = current_schema()::regnamespace order by 1, part.place`.execute(db)
  ).rows,
})

export interface Deletion {
  readonly table: string
  readonly where: RawBuilder<unknown>
  /** Rows of these tables go only where this is so, whatever they belong to. */
  readonly only?: Readonly<Record<string, RawBuilder<unknown>>>
  readonly isOver?: () => boolean
}

/** What names a row that is about to be deleted. */
export interface LostName {
  readonly table: string
  readonly column: string
  /** The row that is named. */
  readonly id: string
  /** Only these lose it. */
  readonly where: RawBuilder<unknown>
}

/**
 * Deletes rows with all that belongs to them, the deepest first, a small batch at a time. Left to the foreign keys, a million rows would go
 * in one statement, and the whole program would stand still meanwhile. Whatever is killed, the next call goes on. Returns how many rows of
 * the table itself went.
 */
export async function deleteDeep(db: Db, schema: Schema, deletion: Deletion): Promise<number> {
  const { table, where, only = {}, isOver } = deletion
  const isWanted = only[table] ? sql`(${where}) and (${only[table]})` : where
  const children = (schema.children.get(table) ?? []).filter((child) => child.table !== table)
  const key = schema.keys.get(table) ?? ['id']
  const isParent = children.length > 0
  const deleteSome = isParent ? deleteParents : deleteLeaves
  return inBatches(db, { table, isWanted, isOver, size: isParent ? PARENTS_AT_ONCE : undefined }, (size) =>
    deleteSome(db, schema, { ...deletion, key, children, size, isWanted }),
  )
}

/**
 * Rows that only lose the name of what is about to be deleted lose it before, a small batch at a time: the foreign key would change all of
 * them in the statement of the deletion.
 */
export async function loseName(db: Db, { table, column, id, where }: LostName): Promise<void> {
  const [name, named] = [sql.table(table), sql.ref(column)]
  const isWanted = sql`${named} = ${id} and (${where})`
  // Mostly there is none, and that is only read.
  if (!(await hasMore(db, table, isWanted))) return
  await inBatches(db, { table, isWanted }, async (size) => {
    const { numAffectedRows = 0n } = await sql`
      update ${name} set ${named} = null where id in (
        select id from ${name} where ${isWanted} limit ${sql.lit(size)})`.execute(db)
    return Number(numAffectedRows)
  })
}

interface Batches {
  readonly table: string
  readonly isWanted: RawBuilder<unknown>
  readonly isOver?: (() => boolean) | undefined
  /** Without one, a batch is as large as can be done in a short time. */
  readonly size?: number | undefined
}

/** Until `work` leaves no row that is wanted. It returns how many it has done; so do we, in all. */
async function inBatches(
  db: Db,
  { table, isWanted, isOver = () => false, size: given }: Batches,
  work: (size: number) => Promise<number>,
): Promise<number> {
  let size = given ?? (isPostgres(db) ? BATCH.postgres : BATCH.first)
  for (let count = 0; ; ) {
    if (isOver()) return count
    const begunMs = performance.now()
    const done = await work(size)
    count += done
    // Another program may have been at the same rows in that moment: fewer than asked for does not mean that none is left.
    if (done < size && !(await hasMore(db, table, isWanted))) return count
    if (given === undefined && !isPostgres(db)) size = sizeAfter(size, performance.now() - begunMs)
    await sleep(BREATH_MS)
  }
}

/** SQLite keeps the event loop meanwhile. Where the pages of a table lie far apart, each row may take a fraction of a millisecond. */
function sizeAfter(size: number, tookMs: number): number {
  if (tookMs > BATCH.longMs) return Math.max(BATCH.least, Math.floor(size / 2))
  return tookMs < BATCH.shortMs ? Math.min(BATCH.most, size * 2) : size
}

async function hasMore(db: Db, table: string, isWanted: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${isWanted} limit 1`.execute(db)
  return rows.length > 0
}

interface Batch extends Deletion {
  readonly key: readonly string[]
  readonly children: readonly Reference[]
  readonly size: number
  readonly isWanted: RawBuilder<unknown>
}

async function deleteLeaves(db: Db, _schema: Schema, { table, key, size, isWanted }: Batch): Promise<number> {
  const [name, columns] = [sql.table(table), sql.join(key.map((column) => sql.ref(column)))]
  const { numAffectedRows = 0n } = await sql`
    delete from ${name} where (${columns}) in (
      select ${columns} from ${name} where ${isWanted} limit ${sql.lit(size)})`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Every table whose rows others name has one column as its key. They go one by one: for each, SQLite looks through all rows that only lose
 * its name, also those of other accounts, where no index leads to them.
 */
async function deleteParents(db: Db, schema: Schema, batch: Batch): Promise<number> {
  const { table, children, only, isOver, size, isWanted } = batch
  const key = batch.key[0] ?? 'id'
  const named = [...new Set([key, ...children.map(({ parentColumn }) => parentColumn)])]
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(named.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${isWanted} limit ${sql.lit(size)}`.execute(db)
  if (rows.length === 0) return 0
  for (const child of children) {
    const names = sql.join([...new Set(rows.map((row) => row[child.parentColumn]))])
    const where = sql`${sql.ref(child.column)} in (${names})`
    await deleteDeep(db, schema, { table: child.table, where, ...(only && { only }), ...(isOver && { isOver }) })
  }
  if (isOver?.()) return 0
  let count = 0
  for (const row of rows) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} = ${row[key]}`.execute(db)
    count += Number(numAffectedRows)
    await sleep(BREATH_MS)
  }
  return count
}
