import { join } from 'node:path'
import { isAlive } from '@siarin/testkit/processes'
import { type Service, startService } from '@siarin/testkit/service-process'
import { waitFor } from '@siarin/testkit/wait-for'
import { monotonicMs, openDeadlineFile } from '../../src/platform/process/warden/deadline.ts'

const PROGRAM = join(import.meta.dirname, 'warden-program.ts')

export interface WardenProgram {
  readonly service: Service
  readonly wardenPid: number
  readonly running: readonly { readonly pid: number; readonly birth: string }[]
}

/** A program of its own process that keeps ffmpegs by a warden, and extends their deadline to 5 s from now all the time. */
export async function startWardenProgram(folder: string, streams: number): Promise<WardenProgram> {
  const args = [PROGRAM, folder, String(streams)]
  const service = await startService({ command: process.execPath, args, cwd: folder, deathSignal: 'KILL' })
  const line = await waitFor('its ffmpegs', async () => {
    if (service.exit()) throw new Error(service.output())
    return /^\{.*\}$/m.exec(service.output())?.[0]
  })
  return { service, ...JSON.parse(line) }
}

export const endlessFfmpeg = ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-']

/** How long after the last deadline each of them was gone; negative: before it. */
export async function goneAfterDeadline(folder: string, pids: readonly number[]): Promise<number[]> {
  const goneAt = new Map<number, number>()
  await waitFor(
    'the end of all ffmpegs',
    async () => {
      for (const pid of pids) if (!goneAt.has(pid) && !isAlive(pid)) goneAt.set(pid, monotonicMs())
      return goneAt.size === pids.length
    },
    { timeoutMs: 60_000, everyMs: 10 },
  )
  const deadline = deadlineIn(folder)
  return [...goneAt.values()].map((at) => at - deadline)
}

/** How long ago the deadline was; negative: it is to come. */
export const overdueIn = (folder: string): number => monotonicMs() - deadlineIn(folder)

function deadlineIn(folder: string): number {
  const file = openDeadlineFile(join(folder, 'warden', 'deadline'))
  const { monotonicMs: deadline } = file.read()
  file.close()
  return deadline
}
