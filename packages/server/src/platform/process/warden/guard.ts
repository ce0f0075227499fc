import type { ChildProcess } from 'node:child_process'
import { openSync } from 'node:fs'
import { childEnv } from '../child-env.ts'
import { startChild } from '../start-child.ts'
import { GRACE_MS } from './deadline.ts'

/** The kernel ends the process with the thread that started it, which is this process's first: Node starts processes from there. */
export const ENDS_WITH_PARENT = ['--pdeathsig', 'KILL']
export const SETPRIV = 'setpriv'

/**
 * A parent that died before the kernel was told is no parent: then nobody would end the process. The shell was started after that, so it
 * sees who its parent is now.
 */
const UNLESS_ORPHAN = '[ "$PPID" = "$1" ] || exit 125; shift; exec "$@"'

/** The command, so that it ends with this process, whatever ends that. */
export const endingWithUs = (command: string, args: readonly string[]): [string, string[]] => [
  SETPRIV,
  [...ENDS_WITH_PARENT, '/bin/sh', '-c', UNLESS_ORPHAN, 'sh', String(process.pid), command, ...args],
]

/** Later than the warden itself ends the last of them. */
const LATE_MS = GRACE_MS + 250

/**
 * For a program and a warden that are both stopped: nobody else reads the deadline then. It ends the warden, and the kernel ends the
 * ffmpegs. A shell, since it needs a megabyte only. /proc/uptime has hundredths of a second.
 */
const WATCH = [
  'while sleep 0.5; do',
  'read -r until boot generation again </proc/self/fd/0 && IFS=". " read -r seconds hundredths rest </proc/uptime || continue',
  '[ "$until" = "$again" ] || continue',
  '[ "$seconds$hundredths"0 -lt "$((boot + $2))" ] || kill -9 "$1"',
  'done',
].join('\n')

/** Watches while there is anything to end. */
export function createGuard(deadlinePath: string) {
  const deadline = openSync(deadlinePath, 'r')
  let guard: ChildProcess | null = null

  function start(): void {
    const args = ['-c', WATCH, 'warden-guard', String(process.pid), String(LATE_MS)]
    const child = startChild(...endingWithUs('/bin/sh', args), {
      env: childEnv(),
      detached: true,
      stdio: [deadline, 'ignore', 'ignore'],
    })
    guard = child
    const ended = () => {
      if (guard === child) guard = null
    }
    child.once('error', ended)
    child.once('exit', ended)
  }

  return {
    /** To be called again and again: one that has ended is replaced. */
    watch(isNeeded: boolean): void {
      if (isNeeded === (guard !== null)) return
      if (isNeeded) start()
      else guard?.kill('SIGKILL')
    },
  }
}
