import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { findProgram, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

export type Redis = { url: string; stop(): Promise<void> }

export async function startRedis(): Promise<Redis> {
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
