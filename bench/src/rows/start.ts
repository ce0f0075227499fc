import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@siarin/testkit/free-port'
import { cpuSeconds, residentBytes } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { median, type Row, shared } from '../row.ts'

const ROUNDS = 7
const LOOK_EVERY_MS = 5
/** V8 tidies up after the start for twenty seconds: that is not yet rest. */
const SETTLE_MS = 30_000
const WINDOW_MS = 60_000

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The least that answers a call with what Siarin is made of. */
const BARE = `
import Fastify from 'fastify'
const app = Fastify()
app.get('/readyz', async () => ({ success: true }))
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
`

interface Command {
  readonly command: string
  readonly args: string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

interface Started extends AsyncDisposable {
  readonly pid: number
  readonly tookMs: number
}

/** As `npm start` spawns it, without the settings of the person who measures. */
async function siarinCommand(port: number, dataDir: string): Promise<Command> {
  const { serverCommand } = await import(join(ROOT, 'scripts', 'lib', 'server-command.mjs'))
  const { PATH = '', HOME = '' } = process.env
  return serverCommand({ env: { PATH, HOME, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir } })
}

const bareCommand = (port: number): Command => ({
  command: process.execPath,
  args: ['--input-type=module', '--eval', BARE],
  cwd: join(ROOT, 'packages', 'server'),
  env: { PATH: process.env['PATH'], PORT: String(port) },
})

/** From the spawn to the first answer 200. */
async function start({ command, args, cwd, env }: Command, port: number): Promise<Started> {
  const startedAt = performance.now()
  const child = spawn(command, args, { cwd, env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await waitFor('it to be ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, {
    everyMs: LOOK_EVERY_MS,
  })
  const tookMs = performance.now() - startedAt
  return {
    pid: child.pid ?? 0,
    tookMs,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const startToReady: Row = {
  name: 'start: spawn to /readyz, on a machine that has started it before',
  unit: 'ms',
  yardstick: 'bare Node with a bare Fastify',
  wanted: { atMost: 800 },
  async measure() {
    const folder = await tempDir('bench-start')
    await using cleanUp = new AsyncDisposableStack()
    cleanUp.defer(() => folder.remove())
    const port = await freePort()
    const once = async (command: Command): Promise<number> => {
      await using started = await start(command, port)
      return started.tookMs
    }
    const siarin = await siarinCommand(port, folder.path)
    // The first one makes the database, and brings everything into the machine's memory.
    await once(siarin)
    const ours: number[] = []
    const yardstick: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      yardstick.push(await once(bareCommand(port)))
      ours.push(await once(siarin))
    }
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}

async function measureIdle() {
  const folder = await tempDir('bench-idle')
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => folder.remove())
  const [ownPort, barePort] = [await freePort(), await freePort()]
  await using ours = await start(await siarinCommand(ownPort, folder.path), ownPort)
  await using yardstick = await start(bareCommand(barePort), barePort)
  const ofBoth = async (of: (pid: number) => Promise<number>) => ({
    ours: await of(ours.pid),
    yardstick: await of(yardstick.pid),
  })
  await sleep(SETTLE_MS)
  const before = await ofBoth(cpuSeconds)
  await sleep(WINDOW_MS)
  const after = await ofBoth(cpuSeconds)
  const percent = (of: keyof typeof after) => (100 * (after[of] - before[of])) / (WINDOW_MS / 1000)
  return {
    cpu: { ours: percent('ours'), yardstick: percent('yardstick') },
    memory: await ofBoth(async (pid) => (await residentBytes(pid)) / 1e6),
  }
}

const idle = shared(measureIdle)

/** Without a broadcast and without a request. */
export const startRows: readonly Row[] = [
  startToReady,
  {
    name: 'idle: CPU of the program at rest',
    unit: '% of a core',
    yardstick: 'bare Node with a bare Fastify',
    wanted: { atMost: 0.3 },
    measure: async () => (await idle()).cpu,
  },
  {
    name: 'idle: memory of the program at rest',
    unit: 'MB',
    yardstick: 'bare Node with a bare Fastify',
    wanted: { atMost: 120 },
    measure: async () => (await idle()).memory,
  },
]
