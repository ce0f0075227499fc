import type { Command, Option } from './command.ts'
import { columns } from './tables.ts'

const CALL = 'npm run siarin --'
/** npm says what it runs, on standard output: a script wants the document alone. */
const SILENT_CALL = 'npm run -s siarin --'

const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'one JSON document on standard output, for scripts (with npm run -s)' },
  help: { help: 'this text' },
}

const indented = (rows: readonly (readonly string[])[]): string => columns(rows).replaceAll(/^/gm, '  ')

const optionRows = (options: Readonly<Record<string, Option>>): string[][] =>
  Object.entries(options).map(([name, { value, help }]) => [value ? `--${name} ${value}` : `--${name}`, help])

const callOf = (words: string): string => `${words.includes('--json') ? SILENT_CALL : CALL} ${words}`

const section = (title: string, body: string): string => `\n${title}:\n${body}\n`

const commandRows = (commands: readonly Command[]): string[][] =>
  commands.map(({ name, args, summary }) => [[name, ...args.map((arg) => `<${arg}>`)].join(' '), summary])

/** The help on all commands, or on those that begin with one word. */
export function overviewHelp(commands: readonly Command[], group: string | null): string {
  const intro =
    "The operator's command. It works on the database of the server, also while the server runs, and reads the same\n" +
    'settings: the environment (DATA_DIR, DATABASE_URL, …) and the file .env. Every change is noted in the activity of the\n' +
    'user with your name, and seen there without a new login. Days and times are of the zone that TZ names, or else of this\n' +
    'machine: TZ=Asia/Jakarta, in .env or in front of the command.\n'
  return [
    group === null ? intro : '',
    group === null ? '\n' : '',
    `Usage: ${CALL} ${group ?? '<command>'} …\n`,
    section('Commands', indented(commandRows(commands))),
    section('Options of each command', indented(optionRows(COMMON))),
    section(
      'Examples',
      commands
        .flatMap(({ examples }) => examples.slice(0, 1))
        .map((words) => `  ${callOf(words)}`)
        .join('\n'),
    ),
    `\nEach command explains itself: ${CALL} ${commands[0]?.name} --help\n`,
    'Exit codes: 0 done, 1 not found or refused, 2 typed wrongly.\n',
  ].join('')
}

export function commandHelp({ name, args, summary, details, options, examples }: Command): string {
  const words = [name, ...args.map((arg) => `<${arg}>`)]
  return [
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.\n`,
    details.length > 0 ? `\n${details.join('\n')}\n` : '',
    `\nUsage: ${CALL} ${words.join(' ')} [options]\n`,
    section('Options', indented(optionRows({ ...options, ...COMMON }))),
    section('Examples', examples.map((each) => `  ${callOf(each)}`).join('\n')),
  ].join('')
}
