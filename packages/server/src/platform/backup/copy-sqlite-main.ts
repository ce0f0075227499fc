import { copySqlite } from './copy-database.ts'

/** A process of its own can be killed at any moment: what SQLite does in one, such as a check of the whole copy, nobody can break off. */
const [file = '', to = ''] = process.argv.slice(2)
await copySqlite(file, to).catch((error: Error) => {
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
})
