import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { ReservationsRepo } from './reservations.repo.ts'

interface SweepDeps {
  repo: Pick<LibraryRepo, 'byId' | 'idsOf' | 'newestAt'>
  reservations: Pick<ReservationsRepo, 'isHeld' | 'release' | 'releaseLapsed' | 'tusHeldBefore'>
  clock: Clock
  log: Log
  /** A complete upload that nobody has come to look into yet. */
  isWaiting: (uploadId: string) => boolean
  uploadDir: string
  resumableDir: string
  mediaDir: string
}

const DAY_MS = 86_400_000
/** What is not named like ours belongs to somebody else: an operator's copy, a snapshot, the mark of another program. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const UPLOAD_ID = /^[\w-]+~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** Room is reserved before the file is made: so long nobody asks where it is. */
const SETTLED_MS = 600_000

/**
 * Clears away what no row knows and nobody has touched for a day. Machines may share the folder, so nothing here relies on what this
 * program remembers, but for media: there, whoever names the wrong database would lose every video. So a folder goes only once this program
 * has found it without a row for a whole day, as long as some other folder has one, and unless it is newer than every row.
 */
export function createSweep(deps: SweepDeps) {
  const { repo, reservations, clock, log, isWaiting, uploadDir, resumableDir, mediaDir } = deps
  const orphanSince = new Map<string, number>()

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
      if (!UPLOAD_ID.test(id)) continue
      const paths = [join(resumableDir, id), join(resumableDir, `${id}.json`)]
      if (isWaiting(id) || !(await isOld(...paths)) || (await reservations.isHeld(id, clock.now()))) continue
      for (const path of paths) await clear(path)
    }
    for (const id of await reservations.tusHeldBefore(clock.now() + DAY_MS - SETTLED_MS)) {
      const isThere = await stat(join(resumableDir, id)).catch(() => null)
      if (!isThere) await reservations.release(id)
    }
  }

  async function sweepMedia(): Promise<void> {
    const orphans: string[] = []
    let known = 0
    for (const userId of await idsIn(mediaDir)) {
      const ids = await repo.idsOf(userId)
      for (const videoId of await idsIn(join(mediaDir, userId))) {
        if (ids.has(videoId)) known += 1
        else orphans.push(join(mediaDir, userId, videoId))
      }
    }
    for (const path of orphanSince.keys()) if (!orphans.includes(path)) orphanSince.delete(path)
    for (const path of orphans) {
      const since = orphanSince.get(path) ?? clock.now()
      orphanSince.set(path, since)
      if (known === 0 || clock.now() - since < DAY_MS || !(await isOld(path))) continue
      // The database may have been put back to an earlier day: the newer one would miss these.
      if ((await lastTouched([path])) > (await repo.newestAt()) + DAY_MS) {
        log.warn({ path }, 'a file belongs to no video, and is newer than all of them: it stays')
      } else await clear(path)
    }
  }

  return async (): Promise<void> => {
    await sweepUploads()
    await sweepResumable()
    await sweepMedia()
    await reservations.releaseLapsed(clock.now())
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const idsIn = async (folder: string): Promise<string[]> => (await namesIn(folder)).filter((name) => ID.test(name))

/** Of the newest of them, and of what lies directly in it. */
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
