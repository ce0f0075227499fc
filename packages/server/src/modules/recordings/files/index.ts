import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { Timings } from '../../../platform/timings.ts'
import { recordedBytes } from '../recordings.repo.ts'
import { createFileCollector, type FileCollectorDeps } from './file-collector.ts'
import { createRecordingFilesRepo } from './recording-files.repo.ts'
import { type createRecordedSessions, RECORDED_FOLDER } from './sessions.ts'

export interface RecordedFilesDeps extends Pick<FileCollectorDeps, 'broadcastOf' | 'ffprobePath' | 'endRecording'> {
  readonly db: Db
  readonly sessions: ReturnType<typeof createRecordedSessions>
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly timings: Timings
  readonly dataDir: string
  readonly diskReserveBytes: () => number
  /** What a user's plan has room for, and what videos take of it. */
  readonly storageUseOf: (userId: string) => Promise<{ used: number; limit: number }>
}

export function createRecordedFiles(deps: RecordedFilesDeps) {
  const repo = createRecordingFilesRepo(deps.db)
  return createFileCollector({
    ...deps,
    repo,
    async spareBytes() {
      const { bavail, bsize } = await statfs(join(deps.dataDir, RECORDED_FOLDER))
      return bavail * bsize - deps.diskReserveBytes()
    },
    async roomLeftOf(userId) {
      const { used, limit } = await deps.storageUseOf(userId)
      return limit - used - (await recordedBytes(deps.db, userId))
    },
  })
}
