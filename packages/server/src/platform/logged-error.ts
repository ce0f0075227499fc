import { redact } from '@siarin/media/redact'
import { stdSerializers } from 'pino'

/**
 * What of an error goes into the log. A list of what may, not of what may not: libraries put requests, commands and settings into their
 * errors (`spawnargs` and `cmd` of Node, `command.args` of ioredis, `detail` of PostgreSQL, the signed request of an S3 client), and with
 * them keys and passwords.
 */
const TOLD = [
  ...['type', 'name', 'code', 'errno', 'syscall', 'path', 'dest', 'address', 'port', 'hostname'],
  ...['status', 'statusCode', 'responseCode', 'reasonCode', 'why', 'fault'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'routine'],
]

/** `postgres://user:password@host`, in whatever address. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"'<>`@]+@/gi
/** The query of an address in words: API keys, tickets and signatures travel there. */
const QUERY = /\b(https?:\/\/[^\s"'<>`?#]+)\?[^\s"'<>`]+/gi
/** `execFile` says which command failed, with all of its arguments. */
const COMMAND_FAILED = /\b(Command failed: \S+).*/g

/** More of one text tells nobody more, and some of what looks for secrets takes the square of its length. */
const MOST_CHARACTERS = 8_000

const withoutSecrets = (text: string): string =>
  redact(shortened(text), []).replace(COMMAND_FAILED, '$1 …').replace(USER_INFO, '$1[secret]@').replace(QUERY, '$1?…')

/** A serializer for pino. What is no error, such as the words of one, keeps its form. */
export function loggedError(error: unknown): unknown {
  if (typeof error === 'string') return withoutSecrets(error)
  if (!(error instanceof Error)) return error
  const { message, stack, aggregateErrors } = stdSerializers.err(error)
  const facts = error as unknown as Record<string, unknown>
  return {
    type: error.constructor.name,
    message: withoutSecrets(message),
    ...(stack && { stack: withoutSecrets(stack) }),
    ...Object.fromEntries(TOLD.flatMap((name) => (isPlain(facts[name]) ? [[name, toldOf(facts[name])]] : []))),
    ...(aggregateErrors && { aggregateErrors: (error as AggregateError).errors.map(loggedError) }),
  }
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const toldOf = (value: unknown): unknown => (typeof value === 'string' ? withoutSecrets(value) : value)

/** Cut between words: half of an address would no longer look like one. */
function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  return `${text.slice(0, text.lastIndexOf(' ', MOST_CHARACTERS) + 1)}…`
}
