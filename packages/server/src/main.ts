import { networkInterfaces } from 'node:os'
import { type Config, readConfig } from './config.ts'
import { BootError } from './errors.ts'
import type { App } from './http/types.ts'
import { createLog, type Log } from './platform/log.ts'
import { giveBackMemory } from './platform/process/give-back-memory.ts'
import { watchEventLoop } from './platform/process/loop-watchdog.ts'
import { beginToolChecks } from './program/tools.ts'
import type { Program } from './program.ts'

/** A broadcast that does not listen is killed after 5 s; everything else is quicker. */
const END_DEADLINE_MS = 25_000
/** For as long broadcasts may move to other machines, five a second to each of them. Service managers wait for 90 s. */
const DRAIN_MS = 60_000
/** By then a start is over; collecting takes some 100 ms. */
const START_OVER_MS = 10_000

async function run(): Promise<void> {
  const config = readConfig(process.env)
  beginToolChecks(config)
  const log = createLog(config.logLevel)
  // Loaded now, not with this file: that takes most of a start, and the tools run meanwhile.
  const { createProgram } = await import('./program.ts')
  const program = await createProgram(config, log)
  // Not before: a migration may take its time.
  watchEventLoop(config.watchdogMs)
  // Listening first makes a taken port end the program before it touches a broadcast.
  await listen(program.app, config)
  endOnSignals(program, log)
  await program.start()
  announce(config, program.app, log)
  setTimeout(giveBackMemory, START_OVER_MS).unref()
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.listen({
      port: config.port,
      host: config.host,
      listenTextResolver: (address) => `listening on ${address}`,
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new BootError([`PORT ${config.port} is taken by another program. Choose another one, such as PORT=3001`])
    }
    if (code === 'EACCES') throw new BootError([`PORT ${config.port} needs more rights. Choose one above 1023`])
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new BootError([`HOST ${config.host} is not an address of this machine`])
    }
    throw error
  }
}

function endOnSignals(program: Program, log: Log): void {
  let ending: AbortController | null = null
  const end = async (signal: string): Promise<void> => {
    // Said twice: nobody wants to wait for other machines any more.
    if (ending) return ending.abort()
    ending = new AbortController()
    log.info({ signal }, 'ending')
    const impatience = setTimeout(() => ending?.abort(), DRAIN_MS)
    await program.drain(ending.signal).catch((error) => log.warn({ err: error }, 'broadcasts could not be moved'))
    clearTimeout(impatience)
    // It keeps the program alive too: a child that we wait for does not, and all that comes after it would be left undone.
    setTimeout(() => {
      log.fatal('could not end in time')
      process.exit(1)
    }, END_DEADLINE_MS)
    try {
      await program.close()
      log.info('ended')
      process.exit(0)
    } catch (error) {
      log.fatal({ err: error }, 'could not end cleanly')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
}

/** For the person who started it: what to type into the browser. */
function announce(config: Config, app: App, log: Log): void {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const everywhere = config.host === '0.0.0.0' || config.host === '::'
  const open = config.publicUrl ?? `http://${everywhere ? 'localhost' : config.host}:${port}`
  const lan = Object.values(networkInterfaces())
    .flat()
    .find((network) => network?.family === 'IPv4' && !network.internal)
  const others = everywhere && lan ? { network: `http://${lan.address}:${port}` } : {}
  log.info({ role: config.role, ...others }, `${config.brandName} is ready: open ${open}`)
}

run().catch((error) => {
  const lines = error instanceof BootError ? error.faults : [error instanceof Error ? error.stack : String(error)]
  for (const line of lines) process.stderr.write(`Siarin cannot start: ${line}\n`)
  process.exit(1)
})
