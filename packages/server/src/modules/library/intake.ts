import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { wholePicture } from '@siarin/media/picture-gain'
import { DomainError, isDiskFull } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../platform/db/database.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { syncToDisk } from '../../platform/storage/durable.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { cleanFilename, uniqueFilename } from './clean-filename.ts'
import { containerOf } from './container-types.ts'
import type { InspectArrival, UsableProbe } from './inspect-video.ts'
import { folderOf, type LibraryRepo, type VideoColumns, type VideoRow } from './library.repo.ts'
import { openMeteredFile } from './metered-file.ts'
import type { Reservation, Room } from './room.ts'
import { diskFull, VideoRefused } from './video-refused.ts'

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

/** Each lost race means that another file of this user took the name: nobody sends more than this at once. */
const MOST_NAME_TRIES = 500

export type Intake = ReturnType<typeof createIntake>

/**
 * The one way in for a file, however it came: looked at, written down, moved to its place, handed to preparation.
 * The row exists before the file moves, so a crash at any step leaves either no row and no file, or a row that `recover` takes up.
 */
export function createIntake({ repo, storage, queue, clock, room, inspect, uploadDir }: IntakeDeps) {
  const directoryOf = (videoId: string) => join(uploadDir, videoId)
  const arrivalOf = (videoId: string) => join(directoryOf(videoId), 'upload')

  const blankRow = (id: string, userId: string): Omit<VideoColumns, 'filename'> => ({
    id,
    user_id: userId,
    status: 'processing',
    step: 'checking',
    progress: null,
    seconds_left: null,
    lane: null,
    reason: null,
    warning: null,
    original_key: null,
    original_bytes: 0,
    content_type: 'application/octet-stream',
    import_url_sealed: null,
    duration_ms: null,
    width: null,
    height: null,
    fps: null,
    video_codec: null,
    audio_codec: null,
    original_height: null,
    original_fps: null,
    created_at: clock.now(),
  })

  /** Two files of one name may race: the constraint decides, the loser takes the next number. */
  async function insertUnderFreeName(
    row: Omit<VideoColumns, 'filename'>,
    wanted: string,
    insert: (video: VideoColumns) => Promise<void>,
  ): Promise<VideoRow> {
    const clean = cleanFilename(wanted)
    for (let tries = 1; ; tries++) {
      const video = { ...row, filename: uniqueFilename(clean, await repo.filenamesOf(row.user_id)) }
      try {
        await insert(video)
        return { ...video, master: null }
      } catch (error) {
        // The account went while its file was looked at.
        if (isForeignKeyViolation(error)) throw new DomainError('not_found', VIDEO_TEXTS.notFound, { cause: error })
        // No other name helps against any other duplicate, such as the video itself.
        if (!uniqueViolation(error)?.includes('filename') || tries === MOST_NAME_TRIES) throw error
      }
    }
  }

  /** Moves an arrived file to where its row says, then lets it be prepared. */
  async function settle(video: VideoRow, file = arrivalOf(video.id)): Promise<void> {
    if (!video.original_key) throw new Error('a video without a place for its file')
    await storage.put(video.original_key, file)
    // A deletion that came before the file found nothing to clear away.
    if (!(await repo.byId(video.id))) return storage.remove(folderOf(video))
    await queue.add('prepare-video', video.user_id)
  }

  const hasArrived = async ({ original_key: key }: VideoRow): Promise<boolean> =>
    key !== null && (await storage.head(key).catch(() => null)) !== null

  async function look(
    { id, userId, file }: { id: string; userId: string; file: string },
    patient: boolean,
  ): Promise<Partial<VideoColumns>> {
    const { size } = await stat(file)
    return { ...factsOf(await inspect(file, userId, { patient }), userId, id), original_bytes: size }
  }

  return {
    directoryOf,
    arrivalOf,
    settle,
    /** Whether its file lies where its row says. */
    hasArrived,

    /** Streams a body to disk, never into memory, and stops as soon as there is no more room for it. */
    async write(
      videoId: string,
      body: Readable,
      reservation: Reservation,
      onBytes: (arrived: number) => void = () => {},
    ): Promise<void> {
      await mkdir(directoryOf(videoId), { recursive: true, mode: 0o700 })
      let arrived = 0
      // Counted beside the pipe, not in it: one more stream in between costs a fifth of the speed.
      body.on('data', (chunk: Buffer) => {
        arrived += chunk.length
        onBytes(arrived)
      })
      try {
        await pipeline(body, openMeteredFile(arrivalOf(videoId), reservation))
      } catch (error) {
        throw arrivalFault(error)
      }
    },

    /** Takes over a file that has arrived, or refuses it with the reason; a refused one is left to the caller. */
    async accept(arrived: {
      videoId: string
      userId: string
      filename: string
      file: string
      reservationId: string
    }): Promise<VideoRow> {
      const { videoId, userId, filename, file, reservationId } = arrived
      const facts = await look({ id: videoId, userId, file }, false)
      await room.needReserved(reservationId, userId, facts.original_bytes ?? 0)
      await keepThroughPowerCut(file)
      const video = await insertUnderFreeName({ ...blankRow(videoId, userId), ...facts }, filename, (row) =>
        repo.insertArrived(row, reservationId),
      )
      await settle(video, file)
      return video
    },

    /** A row for a file that is still to be fetched. */
    expectImport: (userId: string, filename: string, importUrlSealed: string): Promise<VideoRow> =>
      insertUnderFreeName(
        { ...blankRow(randomUUID(), userId), step: 'importing', import_url_sealed: importUrlSealed },
        filename,
        async (row) => {
          if (await repo.insertImport(row, WAITING_IMPORTS_MAX)) return
          throw new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyImports(WAITING_IMPORTS_MAX))
        },
      ),

    /** The fetched file is judged like any other; its row exists already. */
    async acceptImport(video: VideoRow): Promise<void> {
      const file = arrivalOf(video.id)
      // Whoever is sent away can come back with an upload; a fetched file would have to be fetched again.
      const facts = await look({ id: video.id, userId: video.user_id, file }, true)
      await room.needReserved(video.id, video.user_id, facts.original_bytes ?? 0)
      await keepThroughPowerCut(file)
      const change = { ...facts, step: 'checking', progress: null, seconds_left: null }
      if (await repo.updateArrived(video.id, change)) await settle({ ...video, ...change })
    },
  }
}

/** Before its row says that it is here. */
async function keepThroughPowerCut(file: string): Promise<void> {
  await syncToDisk(file)
  await syncToDisk(dirname(file))
}

function factsOf(probe: UsableProbe, userId: string, videoId: string) {
  const container = containerOf(probe.formatName ?? '')
  return {
    original_key: `${folderOf({ user_id: userId, id: videoId })}original.${container.extension}`,
    content_type: container.contentType,
    ...pictureFacts(probe),
    ...originalFacts(probe),
  }
}

export function pictureFacts({ durationSeconds, video, audio }: UsableProbe) {
  const [numerator = 0, denominator = 1] = (video.avgFrameRate ?? '').split('/').map(Number)
  const fps = numerator / denominator
  const turned = Math.abs(video.rotation ?? 0) % 180 === 90
  return {
    duration_ms: durationSeconds === null ? null : Math.round(durationSeconds * 1000),
    width: turned ? video.height : video.width,
    height: turned ? video.width : video.height,
    fps: Number.isFinite(fps) && fps > 0 ? Math.round(fps * 100) / 100 : null,
    video_codec: video.codec,
    audio_codec: audio?.codec ?? null,
  }
}

export function originalFacts({ video }: UsableProbe) {
  const { shortSide, fps } = wholePicture(video)
  return { original_height: shortSide, original_fps: fps }
}

function arrivalFault(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (isDiskFull(error)) return diskFull()
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR') {
    return new VideoRefused('invalid_input', { code: 'cut-off' }, { cause: error })
  }
  return error
}
