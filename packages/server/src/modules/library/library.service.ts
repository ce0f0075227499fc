import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { StorageUse, Video } from '@siarin/contracts/videos'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { importFilename, parseImportUrl } from './import-url.ts'
import type { Intake } from './intake.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'
import type { Room } from './room.ts'

export interface LibraryService {
  /** `sizeBytes`: as the caller announced it, null when it did not. */
  receive(caller: Caller, filename: string, sizeBytes: number | null, body: Readable): Promise<Video>
  /** Fetches the video behind an address in the background. */
  importFrom(caller: Caller, url: string): Promise<Video>
  retry(caller: Caller, filename: string): Promise<void>
  list(caller: Caller): Promise<{ videos: Video[]; storage: StorageUse }>
  /** The caller's own video; somebody else's is not found. */
  find(caller: Caller, filename: string): Promise<VideoRow>
  findById(id: string): Promise<VideoRow | null>
  remove(caller: Caller, filename: string): Promise<void>
  /** The file that is played and broadcast; before it is ready, the one that was given. */
  playable(video: VideoRow): Promise<{ path: string; contentType: string }>
  thumbnail(video: VideoRow): Promise<string>
  /** Takes up or clears away what a crash left half-done at least `idleMs` ago (0: this is the only program on this folder). */
  recover(idleMs: number): Promise<void>
}

interface LibraryServiceDeps {
  repo: LibraryRepo
  storage: Storage
  queue: Queue
  clock: Clock
  events: Events
  sealer: Sealer
  room: Room
  intake: Intake
  egress: Pick<Egress, 'parse'>
  uploadDir: string
  isOnAir: (videoId: string) => Promise<boolean>
}

export function createLibraryService(deps: LibraryServiceDeps): LibraryService {
  const { repo, storage, queue, clock, events, sealer, room, intake, egress, uploadDir, isOnAir } = deps

  async function find(caller: Caller, filename: string): Promise<VideoRow> {
    const video = await repo.byFilename(caller.userId, filename)
    if (!video) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    return video
  }

  const exists = async (key: string): Promise<boolean> =>
    stat(await storage.localPath(key)).then(
      () => true,
      () => false,
    )

  /** Where a row that was left in the middle goes on, or whether it must go: its file is nowhere any more. */
  async function takeUp(video: VideoRow): Promise<void> {
    if (video.step === 'importing') return queue.add('import-video', video.id)
    if (video.original_key && (await exists(video.original_key))) return queue.add('prepare-video', video.id)
    try {
      await intake.settle(video)
    } catch {
      await repo.remove(video.id)
      await storage.remove(`${video.user_id}/${video.id}/`)
    }
  }

  return {
    async receive(caller, filename, sizeBytes, body) {
      const left = await room.need(caller.userId, sizeBytes ?? 0)
      const videoId = randomUUID()
      try {
        await intake.write(videoId, body, left)
        const file = intake.arrivalOf(videoId)
        return toVideo(await intake.accept({ videoId, userId: caller.userId, filename, file }))
      } finally {
        await rm(intake.directoryOf(videoId), { recursive: true, force: true })
      }
    },

    async importFrom(caller, url) {
      const address = parseImportUrl(url, egress)
      await room.need(caller.userId, 0)
      const sealed = sealer.seal(new Secret(address.href))
      const video = await intake.expectImport(caller.userId, importFilename(address), sealed)
      await queue.add('import-video', video.id)
      return toVideo(video)
    },

    async retry(caller, filename) {
      const video = await find(caller, filename)
      if (video.status !== 'failed') throw new DomainError('video_not_failed', VIDEO_TEXTS.notFailed)
      const again = video.original_key ? 'prepare-video' : video.import_url_sealed ? 'import-video' : null
      if (!again) throw new DomainError('video_not_failed', video.reason ?? VIDEO_TEXTS.notFailed)
      const step = again === 'prepare-video' ? 'checking' : 'importing'
      await repo.update(video.id, { status: 'processing', step, progress: null, seconds_left: null, reason: null })
      await queue.add(again, video.id)
    },

    async list(caller) {
      const [rows, storageUse] = await Promise.all([repo.ofUser(caller.userId), room.use(caller.userId)])
      return { videos: rows.map(toVideo), storage: storageUse }
    },

    find,
    findById: (id) => repo.byId(id),

    async remove(caller, filename) {
      const video = await find(caller, filename)
      if (await isOnAir(video.id)) throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
      await repo.remove(video.id)
      events.emit('video.removed', { videoId: video.id })
      await storage.remove(`${video.user_id}/${video.id}/`)
    },

    async playable(video) {
      const key = video.master_key ?? video.original_key
      if (!key) throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
      return { path: await storage.localPath(key), contentType: video.content_type }
    },

    async thumbnail(video) {
      if (!video.thumbnail_key) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
      return storage.localPath(video.thumbnail_key)
    },

    async recover(idleMs) {
      const before = clock.now() - idleMs
      for (const video of await repo.unfinished(before)) await takeUp(video)
      for (const leftover of await readdir(uploadDir).catch(() => [])) {
        const directory = intake.directoryOf(leftover)
        const touched = await stat(directory).catch(() => null)
        if (touched && touched.mtimeMs <= before) await rm(directory, { recursive: true, force: true })
      }
    },
  }
}

const toVideo = (row: VideoRow): Video => ({
  filename: row.filename,
  size: row.original_bytes,
  duration: row.duration_ms === null ? null : row.duration_ms / 1000,
  createdAt: new Date(row.created_at).toISOString(),
  status: row.status as Video['status'],
  step: row.status === 'processing' ? (row.step as Video['step']) : null,
  progress: row.progress,
  secondsLeft: row.seconds_left,
  reason: row.reason,
  warning: row.warning,
  width: row.width,
  height: row.height,
  fps: row.fps,
  videoCodec: row.video_codec,
  audioCodec: row.audio_codec,
  hasThumbnail: row.thumbnail_key !== null,
})
