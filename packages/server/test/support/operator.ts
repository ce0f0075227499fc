import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCli } from '../../src/cli/run-cli.ts'

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.ts')

interface CliRun {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export type Operator = ReturnType<typeof operatorAt>

type Run = (words: readonly string[], env: NodeJS.ProcessEnv) => Promise<CliRun>

const runHere: Run = async (words, env) => {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(words, {
    env,
    say: (text) => void out.push(text),
    complain: (text) => void err.push(text),
  })
  return { code, out: out.join(''), err: err.join('') }
}

const runApart: Run = async (words, env) => {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

/** On PostgreSQL a server learns of another program's change of a user within a second (remembered-callers.ts), on SQLite at once. */
const SEEN_MS = 1_100
const CHANGES_USER = /^user (set-plan|suspend|resume|reset-password|sessions .*--end|disable)/

/** The operator's command, with these settings and nothing else from the developer's shell: as a program of its own, or quicker in this one. */
export function operatorAt(settings: Record<string, string>, { apart = false } = {}) {
  async function run(...words: string[]): Promise<CliRun> {
    const ran = await (apart ? runApart : runHere)(words, { PATH: process.env['PATH'], ...settings })
    if (settings['DATABASE_URL'] && CHANGES_USER.test(words.join(' '))) await sleep(SEEN_MS)
    return ran
  }
  return {
    run,
    /** For what must succeed: its document. */
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape, that is its point
    async json(...words: string[]): Promise<any> {
      const { code, out, err } = await run(...words, '--json')
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out)
    },
  }
}
