import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { type Service, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

export type S3Server = {
  /** As the program is told of it. */
  env: {
    S3_ENDPOINT: string
    S3_REGION: string
    S3_BUCKET: string
    S3_ACCESS_KEY_ID: string
    S3_SECRET_ACCESS_KEY: string
  }
  /** A store that is there but does not answer. */
  pause(): void
  resume(): void
  /** As a power cut ends it. What it has answered for is there again after `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const ACCESS_KEY = 'siarin:media'
const SECRET = 'a-secret-of-the-tests-own'
const REGION = 'us-east-1'
/** Debian's own: it has Swift's modules, another one in the PATH does not. */
const PYTHON = '/usr/bin/python3'

/** OpenStack Swift with its S3 API, on loopback and a port of its own (see s3-server.py). The bucket is not there yet. */
export async function startS3Server({ bucket = 'siarin-media' } = {}): Promise<S3Server> {
  const dir = await tempDir('s3')
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const args = [join(import.meta.dirname, 's3-server.py'), dir.path, String(port), ACCESS_KEY, SECRET, REGION]
  let service: Service | null = null

  async function start(): Promise<void> {
    service = await startService({ command: PYTHON, args, cwd: dir.path, deathSignal: 'KILL' })
    await waitUntilUp('the S3 server', service, () =>
      fetch(`${endpoint}/healthcheck`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }
  const end = async (signal: NodeJS.Signals) => {
    await service?.stop(signal)
    service = null
  }

  await start()
  return {
    env: {
      S3_ENDPOINT: endpoint,
      S3_REGION: REGION,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    pause: () => service?.signal('SIGSTOP'),
    resume: () => service?.signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGKILL')
      await dir.remove()
    },
  }
}
