import type { Compilable, CompiledQuery } from 'kysely'
import { type Db, isPostgres } from './database.ts'

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
    return (await db.executeQuery<Row>(filled(compiled, marks, values))).rows
  }
}

/**
 * The same for a statement that writes some columns or others, in whichever transaction: each set of columns is built once. What is
 * undefined is left out.
 */
export function compileByColumns<Columns extends object, Values extends readonly unknown[], Row>(
  build: (db: Db, columns: Columns, ...values: Values) => Compilable<Row>,
): (db: Db, columns: Columns, ...values: Values) => Promise<Row[]> {
  const known = new Map<string, { readonly compiled: CompiledQuery<Row>; readonly marks: object[] }>()

  function compile(db: Db, names: readonly string[], count: number) {
    const marks = Array.from({ length: names.length + count }, () => ({}))
    const columns = Object.fromEntries(names.map((name, index) => [name, marks[index]])) as Columns
    return { marks, compiled: build(db, columns, ...(marks.slice(names.length) as unknown as Values)).compile() }
  }

  return async (db, columns, ...values) => {
    const given = Object.entries(columns).filter(([, value]) => value !== undefined)
    const names = given.map(([name]) => name)
    // A program has one database, but a test may have two.
    const shape = `${isPostgres(db)} ${names}`
    const found = known.get(shape) ?? compile(db, names, values.length)
    known.set(shape, found)
    const all = [...given.map(([, value]) => value), ...values]
    return (await db.executeQuery<Row>(filled(found.compiled, found.marks, all))).rows
  }
}

function filled<Row>(compiled: CompiledQuery<Row>, marks: readonly object[], values: readonly unknown[]) {
  const parameters = compiled.parameters.map((parameter) => {
    const place = marks.indexOf(parameter as object)
    return place === -1 ? parameter : values[place]
  })
  return { ...compiled, parameters }
}
