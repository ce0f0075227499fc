import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { findProgram, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

export type RedisServer = {
  url: string
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
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir.path, '--save', '', '--appendonly', 'no'],
    cwd: dir.path,
    deathSignal: 'KILL',
  })
  await waitUntilUp('redis-server', service, () => answers(port, 'PING', '+PONG'))
  return {
    url: `redis://127.0.0.1:${port}`,
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

const answers = (port: number, command: string, wanted: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (data) => end(data.toString().startsWith(wanted)))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
