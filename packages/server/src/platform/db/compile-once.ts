import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/**
 * For what every call asks: to build and compile a query takes longer than SQLite needs for the answer. It is built at the first call, with
 * a mark for each value.
 */
export function compileOnce<Values extends readonly unknown[], Row>(
  db: Db,
  build: (...values: Values) => Compilable<Row>,
): (...values: Values) => Promise<Row[]> {
  const marks = Array.from({ length: build.length }, () => ({}))
  let compiled: CompiledQuery<Row> | null = null

  return async (...values) => {
    compiled ??= build(...(marks as unknown as Values)).compile()
    const parameters = compiled.parameters.map((parameter) => {
      const place = marks.indexOf(parameter as object)
      return place === -1 ? parameter : values[place]
    })
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
