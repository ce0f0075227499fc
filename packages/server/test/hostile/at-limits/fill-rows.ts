import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import type { Database } from '../../../src/platform/db/schema.ts'

type Cell<T> = T | RawBuilder<unknown>
/** One row for all: what differs from row to row is an expression of `nth`. */
type Pattern<T extends keyof Database> = {
  [Column in keyof Insertable<Database[T]>]: Cell<Insertable<Database[T]>[Column]>
}

/** The number of the row, from 0 on. */
const nth = sql<number>`i`

const FIRST_NUMBER = 100_000_000_000
const NUMBER_DIGITS = String(FIRST_NUMBER).length

/** In the form of a UUID, whose last part is a number. */
export const idAt = (like: string, number: number): string => like.slice(0, -NUMBER_DIGITS) + (FIRST_NUMBER + number)
export const idOf = (like: string, number: RawBuilder<unknown> = nth): RawBuilder<string> =>
  sql`cast(${like.slice(0, -NUMBER_DIGITS)} as text) || cast(${sql.lit(FIRST_NUMBER)} + ${number} as text)`

/** A text with a number in it. */
export const text = (before: string, number: RawBuilder<unknown> = nth, after = ''): RawBuilder<string> =>
  sql`cast(${before} as text) || cast(${number} as text) || cast(${after} as text)`

/** Numbers grow with the row: `from + nth * each`. */
export const plus = (from: number, each: number, number: RawBuilder<unknown> = nth): RawBuilder<number> =>
  sql`${sql.lit(from)} + cast(${sql.lit(each)} as bigint) * (${number})`

/** The row belongs to group `nth / size`, and is its `nth % size`-th. */
export const groupOf = (size: number): RawBuilder<number> => sql`(i / ${sql.lit(size)})`
export const placeIn = (size: number): RawBuilder<number> => sql`(i % ${sql.lit(size)})`

function cell(value: unknown): RawBuilder<unknown> {
  if (typeof value === 'object' && value !== null) return value as RawBuilder<unknown>
  if (typeof value === 'string') return sql`cast(${value} as text)`
  if (typeof value === 'number') return sql.lit(value)
  return sql`null`
}

/** The database makes the rows by itself: a million of them take seconds, not minutes. */
export async function fillRows<T extends keyof Database>(
  db: Db,
  table: T,
  count: number,
  pattern: Pattern<T>,
): Promise<void> {
  if (count < 1) return
  const columns = Object.entries(pattern).filter(([, value]) => value !== undefined)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${sql.lit(count - 1)})
    select ${sql.join(columns.map(([, value]) => cell(value)))} from numbers`.execute(db)
}
