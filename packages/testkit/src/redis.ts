import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { findProgram, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

const MOST_DATABASES = 10_000

export type RedisServer = {
  url: string
  pid: number
  stop(): Promise<void>
  /** A server that is there but does not answer. */
  pause(): void
  resume(): void
  /** As after a restart without its data. */
  forgetEverything(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const dir = await tempDir('redis')
  const port = await freePort()
  const service = await startService({
    command: findProgram('redis-server'),
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir.path, '--save', '', '--appendonly', 'no'],
      ...['--databases', String(MOST_DATABASES)],
    ],
    cwd: dir.path,
    deathSignal: 'KILL',
  })
  await waitUntilUp('redis-server', service, () => answers(port, 'PING', '+PONG'))
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: service.pid,
    async stop() {
      await service.stop('SIGTERM')
      await dir.remove()
    },
    pause: () => service.signal('SIGSTOP'),
    resume: () => service.signal('SIGCONT'),
    async forgetEverything() {
      if (!(await answers(port, 'FLUSHALL', '+OK'))) throw new Error('Redis forgets nothing')
    },
  }
}

/** The address of a database that nobody had before, on a running server. */
export async function nextRedisDatabase(serverUrl: string): Promise<string> {
  const answer = await ask(Number(new URL(serverUrl).port), 'INCR databases-given')
  const number = Number(/^:(\d+)/.exec(answer)?.[1])
  if (!(number > 0 && number < MOST_DATABASES)) throw new Error(`Redis has no database to give: ${answer}`)
  return `${serverUrl}/${number}`
}

const answers = async (port: number, command: string, wanted: string): Promise<boolean> =>
  (await ask(port, command)).startsWith(wanted)

/** The beginning of the answer; empty when there is none. */
const ask = (port: number, command: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    const end = (answer: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (data) => end(data.toString()))
    socket.once('error', () => end(''))
    socket.once('close', () => end(''))
  })
