import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { cleanFilename, uniqueFilename } from './clean-filename.ts'
import { containerOf } from './container-types.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'
import type { ProbeVideo } from './probe-video.ts'

export interface LibraryService {
  receive(caller: Caller, filename: string, body: Readable): Promise<Video>
  list(caller: Caller): Promise<Video[]>
  /** The caller's own video; somebody else's is not found. */
  find(caller: Caller, filename: string): Promise<VideoRow>
  findById(id: string): Promise<VideoRow | null>
  remove(caller: Caller, filename: string): Promise<void>
  localPath(video: VideoRow): Promise<string>
  /** Takes up or clears away what a crash left half-done at least `idleMs` ago (0: this is the only program on this folder). */
  recover(idleMs: number): Promise<void>
}

interface LibraryServiceDeps {
  repo: LibraryRepo
  storage: Storage
  probeVideo: ProbeVideo
  clock: Clock
  events: Events
  /** Each upload gets a directory of its own below this one. */
  uploadDir: string
  isOnAir: (videoId: string) => Promise<boolean>
}

const UPLOADED_FILE = 'upload'

export function createLibraryService(deps: LibraryServiceDeps): LibraryService {
  const { repo, storage, probeVideo, clock, events, uploadDir, isOnAir } = deps

  const uploadDirOf = (id: string) => join(uploadDir, id)

  /** Two uploads of one name may race: the constraint decides, the loser takes the next number. */
  async function insertUnderFreeName(row: Omit<VideoRow, 'filename'>, wanted: string): Promise<VideoRow> {
    for (;;) {
      const video = { ...row, filename: uniqueFilename(wanted, await repo.filenamesOf(row.user_id)) }
      try {
        await repo.insert(video)
        return video
      } catch (error) {
        if (!uniqueViolation(error)) throw error
      }
    }
  }

  /** The row exists before the file moves, so a crash in between leaves a row that `recover` takes up again. */
  async function finish(video: VideoRow): Promise<void> {
    await storage.put(video.storage_key, join(uploadDirOf(video.id), UPLOADED_FILE))
    await repo.markReady(video.id)
    events.emit('video.ready', { videoId: video.id, userId: video.user_id })
  }

  async function removeFiles(video: VideoRow): Promise<void> {
    await storage.remove(`${video.user_id}/${video.id}/`)
  }

  async function find(caller: Caller, filename: string): Promise<VideoRow> {
    const video = await repo.byFilename(caller.userId, filename)
    if (!video) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    return video
  }

  return {
    async receive(caller, filename, body) {
      const id = randomUUID()
      const file = join(uploadDirOf(id), UPLOADED_FILE)
      try {
        await mkdir(uploadDirOf(id), { recursive: true })
        await writeBody(body, file)
        const { size } = await stat(file)
        if (size === 0) throw new DomainError('video_unusable', VIDEO_TEXTS.empty)
        const probe = await probeVideo(file)
        const container = containerOf(probe.formatName ?? '')
        const row = {
          id,
          user_id: caller.userId,
          status: 'processing',
          reason: null,
          size_bytes: size,
          duration_ms: probe.durationSeconds === null ? null : Math.round(probe.durationSeconds * 1000),
          storage_key: `${caller.userId}/${id}/original.${container.extension}`,
          content_type: container.contentType,
          created_at: clock.now(),
        }
        const video = await insertUnderFreeName(row, cleanFilename(filename))
        await finish(video)
        return toVideo({ ...video, status: 'ready' })
      } finally {
        await rm(uploadDirOf(id), { recursive: true, force: true })
      }
    },

    async list(caller) {
      return (await repo.ofUser(caller.userId)).map(toVideo)
    },

    find,
    findById: (id) => repo.byId(id),

    async remove(caller, filename) {
      const video = await find(caller, filename)
      if (await isOnAir(video.id)) throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
      await repo.remove(video.id)
      await removeFiles(video)
    },

    localPath: (video) => storage.localPath(video.storage_key),

    async recover(idleMs) {
      const before = clock.now() - idleMs
      for (const video of await repo.unfinished(before)) {
        try {
          const moved = await stat(await storage.localPath(video.storage_key)).catch(() => null)
          if (moved?.size === video.size_bytes) await repo.markReady(video.id)
          else await finish(video)
        } catch {
          await repo.remove(video.id)
          await removeFiles(video)
        }
      }
      for (const leftover of await readdir(uploadDir).catch(() => [])) {
        const touched = await stat(uploadDirOf(leftover)).catch(() => null)
        if (touched && touched.mtimeMs <= before) await rm(uploadDirOf(leftover), { recursive: true, force: true })
      }
    },
  }
}

async function writeBody(body: Readable, file: string): Promise<void> {
  try {
    await pipeline(body, createWriteStream(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new DomainError('storage_full', VIDEO_TEXTS.storageFull)
    if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
      throw new DomainError('invalid_input', VIDEO_TEXTS.cutOff, { cause: error })
    }
    throw error
  }
}

const toVideo = (row: VideoRow): Video => ({
  filename: row.filename,
  size: row.size_bytes,
  duration: row.duration_ms === null ? null : row.duration_ms / 1000,
  createdAt: new Date(row.created_at).toISOString(),
  status: row.status as Video['status'],
})
