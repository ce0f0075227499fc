import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { VIDEOS_MAX, WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import type { Clock } from '../../platform/clock.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { type Storage, storedFile, withPinned } from '../../platform/storage/storage.ts'
import { createArrivingFiles, keepThroughPowerCut } from './arriving-files.ts'
import type { InspectArrival } from './inspect-video.ts'
import { jobOf, laneOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import { blankVideo, insertUnderFreeName } from './new-videos.ts'
import { arrivalColumns } from './probe-columns.ts'
import type { Arrived } from './resumable/upload-store.ts'
import type { Room } from './room.ts'
import { tooManyImports, tooManyVideos } from './video-refused.ts'
import { folderOf, type VideoColumns, type VideoRow } from './video-row.ts'
import type { ImportRoom } from './write-videos.repo.ts'

interface IntakeDeps {
  repo: LibraryRepo
  storage: Storage
  queue: Queue
  clock: Clock
  room: Room
  inspect: InspectArrival
  /** Each file on its way in has a directory of its own below this one. */
  uploadDir: string
}

interface ArrivedFile {
  readonly videoId: string
  readonly userId: string
  readonly filename: string
  readonly arrived: Arrived
  readonly reservationId: string
}

/** Preparation reads it next, and an original that loops already is what broadcasts play. */
const PLAYED = { isPlayed: true }

export type Intake = ReturnType<typeof createIntake>

/**
 * The one way in for a file, however it came: inspected, written down, moved to its place, handed to preparation.
 * The row exists before the file moves, so a crash at any step leaves either no row and no file, or a row that `recover-library.ts` takes up.
 */
export function createIntake({ repo, storage, queue, clock, room, inspect, uploadDir }: IntakeDeps) {
  const arriving = createArrivingFiles(uploadDir)
  const { arrivalOf } = arriving
  /** From before their rows say that they have arrived until they lie in their places. */
  const underWay = new Set<string>()

  async function noting<T>(videoId: string, work: () => Promise<T>): Promise<T> {
    underWay.add(videoId)
    try {
      return await work()
    } finally {
      underWay.delete(videoId)
    }
  }

  async function moveToPlace(video: VideoRow, arrived: Arrived): Promise<void> {
    if (!video.original_key) throw new Error('a video without a place for its file')
    if ('file' in arrived) await storage.put(video.original_key, arrived.file, PLAYED)
    // A deletion that came before the file found nothing to clear away.
    if (!(await repo.byId(video.id))) return storage.remove(folderOf(video))
    await queue.add(jobOf(laneOf(video)), video.user_id)
  }

  /** The disk and ffprobe work beside each other: a file that is refused was written for nothing, and most are not. */
  async function keptAndInspected(
    { id, userId, file }: { id: string; userId: string; file: string },
    patient: boolean,
  ): Promise<Partial<VideoColumns>> {
    const inspecting = inspect(file, userId, { patient })
    const [{ size }, probe] = await Promise.all([stat(file), inspecting, keepThroughPowerCut(file)])
    return { ...arrivalColumns(probe, { id, userId }), original_bytes: size }
  }

  /** It lies in the storage already, where it will stay. */
  async function storedAndInspected({ id, userId, key }: { id: string; userId: string; key: string }) {
    const file = storedFile(storage, key)
    const probe = await withPinned(file, (path) => inspect(path, userId, { patient: false }))
    const original_bytes = (await file.head())?.bytes ?? 0
    return { ...arrivalColumns(probe, { id, userId }), original_key: key, original_bytes }
  }

  async function accept({ videoId, userId, filename, arrived, reservationId }: ArrivedFile): Promise<VideoRow> {
    const id = videoId
    const facts = await ('file' in arrived
      ? keptAndInspected({ id, userId, file: arrived.file }, false)
      : storedAndInspected({ id, userId, key: arrived.key }))
    await room.assertReserved(reservationId, userId, facts.original_bytes ?? 0)
    const row = { ...blankVideo(videoId, userId, clock.now()), ...facts }
    const video = await insertUnderFreeName(row, filename, repo.filenamesAmong, (named) =>
      repo.insertArrived(named, reservationId),
    )
    await moveToPlace(video, arrived)
    return video
  }

  async function acceptImport(video: VideoRow): Promise<void> {
    const file = arrivalOf(video.id)
    // A sender who is sent away can come back with an upload; a fetched file would have to be fetched again.
    const facts = await keptAndInspected({ id: video.id, userId: video.user_id, file }, true)
    await room.assertReserved(video.id, video.user_id, facts.original_bytes ?? 0)
    const change = { ...facts, step: 'checking', progress: null, seconds_left: null }
    if (await repo.updateArrived(video, change)) await moveToPlace({ ...video, ...change }, { file })
  }

  return {
    ...arriving,
    /** Whether this program is at it, so that nobody else may take it up. */
    isAt: (videoId: string): boolean => underWay.has(videoId),
    /** Moves an arrived file to where its row says, then lets it be prepared. */
    settle: (video: VideoRow, arrived: Arrived = { file: arrivalOf(video.id) }): Promise<void> =>
      noting(video.id, () => moveToPlace(video, arrived)),
    /** Whether its file lies where its row says. */
    hasArrived: async ({ original_key: key }: VideoRow): Promise<boolean> =>
      key !== null && (await storage.head(key).catch(() => null)) !== null,

    /** Takes over a file that has arrived, or refuses it with the reason; a refused one is left to the caller. */
    accept: (file: ArrivedFile): Promise<VideoRow> => noting(file.videoId, () => accept(file)),

    /** A row for a file that is still to be fetched. */
    async expectImport(userId: string, filename: string, sealed: string): Promise<VideoRow> {
      const most = { waiting: WAITING_IMPORTS_MAX, videos: VIDEOS_MAX }
      // First: to sum the bytes and to look for a name costs far more where there are many.
      assertNumbers(await repo.importRoom(userId, most))
      await room.assertRoom(userId, 0)
      const row = { ...blankVideo(randomUUID(), userId, clock.now()), step: 'importing', import_url_sealed: sealed }
      return insertUnderFreeName(row, filename, repo.filenamesAmong, async (named) => {
        assertNumbers(await repo.insertImport(named, most))
      })
    },

    /** The fetched file is judged like any other; its row exists already. */
    acceptImport: (video: VideoRow): Promise<void> => noting(video.id, () => acceptImport(video)),
  }
}

function assertNumbers(room: ImportRoom): void {
  if (room === 'too-many-waiting') throw tooManyImports()
  if (room === 'too-many') throw tooManyVideos()
}
