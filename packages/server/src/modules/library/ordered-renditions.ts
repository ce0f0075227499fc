import { recipeFor } from '@siarin/contracts/platform-fit'
import { presetOf } from '@siarin/contracts/platform-presets'
import { fpsOf, parseRecipe, type Recipe, renditionBytes } from '@siarin/contracts/recipes'
import { RENDITION_TEXTS, RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { storedReasonText } from '@siarin/contracts/video-reasons'
import type { OrderRenditionBody, Rendition } from '@siarin/contracts/videos'
import { isAbove } from '@siarin/media/picture-gain'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { Wait } from './estimate-waits.ts'
import { jobOf } from './lanes.ts'
import { orderId, type PreparationWaits } from './preparation-waits.ts'
import { keptByRecording, type RecordingsPort } from './recordings-port.ts'
import type { MadeRendition, OrderRow, RenditionOrdersRepo } from './rendition-orders.repo.ts'
import type { RenditionStore } from './rendition-store.ts'
import type { LibraryLimits, Room } from './room.ts'
import type { VideoRow } from './video-row.ts'
import { bitrateOf } from './video-view.ts'

interface OrderedRenditionsDeps {
  orders: RenditionOrdersRepo
  masters: Pick<RenditionStore, 'clearOf'>
  storage: Storage
  queue: Pick<Queue, 'add'>
  clock: Clock
  events: Events
  room: Pick<Room, 'forRendition'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  isOnAir: (videoId: string) => Promise<boolean>
  /** Whether a list that is on air plays the video as this recipe makes it, be it much later. */
  isListOnAir: (videoId: string, recipe: string) => Promise<boolean>
  waits: PreparationWaits
  recordings: Pick<RecordingsPort, 'isKeyKept'>
}

export interface RenditionFile extends StoredFile {
  /** Its content never changes. */
  readonly key: string
  /** As large as it was when it was made. */
  readonly bytes: number
}

export type RenditionsByVideo = ReadonlyMap<string, readonly Rendition[]>

export type OrderedRenditions = ReturnType<typeof createOrderedRenditions>

/** Whether a plan allows what a recipe makes. */
export const isWithin = ({ width, height, fps }: Recipe, limits: LibraryLimits): boolean =>
  !isAbove({ shortSide: Math.min(width, height), fps: fpsOf({ fps }) }, limits)

/** What is made of videos besides their masters: ordered, told of, removed. */
export function createOrderedRenditions(deps: OrderedRenditionsDeps) {
  const { orders, queue, clock, room, limitsOf } = deps

  const viewed = createViews(deps.waits)

  async function ofVideos(videos: readonly VideoRow[]): Promise<RenditionsByVideo> {
    const view = await viewed(await orders.ofVideos(videos.map(({ id }) => id)))
    return new Map(videos.map((video) => [video.id, view(video)]))
  }

  /** Refuses what the plan does not allow, or what there is no room for beside `others` that are ordered with it. */
  async function assertPossible(video: VideoRow, recipe: Recipe, othersBytes: number): Promise<void> {
    if (video.status !== 'ready') throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
    if (!video.original_key) throw new DomainError('video_not_ready', RENDITION_TEXTS.noOriginal)
    if (!isWithin(recipe, await limitsOf(video.user_id))) throw new DomainError('plan_limit', RENDITION_TEXTS.tooLarge)
    const needed = renditionBytes(recipe, (video.duration_ms ?? 0) / 1000) + othersBytes
    const most = await room.forRendition(video, await orders.bytesOf(video.id))
    if (needed > most.bytes) throw most.refusal(needed)
  }

  async function place(video: VideoRow, recipe: string, { anew = false } = {}): Promise<void> {
    const outcome = await orders.place({ video_id: video.id, recipe }, clock.now(), { anew })
    if (outcome === 'gone') throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    if (outcome === 'too-many') throw tooMany()
    if (outcome === 'placed') await queue.add(jobOf('long'), video.user_id)
  }

  return {
    ofVideos,

    async ofUser(userId: string): Promise<(video: VideoRow) => Rendition[]> {
      return viewed(await orders.ofUser(userId))
    },

    /** One, by its recipe or for a platform. Ordered twice, it is made once. */
    async order(video: VideoRow, asked: OrderRenditionBody): Promise<Rendition> {
      const text = asked.recipe ?? presetRecipe(video, asked.preset ?? '')
      const recipe = parseRecipe(text)
      if (!recipe) throw new DomainError('invalid_input', RENDITION_TEXTS.recipeInvalid)
      const known = (await ofVideos([video])).get(video.id)?.find((one) => one.recipe === text)
      if (known && known.state !== 'failed') return known
      await assertPossible(video, recipe, 0)
      await place(video, text)
      const placed = (await ofVideos([video])).get(video.id)?.find((one) => one.recipe === text)
      if (!placed) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
      return placed
    },

    /** Of several videos at once: all or none, by the room that they need together. What there is of it is made anew. */
    async orderAll(videos: readonly VideoRow[], text: string): Promise<void> {
      const recipe = parseRecipe(text)
      if (!recipe) throw new DomainError('invalid_input', RENDITION_TEXTS.recipeInvalid)
      const known = await ofVideos(videos)
      let othersBytes = 0
      for (const video of videos) {
        const others = known.get(video.id)?.filter((one) => one.recipe !== text) ?? []
        if (others.length >= RENDITIONS_MAX) throw tooMany()
        await assertPossible(video, recipe, othersBytes)
        othersBytes += renditionBytes(recipe, (video.duration_ms ?? 0) / 1000)
      }
      for (const video of videos) await place(video, text, { anew: true })
    },

    /** The files of those that are ready, by video. A smaller plan may not allow any more what was made under a larger one. */
    async filesOf(videos: readonly VideoRow[], text: string): Promise<ReadonlyMap<string, RenditionFile>> {
      const [recipe, owner] = [parseRecipe(text), videos[0]?.user_id]
      if (!recipe || owner === undefined || !isWithin(recipe, await limitsOf(owner))) return new Map()
      const { made } = await orders.ofVideos(videos.map(({ id }) => id))
      const own = made.filter((one) => one.recipe === text)
      return new Map(
        own.map(({ video_id, key, bytes }) => [video_id, { key, bytes, ...storedFile(deps.storage, key) }]),
      )
    },

    /** What is still to be made is made no more; the file of one that is ready goes. */
    async remove(video: VideoRow, recipe: string): Promise<void> {
      const key = { video_id: video.id, recipe }
      if (await orders.remove(key)) {
        // Whoever is at it stops.
        deps.events.emit('video.removed', { videoId: video.id })
        return
      }
      const ready = await orders.ready(key)
      if (!ready) throw new DomainError('not_found', RENDITION_TEXTS.notFound)
      if (await deps.isOnAir(video.id)) throw new DomainError('video_on_air', RENDITION_TEXTS.onAir)
      if (await deps.isListOnAir(video.id, recipe)) throw new DomainError('video_on_air', RENDITION_TEXTS.listOnAir)
      if (await deps.recordings.isKeyKept(ready.key)) throw keptByRecording()
      await orders.retire(key)
      await deps.masters.clearOf(video.id, recipe)
    },
  }
}

const createViews =
  (waitsOf: PreparationWaits) =>
  async ({ made, orders }: { made: readonly MadeRendition[]; orders: readonly OrderRow[] }) => {
    const isWaiting = orders.some(({ state, progress }) => state !== 'failed' && progress === null)
    const waits = isWaiting ? await waitsOf() : new Map<string, Wait>()
    return (video: VideoRow): Rendition[] => [
      ...made.filter(({ video_id }) => video_id === video.id).map((one) => readyView(one, video)),
      ...orders
        .filter(({ video_id }) => video_id === video.id)
        .map((one) => orderView(one, waits.get(orderId(one)) ?? null)),
    ]
  }

const tooMany = (): DomainError => new DomainError('invalid_input', RENDITION_TEXTS.tooMany(RENDITIONS_MAX))

function presetRecipe(video: VideoRow, presetId: string): string {
  const preset = presetOf(presetId)
  if (!preset) throw new DomainError('invalid_input', RENDITION_TEXTS.presetUnknown)
  if (video.status !== 'ready') throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
  const { width, height, fps, video_codec: videoCodec } = video
  const recipe = recipeFor({ status: 'ready', width, height, fps, videoCodec, bitrate: bitrateOf(video) }, preset)
  if (!recipe) throw new DomainError('invalid_input', RENDITION_TEXTS.nothingToMend(preset.name))
  return recipe
}

const readyView = ({ recipe, bytes }: MadeRendition, { duration_ms }: VideoRow): Rendition => ({
  ...{ recipe, state: 'ready', progress: null, secondsLeft: null, queue: null, reason: null, size: bytes },
  // Bits per millisecond are kilobits per second.
  bitrate: duration_ms ? Math.round((bytes * 8) / duration_ms) : null,
})

const orderView = ({ recipe, state, progress, seconds_left, reason }: OrderRow, wait: Wait | null): Rendition => ({
  ...{ recipe, state, progress, secondsLeft: seconds_left, size: 0, bitrate: null },
  queue: state !== 'failed' && progress === null ? wait : null,
  reason: reason === null ? null : storedReasonText(reason),
})
