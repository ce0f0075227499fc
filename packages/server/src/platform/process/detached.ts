import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { steadyMs } from '../clock.ts'
import { childEnv } from './child-env.ts'
import { startChild } from './start-child.ts'

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process of ours that outlives us when we are killed, and that a later start of the program can take over. */
export interface DetachedProcess {
  readonly pid: number
  /** Tells this process from a later one with the same pid. */
  readonly birth: string
  readonly exited: Promise<Exit>
  signal(signal: NodeJS.Signals): void
}

export interface DetachedOptions {
  readonly errorFile: string
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

const ADOPTED_POLL_MS = 500
/** How long the kernel's own word of an end is awaited before we look for ourselves. */
const KILLED_AFTER_MS = 1_000
export const NEW_LOG = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY | constants.O_APPEND

/** The kernel counts births in these, whatever its own clock is. */
const TICK_MS = 10

let bootId: string | null = null

/**
 * When the process was born, as the kernel counts it within this boot; null when there is none.
 * A zombie counts as none: it sends nothing any more. /proc is answered by the kernel at once, so a plain call is cheapest.
 */
export function processBirth(pid: number): string | null {
  try {
    return readBirth(pid)
  } catch {
    return null
  }
}

/** How long ago that was, by a clock that nobody sets; null where it was in another boot. */
export function msSinceBirth(birth: string): number | null {
  const [boot, ticks] = birth.split('/')
  return birth !== '' && boot === thisBoot() ? steadyMs() - Number(ticks) * TICK_MS : null
}

function thisBoot(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return bootId
}

function readBirth(pid: number): string | null {
  const fields = statFields(pid)
  return fields[0] === 'Z' ? null : `${thisBoot()}/${fields[19]}`
}

const NO_PROCESS = new Set(['ENOENT', 'ESRCH'])

/** Unknown: this program has no file or no memory left to look with. What nobody saw end counts as there. */
function lookFor(pid: number, birth: string): 'there' | 'gone' | 'unknown' {
  try {
    return readBirth(pid) === birth ? 'there' : 'gone'
  } catch (error) {
    return NO_PROCESS.has((error as NodeJS.ErrnoException).code ?? '') ? 'gone' : 'unknown'
  }
}

function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain anything, spaces and ')' too.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function isInState(pid: number, state: string): boolean {
  try {
    return statFields(pid)[0] === state
  } catch {
    return false
  }
}

/** Whether somebody has stopped it, as SIGSTOP does. */
export const isStopped = (pid: number): boolean => isInState(pid, 'T')

/** Whether it has a core, or wants one. */
export const isRunnable = (pid: number): boolean => isInState(pid, 'R')

/** Whether it is certain that this process is there no more. */
export const isGone = (pid: number, birth: string): boolean => lookFor(pid, birth) === 'gone'

/** A process that has ended meanwhile is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Who waits for the process may have heard of its end long before us, and its pid may belong to another by now. */
export function signalIfSame(pid: number, birth: string, signal: NodeJS.Signals): void {
  if (lookFor(pid, birth) === 'there') sendSignal(pid, signal)
}

/** A kill is said until nothing is left of the process: the first one may have found nobody to send it to. */
function killUntilGone(pid: number, birth: string, ended: (exit: Exit) => void = () => {}): void {
  const kill = () => signalIfSame(pid, birth, 'SIGKILL')
  kill()
  setTimeout(() => whenGone(pid, birth, ended, kill), KILLED_AFTER_MS).unref()
}

/** Its errors go to a file, not to a pipe: a pipe would break when we die. The file lies in memory, so plain calls are quickest. */
export async function startDetached(
  command: string,
  args: string[],
  { errorFile, cwd, env = {} }: DetachedOptions,
): Promise<DetachedProcess> {
  const errors = openSync(errorFile, NEW_LOG, 0o600)
  try {
    const child = startChild(command, args, {
      cwd,
      env: { ...childEnv(), ...env },
      detached: true,
      stdio: ['ignore', 'ignore', errors],
    })
    const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => resolve(child.pid as number))
    })
    child.unref()
    return processOf({ pid, birth: processBirth(pid) ?? '' }, exited)
  } finally {
    closeSync(errors)
  }
}

/** `exited`: the kernel's own word of its end. */
export function processOf({ pid, birth }: Pick<DetachedProcess, 'pid' | 'birth'>, exited: Promise<Exit>) {
  const killed = Promise.withResolvers<Exit>()
  return {
    pid,
    birth,
    exited: Promise.race([exited, killed.promise]),
    signal(signal: NodeJS.Signals): void {
      if (signal === 'SIGKILL') killUntilGone(pid, birth, killed.resolve)
      else signalIfSame(pid, birth, signal)
    },
  }
}

/**
 * The kernel tells of an end once the last thread is gone. One that waits for a disk that hangs stays for as long as the disk does, while
 * the process sends nothing any more.
 */
export function whenGone(pid: number, birth: string, ended: (exit: Exit) => void, meanwhile = () => {}): void {
  const timer = setInterval(() => {
    if (!isGone(pid, birth)) return meanwhile()
    clearInterval(timer)
    ended({ code: null, signal: 'SIGKILL' })
  }, ADOPTED_POLL_MS).unref()
}

/** Takes over a process that an earlier run of the program started; null when it is gone. Its exit code cannot be had any more. */
export function adoptDetached(pid: number, birth: string): DetachedProcess | null {
  const isThere = () => birth !== '' && !isGone(pid, birth)
  if (!isThere()) return null
  const exited = new Promise<Exit>((resolve) => {
    const timer = setInterval(() => {
      if (isThere()) return
      clearInterval(timer)
      resolve({ code: null, signal: null })
    }, ADOPTED_POLL_MS)
  })
  const signal = (signal: NodeJS.Signals) =>
    signal === 'SIGKILL' ? killUntilGone(pid, birth) : signalIfSame(pid, birth, signal)
  return { pid, birth, exited, signal }
}
