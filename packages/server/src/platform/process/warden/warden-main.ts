import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { GRACE_MS, machineTime, monotonicMs, openDeadlineFile, overdueMs } from './deadline.ts'
import type { FenceState } from './fence.ts'
import { createFencedProcesses } from './fenced-processes.ts'
import { createGuard } from './guard.ts'
import { type Answer, createLines, type FromWarden, type NumberedOrder, toLine } from './messages.ts'
import { pathsIn, readWardenState, writeWardenState } from './warden-state.ts'

/**
 * The warden: a process of its own that starts every ffmpeg of a worker and ends them all when nobody extends their deadline any more. A
 * program that was killed, is stopped or hangs extends nothing; a warden that is killed takes its ffmpegs along.
 */
const SWEEP_MS = 250
/** For a program that comes back; what it would adopt has ended long before. */
const LINGER_MS = 60_000
const MOST_PROGRAMS = 4

const [directory = ''] = process.argv.slice(2)
const paths = pathsIn(directory)
const deadline = openDeadlineFile(paths.deadline)
const guard = createGuard(paths.deadline)
const programs = new Set<Socket>()
const startedAtMs = monotonicMs()

function state(): FenceState {
  const now = deadline.read()
  return { overdueMs: overdueMs(now, machineTime()), generation: now.generation }
}

const tell = (program: Socket, message: FromWarden): void => void program.write(toLine(message))

const processes = createFencedProcesses({
  state,
  onExit({ pid, birth }, { code, signal }) {
    for (const program of programs) tell(program, { type: 'exit', pid, birth, code, signal })
  },
})

async function carryOut(order: NumberedOrder): Promise<Omit<Answer, 'id'>> {
  switch (order.type) {
    case 'ping':
      return {}
    case 'spawn':
      return processes.spawn(order)
    case 'adopt':
      return processes.adopt(order)
  }
}

const server = createServer((program) => {
  programs.add(program)
  program.once('close', () => programs.delete(program))
  program.on('error', () => program.destroy())
  const read = createLines<NumberedOrder>((order) => {
    carryOut(order)
      // The words of an error may have the arguments, and with them a key.
      .catch((error: NodeJS.ErrnoException) => ({ refused: 'failed', cause: error.code ?? error.name }) as const)
      .then((outcome) => tell(program, { id: order.id, ...outcome }))
  })
  program.setEncoding('utf8').on('data', (text: string) => {
    try {
      read(text)
    } catch {
      program.destroy()
    }
    guard.watch(processes.size() > 0)
  })
})
server.maxConnections = MOST_PROGRAMS

function leave(): void {
  // Another one may have this place already.
  if (readWardenState(directory)?.pid === process.pid) rmSync(paths.state, { force: true })
  process.exit(0)
}

let isEnding = false
/** Who asks for it has ended its broadcasts: what is left is of no use. */
function end(): void {
  if (isEnding) return
  isEnding = true
  processes.endAll('SIGTERM')
  setTimeout(() => processes.endAll('SIGKILL'), GRACE_MS)
  setTimeout(leave, GRACE_MS * 2)
}

setInterval(() => {
  processes.sweep()
  const isEmpty = processes.size() === 0
  guard.watch(!isEmpty)
  const idleMs = Math.min(state().overdueMs, monotonicMs() - startedAtMs)
  if (isEmpty && (isEnding || idleMs > LINGER_MS)) leave()
}, SWEEP_MS)

process.on('SIGTERM', end)
rmSync(paths.socket, { force: true })
server.listen(paths.socket, () => {
  chmodSync(paths.socket, 0o600)
  writeWardenState(directory)
})
