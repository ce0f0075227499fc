import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AS_IS } from '@siarin/contracts/recipes'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video, VideoListAnswer, VideoListQuery, VideoPreparation } from '@siarin/contracts/videos'
import type { LoopList } from '@siarin/media/loop-plan'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { Caller } from '../identity/caller.ts'
import { importFilename, parseImportUrl } from './import-url.ts'
import type { Intake } from './intake.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { OrderedRenditions } from './ordered-renditions.ts'
import { MASTER_TYPE } from './preparation/make-master.ts'
import type { PreparationWaits } from './preparation-waits.ts'
import type { VideoOutline, VideoPlace } from './read-videos.repo.ts'
import type { RecordingsPort } from './recordings-port.ts'
import { createRemovals } from './remove-videos.ts'
import type { RenditionOrdersRepo } from './rendition-orders.repo.ts'
import { createRetry } from './retry-video.ts'
import type { LibraryLimits, Room } from './room.ts'
import type { VideoRow } from './video-row.ts'
import { preparationOf, toVideo } from './video-view.ts'

/** `bytes`: as large as it was when it was made; null: nobody wrote that down. */
type SizedFile = StoredFile & { readonly key: string; readonly bytes: number | null }

/** What is played and broadcast of a video. */
interface PlayableFile extends SizedFile {
  readonly contentType: string
  /** How its end meets its beginning; null: it loops by itself. */
  readonly loop: LoopList | null
  /** What is played behind it before it begins anew. */
  readonly tail: SizedFile | null
}

export interface LibraryService {
  /** `sizeBytes`: as the caller announced it, null when it did not. */
  receive(caller: Caller, filename: string, sizeBytes: number | null, body: Readable): Promise<Video>
  /** Fetches the video behind an address in the background. */
  importFrom(caller: Caller, url: string): Promise<Video>
  /** The same of a recording: `address` begins with `recording:`. */
  importRecording(caller: Caller, asked: { address: string; filename: string }): Promise<Video>
  /** A failed one, or one that its owner's plan allows to be more, or no longer allows to be as it is. Answers what to say. */
  retry(caller: Caller, filename: string): Promise<string>
  /** Newest first. */
  page(caller: Caller, asked: VideoListQuery): Promise<Omit<VideoListAnswer, 'success' | 'message'>>
  /** The caller's own video; somebody else's is not found. */
  find(caller: Caller, filename: string): Promise<VideoRow>
  findById(id: string): Promise<VideoRow | null>
  findAll(ids: readonly string[]): Promise<VideoRow[]>
  outlinesOf(ids: readonly string[]): Promise<VideoOutline[]>
  /** Those of the workspace that have these names. */
  outlinesNamed(workspaceId: string, filenames: readonly string[]): Promise<VideoOutline[]>
  /** How far those are that are not ready yet, by id. */
  preparations(ids: readonly string[]): Promise<ReadonlyMap<string, VideoPreparation>>
  remove(caller: Caller, filename: string): Promise<void>
  /** All that a user has; what is on air stays. Answers how many went. */
  removeAllOf(userId: string): Promise<number>
  /** The file that is played and broadcast; before it is ready, the one that was sent. */
  playable(video: VideoRow): Promise<PlayableFile>
  /** The same of a rendition; null: it is not ready. */
  playableRendition(video: VideoRow, recipe: string): Promise<PlayableFile | null>
  /** What is made of videos besides that. */
  readonly renditions: OrderedRenditions
  /** Whether some of these videos are still to be made by this recipe. */
  hasOpenOrders(videoIds: readonly string[], recipe: string): Promise<boolean>
  thumbnail(video: VideoRow): Promise<StoredFile>
}

interface LibraryServiceDeps {
  repo: LibraryRepo
  storage: Storage
  queue: Queue
  events: Events
  log: Log
  sealer: Sealer
  room: Room
  intake: Intake
  egress: Pick<Egress, 'parse'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  isOnAir: (videoId: string) => Promise<boolean>
  waits: PreparationWaits
  orders: RenditionOrdersRepo
  renditions: OrderedRenditions
  recordings: RecordingsPort
  leaveLists: (videoId: string) => Promise<void>
  leaveEnded: (videoId: string) => Promise<void>
}

function readCursor(cursor: string): VideoPlace {
  const [, createdAt = '', id = ''] = /^(\d{1,15})-([\w-]{1,100})$/.exec(cursor) ?? []
  if (id === '') throw new DomainError('invalid_input', VIDEO_TEXTS.cursorInvalid)
  return { createdAt: Number(createdAt), id }
}

const NO_WAITS: Awaited<ReturnType<PreparationWaits>> = new Map()

export function createLibraryService(deps: LibraryServiceDeps): LibraryService {
  const { repo, storage, room, intake, egress, limitsOf, orders, renditions } = deps
  const { removeVideo, removeAllOf } = createRemovals(deps)
  const retryVideo = createRetry(deps)
  const expectImport = createExpectImport(deps)

  async function find(caller: Caller, filename: string): Promise<VideoRow> {
    const video = await repo.byFilename(caller.workspaceId, filename)
    if (!video) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    return video
  }

  /** Only where somebody may have to wait. */
  const waitsOf = async (rows: readonly VideoRow[]) =>
    rows.some(({ status, progress }) => status === 'processing' && progress === null) ? deps.waits() : NO_WAITS

  return {
    async receive(caller, filename, sizeBytes, body) {
      const { workspaceId } = caller
      const videoId = randomUUID()
      const reservation = await room.reserve({ id: videoId, userId: workspaceId, kind: 'multipart', bytes: sizeBytes })
      try {
        await intake.write(videoId, body, reservation)
        const arrived = { file: intake.arrivalOf(videoId) }
        const video = await intake.accept({ videoId, userId: workspaceId, filename, arrived, reservationId: videoId })
        return toVideo(video, await limitsOf(workspaceId))
      } finally {
        // Before what a disk may refuse: nobody else would give it back.
        await reservation.release()
        await rm(intake.directoryOf(videoId), { recursive: true, force: true })
      }
    },

    async importFrom({ workspaceId }, url) {
      const address = parseImportUrl(url, egress)
      return expectImport(workspaceId, address.href, importFilename(address))
    },
    importRecording: ({ workspaceId }, { address, filename }) => expectImport(workspaceId, address, filename),

    async page({ workspaceId }, { cursor, limit }) {
      const behind = cursor === undefined ? null : readCursor(cursor)
      const [rows, storageUse, limits] = await Promise.all([
        repo.pageOf(workspaceId, behind, limit + 1),
        room.use(workspaceId),
        limitsOf(workspaceId),
      ])
      const shown = rows.slice(0, limit)
      const [waits, renditionsOf] = await Promise.all([waitsOf(shown), renditions.ofVideos(shown)])
      const view = (row: VideoRow): Video =>
        toVideo(row, limits, { wait: waits.get(row.id) ?? null, renditions: renditionsOf.get(row.id) ?? [] })
      const last = rows.length > limit ? shown.at(-1) : undefined
      return { data: shown.map(view), storage: storageUse, nextCursor: last ? `${last.created_at}-${last.id}` : null }
    },

    find,
    findById: (id) => repo.byId(id),
    findAll: (ids) => repo.byIds(ids),
    outlinesOf: (ids) => repo.outlinesOf(ids),
    outlinesNamed: (workspaceId, filenames) => repo.outlinesNamed(workspaceId, filenames),

    async preparations(ids) {
      const rows = (await repo.byIds(ids)).filter(({ status }) => status === 'processing')
      const waits = await waitsOf(rows)
      return new Map(rows.map((row) => [row.id, preparationOf(row, waits.get(row.id) ?? null)]))
    },

    retry: async (caller, filename) => retryVideo(await find(caller, filename)),
    remove: async (caller, filename) => removeVideo(await find(caller, filename)),
    removeAllOf,

    playable: async (video) => playableOf(video, storage),

    async playableRendition(video, recipe) {
      const file = recipe === AS_IS ? undefined : (await renditions.filesOf([video], recipe)).get(video.id)
      return file ? { ...file, contentType: MASTER_TYPE, loop: null, tail: null } : null
    },
    renditions,
    hasOpenOrders: async (videoIds, recipe) => (await orders.countOpen(videoIds, recipe)) > 0,

    async thumbnail({ master }) {
      if (!master?.thumbnailKey) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
      return storedFile(storage, master.thumbnailKey)
    },
  }
}

const createExpectImport =
  ({ intake, queue, sealer, limitsOf }: LibraryServiceDeps) =>
  async (workspaceId: string, address: string, filename: string): Promise<Video> => {
    const video = await intake.expectImport(workspaceId, filename, sealer.seal(new Secret(address)))
    await queue.add('import-video', workspaceId)
    return toVideo(video, await limitsOf(workspaceId))
  }

function playableOf(video: VideoRow, storage: Storage): PlayableFile {
  const key = video.master?.key ?? video.original_key
  if (!key) throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
  const { loop = null, tailKey = null, contentType = video.content_type } = video.master ?? {}
  const sizes = sizesOf(video)
  const tail = tailKey ? { ...storedFile(storage, tailKey), key: tailKey, bytes: sizes.tail } : null
  return { ...storedFile(storage, key), key, bytes: sizes.file, contentType, loop, tail }
}

/** Sizes of the played file and of what is played behind it. A row has the size of the original, and of all that was made beside it. */
function sizesOf({ original_key, original_bytes, master }: VideoRow): { file: number | null; tail: number | null } {
  const known = (bytes: number): number | null => (bytes > 0 ? bytes : null)
  if (!master || master.key === original_key) return { file: known(original_bytes), tail: known(master?.bytes ?? 0) }
  return { file: master.tailKey === null ? known(master.bytes) : null, tail: null }
}
