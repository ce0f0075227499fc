import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { BootError } from '../errors.ts'
import { backup, restore } from './backup-commands.ts'
import { type Arguments, type Command, Refusal, UsageError } from './command.ts'
import { databaseMove } from './database-commands.ts'
import { commandHelp, overviewHelp } from './help.ts'
import { openContext } from './open-context.ts'
import { secretRotate } from './secret-commands.ts'
import { stats } from './stats-command.ts'
import { storageCopy } from './storage-commands.ts'
import { streamList, streamStop } from './stream-commands.ts'
import { document } from './tables.ts'
import { userResetLink, userResetPassword, userSecondFactorOff, userSessions } from './user-access.ts'
import { userAddCredit, userResume, userSetPlan, userSuspend } from './user-changes.ts'
import { userList, userShow } from './user-commands.ts'
import { workerDrain, workerList, workerResume } from './worker-commands.ts'

const COMMANDS: readonly Command[] = [
  userList,
  userShow,
  userSetPlan,
  userAddCredit,
  userSuspend,
  userResume,
  userResetPassword,
  userResetLink,
  userSecondFactorOff,
  userSessions,
  streamList,
  streamStop,
  workerList,
  workerDrain,
  workerResume,
  stats,
  backup,
  restore,
  databaseMove,
  secretRotate,
  storageCopy,
]

interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly say: (text: string) => void
  readonly complain: (text: string) => void
}

/** Answers the exit code: 0 done, 1 not found or refused, 2 typed wrongly. */
export async function runCli(argv: readonly string[], { env, say, complain }: Surroundings): Promise<number> {
  try {
    const asked = readCommandLine(argv)
    if ('help' in asked) {
      say(asked.help)
      return 0
    }
    const outcome = await carryOut(asked, env, (line) => complain(`siarin: ${line}\n`))
    say(`${asked.json ? document(outcome.json) : outcome.text}\n`)
    if (outcome.note) complain(`siarin: ${outcome.note}\n`)
    return 0
  } catch (error) {
    for (const line of linesOf(error)) complain(`siarin: ${line}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function carryOut(
  { command, args }: { command: Command; args: Arguments },
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
) {
  if ('prepareOnFolder' in command) return command.prepareOnFolder(args)(readConfig(env), env, report)
  const work = command.prepare(args)
  const context = await openContext(env)
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError) return [`${error.message}. See npm run siarin -- --help`]
  if (error instanceof Refusal) return [error.message]
  if (error instanceof BootError) return error.faults
  if (!(error instanceof Error)) return [String(error)]
  // What the database says of itself, such as that it is locked or its disk full, needs no stack.
  const { code } = error as NodeJS.ErrnoException
  return [code === undefined ? (error.stack ?? error.message) : `the database failed: ${error.message} (${code})`]
}

type CommandLine = { help: string } | { command: Command; args: Arguments; json: boolean }

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

function readCommandLine(argv: readonly string[]): CommandLine {
  const [first, second] = argv
  if (first === undefined) throw new UsageError('say what is to be done')
  if (isHelp(first)) return { help: overviewHelp(COMMANDS, null) }
  if (first.startsWith('-')) throw new UsageError(`the command comes first, and '${first}' is none`)
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && isHelp(second)) return { help: overviewHelp(group, first) }
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
  if (!command) {
    const names = group.map(({ name }) => name.slice(first.length + 1)).join(', ')
    if (group.length > 0 && second === undefined) throw new UsageError(`${first} needs one of ${names}`)
    throw new UsageError(`there is no command '${group.length > 0 ? `${first} ${second}` : first}'`)
  }
  const rest = argv.slice(command.name.split(' ').length)
  const { values, positionals } = parse(rest, command)
  if (values['help']) return { help: commandHelp(command) }
  const { json, ...options } = values
  assertArgs(command, positionals)
  return { command, args: { positionals, options }, json: json === true }
}

function parse(args: readonly string[], { options }: Command) {
  const known: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  for (const [name, { value }] of Object.entries(options)) known[name] = { type: value ? 'string' : 'boolean' }
  try {
    // A number below zero would be taken for options: behind a space it is what it is.
    const parsed = parseArgs({
      args: args.map((arg) => (/^-\d/.test(arg) ? ` ${arg}` : arg)),
      options: known,
      allowPositionals: true,
      tokens: true,
    })
    assertNoneTwice(parsed.tokens)
    const values: Record<string, string | boolean | undefined> = {}
    for (const [name, value] of Object.entries(parsed.values)) values[name] = trimmed(name, value)
    return { values, positionals: parsed.positionals.map((each) => each.trim()) }
  } catch (error) {
    if (error instanceof UsageError) throw error
    // Node's own words go on with advice over several lines.
    const [sentence = ''] = (error as Error).message.split(/\.\s|\.?\n/)
    throw new UsageError(sentence)
  }
}

/** An empty value is a script's variable that was not set: to list everybody for it would be wrong. */
function trimmed(name: string, value: unknown): string | boolean {
  if (typeof value !== 'string') return value === true
  if (value.trim() === '') throw new UsageError(`--${name} is empty`)
  return value.trim()
}

function assertNoneTwice(tokens: readonly { kind: string; name?: string }[]): void {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' && name ? [name] : []))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new UsageError(`--${twice} is there twice`)
}

function assertArgs({ name, args }: Command, positionals: readonly string[]): void {
  const wanted = args.map((arg) => `<${arg}>`).join(' ')
  if (positionals.length < args.length || positionals.some((each) => each === '')) {
    throw new UsageError(`${name} needs ${wanted}`)
  }
  if (positionals.length > args.length) {
    const extra = `${name} takes ${wanted || 'no words'}, and '${positionals[args.length]}' is one too many`
    throw new UsageError(`${extra}; what has spaces in it needs quotes, such as "budi santoso"`)
  }
}
