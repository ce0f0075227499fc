import type { Exit } from './detached.ts'
import { startDetached } from './detached.ts'
import type { FromSpawner, SpawnOrder } from './spawner.ts'

/** Starts what the program asks for, says how it ended, and ends with the program. What it has started runs on. */
const tell = (message: FromSpawner): void => {
  // The program may be gone by now: then nobody waits for this.
  if (process.connected) process.send?.(message)
}

async function carryOut({ id, command, args, options }: SpawnOrder): Promise<Exit & { pid: number; birth: string }> {
  const { pid, birth, exited } = await startDetached(command, args, options)
  tell({ type: 'started', id, pid, birth })
  return { pid, birth, ...(await exited) }
}

process.on('message', (order: SpawnOrder) => {
  carryOut(order).then(
    ({ pid, birth, code, signal }) => tell({ type: 'exited', pid, birth, exit: { code, signal } }),
    ({ message, code = 'unknown fault' }: NodeJS.ErrnoException) =>
      tell({ type: 'refused', id: order.id, message, code }),
  )
})
process.once('disconnect', () => process.exit(0))
// The program says when it is over. A signal to all processes of a terminal or a service comes here too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
