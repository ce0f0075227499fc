import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { RecordingsPort } from './recordings-port.ts'
import type { ReservationsRepo } from './reservations.repo.ts'
import { isUploadId, uploadIdOf } from './resumable/upload-ids.ts'
import { createStoredSweep, isOurId } from './sweep-stored.ts'

interface SweepDeps {
  repo: Pick<LibraryRepo, 'byId' | 'idsOf' | 'newestAt'>
  reservations: Pick<ReservationsRepo, 'isHeld' | 'release' | 'releaseLapsed' | 'tusHeldBefore'>
  storage: Pick<Storage, 'list' | 'head' | 'remove' | 'abortUnfinished' | 'clearCopies'>
  recordings: Pick<RecordingsPort, 'idsOf'>
  clock: Clock
  log: Log
  /** A complete upload that nobody has inspected yet. */
  isWaiting: (uploadId: string) => boolean
  isThere: (uploadId: string) => Promise<boolean>
  uploadDir: string
  resumableDir: string
}

const DAY_MS = 86_400_000
/** Room is reserved before the file is made: so long nobody asks where it is. */
const SETTLED_MS = 600_000

/**
 * Clears away what no row knows and nobody has touched for a day. Machines may share the folder, so nothing here relies on what this
 * program remembers, but for what is stored (see sweep-stored).
 */
export function createSweep(deps: SweepDeps) {
  const { repo, reservations, clock, log, isWaiting, uploadDir, resumableDir } = deps
  const sweepStored = createStoredSweep(deps)

  const isOld = async (...paths: string[]): Promise<boolean> => (await lastTouched(paths)) < clock.now() - DAY_MS

  async function clear(path: string): Promise<void> {
    log.info({ path }, 'clearing away a file that belongs to nothing')
    await rm(path, { recursive: true, force: true })
  }

  async function sweepUploads(): Promise<void> {
    for (const videoId of await idsIn(uploadDir)) {
      const folder = join(uploadDir, videoId)
      if (!(await isOld(folder)) || (await reservations.isHeld(videoId, clock.now()))) continue
      if ((await repo.byId(videoId))?.status !== 'processing') await clear(folder)
    }
  }

  /** A file without its record, a record without its file, and both once their day is over. */
  async function sweepResumable(): Promise<void> {
    const ids = new Set((await namesIn(resumableDir)).map((name) => name.replace(/\.json$/, '')))
    for (const id of ids) {
      if (!isUploadId(id)) continue
      const paths = [join(resumableDir, id), join(resumableDir, `${id}.json`)]
      if (isWaiting(id) || !(await isOld(...paths)) || (await reservations.isHeld(id, clock.now()))) continue
      for (const path of paths) await clear(path)
    }
    for (const id of await reservations.tusHeldBefore(clock.now() + DAY_MS - SETTLED_MS)) {
      if (!(await deps.isThere(id))) await reservations.release(id)
    }
  }

  /** A resumable upload may take longer than a day, for as long as bytes come. */
  const isBeingSent = (key: string): Promise<boolean> => {
    const [userId = '', videoId = ''] = key.split('/')
    return reservations.isHeld(uploadIdOf(userId, videoId), clock.now())
  }

  return async (): Promise<void> => {
    await sweepUploads()
    await sweepResumable()
    await reservations.releaseLapsed(clock.now())
    await deps.storage.abortUnfinished?.(clock.now() - DAY_MS, isBeingSent)
    await deps.storage.clearCopies?.()
    await sweepStored()
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const idsIn = async (folder: string): Promise<string[]> => (await namesIn(folder)).filter(isOurId)

/** When the newest of them was touched, or what lies directly in it. */
async function lastTouched(paths: readonly string[]): Promise<number> {
  const inside = await Promise.all(paths.map(async (path) => (await namesIn(path)).map((name) => join(path, name))))
  const times = await Promise.all(
    [...paths, ...inside.flat()].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return Math.max(...times)
}
