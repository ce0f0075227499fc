import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP']
const SAME_KEYSTROKE_MS = 1000
const PARENT_LOOK_MS = 500

/** Runs a command to its end and answers its exit code and everything it said. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const chunks = []
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    const end = (code, more = '') => resolve({ code, output: Buffer.concat(chunks).toString() + more })
    child.on('error', (error) => end(127, `${error.message}\n`))
    child.on('close', (code, signal) => end(code ?? 128 + constants.signals[signal]))
  })
}

/**
 * Runs commands side by side on this terminal until the first one ends, ends the others, and answers the first one's
 * exit code and whether a signal asked for the end.
 *
 * One Ctrl-C reaches this process twice: from the terminal and, under npm, once more from npm. So each child has a
 * process group of its own, which the terminal does not reach, and gets a signal from here, once.
 * `toGroup` gives it to the child's own children too, as a terminal would. `output`: an open file that gets what it says, instead of the
 * terminal.
 */
export function runInForeground(commands) {
  return new Promise((resolve) => {
    const wrap = dieWithParent()
    const running = new Set()
    const heardAt = new Map()
    let firstCode = null

    const send = (signal, to) => {
      try {
        process.kill(to.toGroup ? -to.child.pid : to.child.pid, signal)
      } catch {
        // It ended a moment ago.
      }
    }
    const passOn = (signal) => {
      const now = Date.now()
      if (now - (heardAt.get(signal) ?? 0) < SAME_KEYSTROKE_MS) return
      heardAt.set(signal, now)
      for (const entry of running) send(signal, entry)
    }
    const ended = (entry, code) => {
      if (!running.delete(entry)) return
      firstCode ??= code
      for (const other of running) send('SIGTERM', other)
      if (running.size > 0) return
      for (const signal of PASSED_ON) process.off(signal, passOn)
      clearInterval(watching)
      resolve({ code: firstCode, interrupted: heardAt.size > 0 })
    }

    for (const signal of PASSED_ON) process.on(signal, passOn)
    const watching = whenNpmIsGone(() => passOn('SIGTERM'))
    for (const { command, args, cwd, env, toGroup = false, stdin = 'inherit', output = 'inherit' } of commands) {
      const [file, ...argv] = [...wrap, command, ...args]
      const child = spawn(file, argv, { cwd, env, detached: true, stdio: [stdin, output, output] })
      const entry = { child, toGroup }
      running.add(entry)
      child.on('error', (error) => {
        process.stderr.write(`${command}: ${error.message}\n`)
        ended(entry, 127)
      })
      child.on('exit', (code, signal) => ended(entry, code ?? 128 + constants.signals[signal]))
    }
  })
}

/** A service manager ends npm, and npm passes nothing on: without this the server would run on, alone, on its port. */
function whenNpmIsGone(end) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event || parent <= 1) return undefined
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, PARENT_LOOK_MS)
  return timer.unref()
}

/** A group of its own would outlive a kill -9 of this process; the kernel can prevent that on Linux. */
function dieWithParent() {
  const wrap = ['setpriv', '--pdeathsig', 'TERM']
  const works = process.platform === 'linux' && spawnSync(wrap[0], [...wrap.slice(1), 'true']).status === 0
  return works ? wrap : []
}
