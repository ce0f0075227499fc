import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import { PLAN_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { storedReasonText } from '@siarin/contracts/video-reasons'
import type { StorageUse, Video } from '@siarin/contracts/videos'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { Caller } from '../identity/caller.ts'
import { importFilename, parseImportUrl } from './import-url.ts'
import type { Intake } from './intake.ts'
import { jobOf, laneOf } from './lanes.ts'
import { folderOf, type LibraryRepo, type VideoRow } from './library.repo.ts'
import type { LibraryLimits, Room } from './room.ts'
import { fitOf, toVideo } from './video-view.ts'

export interface LibraryService {
  /** `sizeBytes`: as the caller announced it, null when it did not. */
  receive(caller: Caller, filename: string, sizeBytes: number | null, body: Readable): Promise<Video>
  /** Fetches the video behind an address in the background. */
  importFrom(caller: Caller, url: string): Promise<Video>
  /** A failed one, or one that its owner's plan allows to be more, or no longer allows to be as it is. Answers what to say. */
  retry(caller: Caller, filename: string): Promise<string>
  list(caller: Caller): Promise<{ videos: Video[]; storage: StorageUse }>
  /** The caller's own video; somebody else's is not found. */
  find(caller: Caller, filename: string): Promise<VideoRow>
  findById(id: string): Promise<VideoRow | null>
  remove(caller: Caller, filename: string): Promise<void>
  /** All that a user has; what is on air stays. Answers how many went. */
  removeAllOf(userId: string): Promise<number>
  /** The file that is played and broadcast; before it is ready, the one that was given. */
  playable(video: VideoRow): Promise<StoredFile & { contentType: string }>
  thumbnail(video: VideoRow): Promise<StoredFile>
  /** Takes up or clears away what a crash left half-done at least `idleMs` ago (0: this is the only program on this folder). */
  recover(idleMs: number): Promise<void>
}

interface LibraryServiceDeps {
  repo: LibraryRepo
  storage: Storage
  queue: Queue
  clock: Clock
  events: Events
  log: Log
  sealer: Sealer
  room: Room
  intake: Intake
  egress: Pick<Egress, 'parse'>
  uploadDir: string
  limitsOf: (userId: string) => Promise<LibraryLimits>
  isOnAir: (videoId: string) => Promise<boolean>
}

export function createLibraryService(deps: LibraryServiceDeps): LibraryService {
  const { repo, storage, queue, clock, events, log, sealer, room, intake, egress, uploadDir, limitsOf, isOnAir } = deps

  async function find(caller: Caller, filename: string): Promise<VideoRow> {
    const video = await repo.byFilename(caller.workspaceId, filename)
    if (!video) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    return video
  }

  /** Only a plain no is one: a disk that cannot be read now must not cost anybody a video. */
  const isMissing = (path: string): Promise<boolean> =>
    stat(path).then(
      () => false,
      (error) => {
        if (error.code === 'ENOENT') return true
        throw error
      },
    )

  /** False: it is on air, or another one was quicker. Without its row it is gone, whatever becomes of its files. */
  async function erase(video: VideoRow): Promise<boolean> {
    if (!(await repo.remove(video.id))) return false
    events.emit('video.removed', { videoId: video.id })
    await storage.remove(folderOf(video)).catch((error) => {
      log.error({ err: error, videoId: video.id }, 'the files of a deleted video could not be removed')
    })
    return true
  }

  /** From the original, under the plan of now; until that is done the master that there is stays. */
  async function needGain(video: VideoRow): Promise<void> {
    const { canImprove, tooLarge } = fitOf(video, await limitsOf(video.user_id))
    if (!canImprove && !tooLarge) throw new DomainError('video_not_failed', PLAN_TEXTS.nothingToGain)
    if (await isOnAir(video.id)) throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
  }

  async function needImportPlace(userId: string): Promise<void> {
    const waiting = await repo.importsOf(userId, WAITING_IMPORTS_MAX)
    if (waiting.length < WAITING_IMPORTS_MAX) return
    throw new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyImports(WAITING_IMPORTS_MAX))
  }

  /** Where a row that was left in the middle goes on, or whether it must go: its file is nowhere any more. */
  async function takeUp(video: VideoRow): Promise<void> {
    if (video.step === 'importing') return queue.add('import-video', video.user_id)
    const { id, original_key: key } = video
    // With a master it is being prepared again: whatever becomes of that, the master stays.
    if (video.master || (key && (await storage.head(key)))) return queue.add(jobOf(laneOf(video)), video.user_id)
    if (key && !(await isMissing(intake.arrivalOf(id)))) return intake.settle(video)
    await repo.remove(id)
    await storage.remove(folderOf(video))
  }

  return {
    async receive(caller, filename, sizeBytes, body) {
      const { workspaceId } = caller
      const videoId = randomUUID()
      const reservation = await room.reserve({ id: videoId, userId: workspaceId, kind: 'multipart', bytes: sizeBytes })
      try {
        await intake.write(videoId, body, reservation)
        const file = intake.arrivalOf(videoId)
        const video = await intake.accept({ videoId, userId: workspaceId, filename, file, reservationId: videoId })
        return toVideo(video, await limitsOf(workspaceId))
      } finally {
        await rm(intake.directoryOf(videoId), { recursive: true, force: true })
        await reservation.release()
      }
    },

    async importFrom(caller, url) {
      const address = parseImportUrl(url, egress)
      await room.need(caller.workspaceId, 0)
      const sealed = sealer.seal(new Secret(address.href))
      const video = await intake.expectImport(caller.workspaceId, importFilename(address), sealed)
      await queue.add('import-video', caller.workspaceId)
      return toVideo(video, await limitsOf(caller.workspaceId))
    },

    async retry(caller, filename) {
      const video = await find(caller, filename)
      const isReady = video.status === 'ready'
      if (isReady) await needGain(video)
      else if (video.status !== 'failed') throw new DomainError('video_not_failed', VIDEO_TEXTS.notFailed)
      const again = video.original_key ? 'prepare-video' : video.import_url_sealed ? 'import-video' : null
      if (!again)
        throw new DomainError('video_not_failed', video.reason ? storedReasonText(video.reason) : VIDEO_TEXTS.notFailed)
      if (again === 'import-video') await needImportPlace(caller.workspaceId)
      const step = again === 'prepare-video' ? 'checking' : 'importing'
      const anew = { step, progress: null, seconds_left: null, lane: null, reason: null }
      await repo.update(video.id, { status: 'processing', ...anew })
      await queue.add(again, caller.workspaceId)
      return isReady ? PLAN_TEXTS.prepareAgain : VIDEO_TEXTS.retried
    },

    async list(caller) {
      const { workspaceId } = caller
      const [rows, use, limits] = await Promise.all([
        repo.ofUser(workspaceId),
        room.use(workspaceId),
        limitsOf(workspaceId),
      ])
      return { videos: rows.map((row) => toVideo(row, limits)), storage: use }
    },

    find,
    findById: (id) => repo.byId(id),

    async remove(caller, filename) {
      const video = await find(caller, filename)
      if ((await erase(video)) || !(await isOnAir(video.id))) return
      throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
    },

    async removeAllOf(userId) {
      let erased = 0
      for (const video of await repo.ofUser(userId)) {
        if (await erase(video)) erased++
      }
      return erased
    },

    async playable(video) {
      const key = video.master?.key ?? video.original_key
      if (!key) throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
      return { ...storedFile(storage, key), contentType: video.master?.contentType ?? video.content_type }
    },

    async thumbnail({ master }) {
      if (!master?.thumbnailKey) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
      return storedFile(storage, master.thumbnailKey)
    },

    async recover(idleMs) {
      const before = clock.now() - idleMs
      const unsettled = new Set<string>()
      for (const video of await repo.unfinished(before)) {
        await takeUp(video).catch((error) => {
          log.error(
            { err: error, videoId: video.id },
            'an arrived video could not be taken up, the next start tries again',
          )
          unsettled.add(video.id)
        })
      }
      for (const leftover of await readdir(uploadDir).catch(() => [])) {
        if (unsettled.has(leftover)) continue
        const directory = intake.directoryOf(leftover)
        const touched = await stat(directory).catch(() => null)
        if (touched && touched.mtimeMs <= before) await rm(directory, { recursive: true, force: true })
      }
    },
  }
}
