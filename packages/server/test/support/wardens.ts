import { join } from 'node:path'
import { isAlive, processesUnder } from '@siarin/testkit/processes'
import { type Service, startService } from '@siarin/testkit/service-process'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { sendSignal } from '../../src/platform/process/detached.ts'
import { monotonicMs, openDeadlineFile } from '../../src/platform/process/warden/deadline.ts'
import { openWarden, type Warden } from '../../src/platform/process/warden/warden.ts'

const PROGRAM = join(import.meta.dirname, 'warden-program.ts')

export interface WardenProgram {
  readonly service: Service
  readonly wardenPid: number
  readonly running: readonly { readonly pid: number; readonly birth: string }[]
}

/** A program of its own process that keeps ffmpegs by a warden, and extends their deadline to so long from now all the time. */
async function startWardenProgram(folder: string, streams: number, deadlineMs: number): Promise<WardenProgram> {
  const args = [PROGRAM, folder, String(streams), String(deadlineMs)]
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

export const extend = (warden: Warden, ms: number): void => warden.extend(BigInt(monotonicMs() + ms))

/** A folder with the wardens and programs that a test opens there. */
export async function openWardenStage() {
  const folder = await tempDir('warden')
  const wardens: Warden[] = []
  const programs: WardenProgram[] = []
  const directory = join(folder.path, 'warden')

  const start = (warden: Warden, command: string, args: string[], streamId: string, epoch = 1) =>
    warden.start(command, args, {
      ...{ errorFile: join(folder.path, `errors-${streamId}-${epoch}`), cwd: folder.path },
      ...{ streamId, epoch },
    })

  return {
    folder: folder.path,
    directory,
    async open(): Promise<Warden> {
      const warden = await openWarden({ directory, dataDir: folder.path, log: pino({ level: 'silent' }) })
      wardens.push(warden)
      return warden
    },
    async program(streams = 3, deadlineMs = 5_000): Promise<WardenProgram> {
      const started = await startWardenProgram(folder.path, streams, deadlineMs)
      programs.push(started)
      return started
    },
    ffmpeg: (warden: Warden, streamId = 'a', epoch = 1) => start(warden, 'ffmpeg', endlessFfmpeg, streamId, epoch),
    shell: (warden: Warden, script: string, streamId = 'a') => start(warden, '/bin/sh', ['-c', script], streamId),
    async close(): Promise<void> {
      for (const warden of wardens) await warden.close({ runsOn: false })
      for (const { service } of programs) await service.stop('SIGKILL')
      for (const { pid } of await processesUnder(folder.path)) sendSignal(pid, 'SIGKILL')
      await folder.remove()
    },
  }
}

export type WardenStage = Awaited<ReturnType<typeof openWardenStage>>
