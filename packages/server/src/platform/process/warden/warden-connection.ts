import { connect, type Socket } from 'node:net'
import { isStopped } from '../detached.ts'
import {
  type Answer,
  createLines,
  type ExitNews,
  type FromWarden,
  type Order,
  type ProcessId,
  toLine,
} from './messages.ts'

export interface WardenConnection {
  readonly warden: ProcessId
  /** Rejects when the warden is lost before it has answered. */
  ask(order: Order): Promise<Answer>
  close(): void
}

interface ConnectionDeps {
  readonly onExit: (news: ExitNews) => void
  /** The connection is gone, and with it most often the warden. `why`: for the log. */
  readonly onLost: (why: string) => void
}

/** Short turns, since only those count in which we are awake: while this program stands still, it cannot read an answer that has come. */
const TURN_MS = 250
const TURNS_PER_PING = 2
/** One that is stopped answers nobody; one that merely waits for a busy machine is left more time, since its ffmpegs die with it. */
const STOPPED_TURNS = 6
const HANGING_TURNS = 40

const isAnswer = (message: FromWarden): message is Answer => 'id' in message

/** Rejects when it does not answer a first ping in time. */
export async function connectToWarden(
  warden: ProcessId,
  socketPath: string,
  { onExit, onLost }: ConnectionDeps,
): Promise<WardenConnection> {
  const socket = connect(socketPath)
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  let why = 'it has ended'
  let isEstablished = false

  function ask(order: Order): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>()
    const id = ++lastId
    waiting.set(id, answer)
    socket.write(toLine({ ...order, id }))
    return answer.promise
  }

  const read = createLines<FromWarden>((message) => {
    if (!isAnswer(message)) return onExit(message)
    waiting.get(message.id)?.resolve(message)
    waiting.delete(message.id)
  })
  socket.setEncoding('utf8').on('data', (text: string) => {
    try {
      read(text)
    } catch {
      socket.destroy()
    }
  })
  socket.on('error', () => {})
  const stopWatching = watch(warden, ask, (reason) => {
    why = reason
    socket.destroy()
  })
  socket.once('close', () => {
    stopWatching()
    for (const { reject } of waiting.values()) reject(new Error('the warden of the broadcasts is gone'))
    waiting.clear()
    if (isEstablished) onLost(why)
  })
  await ask({ type: 'ping' })
  isEstablished = true
  return { warden, ask, close: () => closeQuietly(socket) }

  function closeQuietly(quiet: Socket): void {
    isEstablished = false
    quiet.destroy()
  }
}

/** Answers how to stop. */
function watch(
  { pid }: ProcessId,
  ask: (order: Order) => Promise<Answer>,
  giveUp: (reason: string) => void,
): () => void {
  let turn = 0
  let silentTurns = 0
  let isAsked = false
  const timer = setInterval(() => {
    turn++
    silentTurns = isAsked ? silentTurns + 1 : 0
    if (silentTurns >= STOPPED_TURNS && isStopped(pid)) return giveUp('it is stopped')
    if (silentTurns >= HANGING_TURNS) return giveUp('it does not answer')
    if (isAsked || turn % TURNS_PER_PING !== 0) return
    isAsked = true
    ask({ type: 'ping' }).then(
      () => {
        isAsked = false
      },
      () => {},
    )
  }, TURN_MS)
  timer.unref()
  return () => clearInterval(timer)
}
