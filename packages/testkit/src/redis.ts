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
  await waitUntilUp('redis-server', service, () => answersPing(port))
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await service.stop('SIGTERM')
      await dir.remove()
    },
    pause: () => service.signal('SIGSTOP'),
    resume: () => service.signal('SIGCONT'),
  }
}

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
