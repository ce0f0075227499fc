import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Log } from '../../platform/log.ts'
import { sendSignal } from '../../platform/process/detached.ts'
import { processesWithArgument } from '../../platform/process/find-processes.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { formerWorkerId } from '../../platform/worker-id.ts'
import type { LibraryRepo } from './library.repo.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface WorkFoldersDeps {
  repo: Pick<LibraryRepo, 'byId'>
  storage: Storage
  trust: ClockTrust
  log: Log
  /** Shared by every machine whose worker uses this data folder. */
  workDir: string
  /** How long another machine's folder must lie untouched to be abandoned: nobody here sees whether its worker lives. */
  abandonedAfterMs: number
  /** The name of this machine. */
  worker: string
}

type Named = Pick<VideoRow, 'user_id' | 'id'>

/**
 * It names the machine that works in it, and the owner too: what a kill leaves has to be found when the row is gone. `part`: where several
 * preparations of one video may be under way.
 */
export const workNameOf = (machine: string, { user_id, id }: Named, part = ''): string =>
  [machine, user_id, part ? `${id}.${part}` : id].join('~')

/** Version 0.1 named no machine. */
function readName(name: string): Named & { machine: string | null } {
  const parts = name.split('~')
  const [user_id = '', named = ''] = parts.slice(-2)
  const [id = ''] = named.split('.')
  return { machine: parts.slice(0, -2).join('~') || null, user_id, id }
}

export type WorkFolders = ReturnType<typeof createWorkFolders>

/** Half-made masters: a folder per preparation. A machine has one worker per data folder (see folder-lock), so its own name tells what is its own: the one it has, or had before. */
export function createWorkFolders(deps: WorkFoldersDeps) {
  const { repo, storage, trust, log, workDir, abandonedAfterMs, worker } = deps
  const ownNames: readonly (string | null)[] = [worker, formerWorkerId()]

  /** It may have been made of a video that had been deleted meanwhile. */
  async function clear(name: string): Promise<void> {
    const { user_id, id } = readName(name)
    if (user_id && id && !(await repo.byId(id))) await storage.remove(folderOf({ user_id, id }))
    await rm(join(workDir, name), { recursive: true, force: true })
  }

  const names = (): Promise<string[]> => readdir(workDir).catch(() => [])

  /** A kill of the program leaves the ffmpeg that was preparing: it would write into what the next one makes. */
  async function endProcesses(): Promise<Set<string>> {
    const ended = new Set<string>()
    const prefix = `file:${workDir}/`
    for (const { pid, argument } of await processesWithArgument(prefix)) {
      const [name = ''] = argument.slice(prefix.length).split('/')
      const { machine } = readName(name)
      if (machine !== null && !ownNames.includes(machine)) continue
      log.warn({ ffmpegPid: pid, argument }, 'ending a preparation that nobody waits for')
      sendSignal(pid, 'SIGKILL')
      ended.add(name)
    }
    return ended
  }

  async function clearAbandoned(): Promise<void> {
    const { now, isSure } = await trust()
    // Where nobody else can be at work in it, its age does not matter.
    if (!isSure && abandonedAfterMs > 0) return
    for (const name of await names()) {
      if (ownNames.includes(readName(name).machine)) continue
      const touchedAt = await lastTouched(join(workDir, name))
      if (abandonedAfterMs === 0 || now - touchedAt >= abandonedAfterMs) await clear(name)
    }
  }

  return {
    of: (video: Named, part?: string): string => join(workDir, workNameOf(worker, video, part)),
    /** Before this machine prepares anything: what its earlier run left goes. */
    async clearLeft(): Promise<void> {
      const ended = await endProcesses()
      for (const name of await names()) {
        if (ownNames.includes(readName(name).machine) || ended.has(name)) await clear(name)
      }
      await clearAbandoned()
    },
    clearAbandoned,
  }
}

/** A preparation writes all the time, but for the minutes in which it reads the original. */
async function lastTouched(directory: string): Promise<number> {
  const files = await readdir(directory).catch(() => [])
  const all = [directory, ...files.map((file) => join(directory, file))]
  const times = await Promise.all(
    all.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return Math.max(...times)
}
