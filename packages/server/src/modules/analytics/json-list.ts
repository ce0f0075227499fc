import { type RawBuilder, sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'

/** A list as one value: the text of the statement stays the same, so it is prepared once. Its rows are called `value`. */
export function jsonList(db: Db): (values: readonly unknown[]) => RawBuilder<unknown> {
  const listed = isPostgres(db) ? sql`json_array_elements(` : sql`json_each(`
  const asList = isPostgres(db) ? sql`::json) as listed(value)` : sql`) as listed`
  return (values) => sql`${listed}${JSON.stringify(values)}${asList}`
}

export const numberAt = (place: number): RawBuilder<number> => sql`cast(value ->> ${sql.lit(place)} as integer)`
