import { rm } from 'node:fs/promises'
import type { Log } from '../../../platform/log.ts'
import { processBirth, sendSignal } from '../../../platform/process/detached.ts'
import type { ProcessStarter } from '../../../platform/process/spawner.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import {
  adoptBroadcast,
  type BroadcastProcess,
  type LeftWords,
  lastWordsIn,
  runningBroadcasts,
} from '../sender/broadcast-process.ts'
import type { RunFolders } from '../sender/run-folders.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'

interface LeftProcessesDeps {
  repo: Pick<StreamsRepo, 'byId'>
  sealer: Pick<Sealer, 'open'>
  log: Log
  folders: Pick<RunFolders, 'all' | 'of' | 'takeStock'>
  processes: ProcessStarter
  /** Whether this worker may have left it; another one may keep it by now. */
  isOurs: (row: StreamRow) => boolean
}

export type LeftProcesses = ReturnType<typeof createLeftProcesses>

/** The ffmpegs that an earlier run of the program left on air. */
export function createLeftProcesses({ repo, sealer, log, folders, processes, isOurs }: LeftProcessesDeps) {
  /** Found at the start, by stream. */
  const found = new Map<string, number>()

  return {
    /** What one said last that has ended while no program was there; null: nobody knows. */
    lastWords: (streamId: string): LeftWords | null => lastWordsIn(folders.of(streamId).directory),

    /** Where no other ffmpeg comes after it: what it wrote may hold the key. The folder may be on a disk that hangs: nobody waits for it. */
    async forget(streamId: string): Promise<void> {
      const { directory, spare } = folders.of(streamId)
      for (const folder of [directory, ...(spare ? [spare] : [])])
        await rm(folder, { recursive: true, force: true }).catch(() => {})
    },

    /**
     * A crash between the start of an ffmpeg and the writing of its pid, or a disk too full to write it, leaves one that its row does
     * not know: it is on air, so it is taken over. What no stream wants, or a second one of the same stream, is ended.
     */
    async takeStock(): Promise<void> {
      await folders.takeStock()
      const running = (await Promise.all(folders.all.map(runningBroadcasts))).flat()
      for (const { pid, streamId } of running) {
        const row = await repo.byId(streamId)
        const known = row?.pid && row.pid_birth === processBirth(row.pid) ? row.pid : (found.get(streamId) ?? pid)
        if (row && row.phase !== 'ended' && known === pid && isOurs(row)) {
          found.set(streamId, pid)
          continue
        }
        log.warn({ ffmpegPid: pid, streamId }, 'ending an ffmpeg that belongs to no stream')
        sendSignal(pid, 'SIGKILL')
      }
    },

    /** What still runs of a stream; null: nothing. The birth names the boot of a machine, so a pid of another one is never ours. */
    adopt(row: StreamRow): BroadcastProcess | null {
      const pid = found.get(row.id)
      found.delete(row.id)
      const { id: streamId, epoch } = row
      const run = {
        streamId,
        epoch,
        processes,
        folder: folders.of(streamId),
        target: sealer.open(row.target_sealed),
      }
      const source = row.source_kind === 'video' || row.on_fallback === 1 ? 'video' : 'online'
      const own = row.pid === null ? null : adoptBroadcast(row.pid, row.pid_birth ?? '', run, source)
      return own ?? (pid === undefined ? null : adoptBroadcast(pid, processBirth(pid) ?? '', run, source))
    },
  }
}
