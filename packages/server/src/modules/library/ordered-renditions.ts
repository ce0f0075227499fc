import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { fpsOf, parseRecipe, type Recipe, renditionBytes } from '@siarin/contracts/recipes'
import { RENDITION_TEXTS, RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { OrderRenditionBody, Rendition } from '@siarin/contracts/videos'
import { isAbove } from '@siarin/media/picture-gain'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { BrandLooks } from '../branding/brand-looks.ts'
import { createAskedRecipe } from './asked-recipe.ts'
import { jobOf } from './lanes.ts'
import type { PreparationWaits } from './preparation-waits.ts'
import { keptByRecording, type RecordingsPort } from './recordings-port.ts'
import type { RenditionOrdersRepo } from './rendition-orders.repo.ts'
import type { RenditionStore } from './rendition-store.ts'
import { createRenditionViews } from './rendition-views.ts'
import type { LibraryLimits, Room } from './room.ts'
import type { VideoRow } from './video-row.ts'

interface OrderedRenditionsDeps {
  orders: RenditionOrdersRepo
  masters: Pick<RenditionStore, 'clearOf'>
  storage: Storage
  queue: Pick<Queue, 'add'>
  clock: Clock
  events: Events
  room: Pick<Room, 'forRendition' | 'assertDiskRoom'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  looks: BrandLooks
  isOnAir: (videoId: string) => Promise<boolean>
  /** Whether a broadcast plays the video as this recipe makes it, or a list that is on air, be it much later. */
  isPlayed: (videoId: string, recipe: string) => Promise<boolean>
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
  const viewed = createRenditionViews(deps)
  const askedRecipe = createAskedRecipe(deps)
  async function ofVideos(videos: readonly VideoRow[]): Promise<RenditionsByVideo> {
    const owner = videos[0]?.user_id ?? ''
    const view = await viewed(owner, await orders.ofVideos(videos.map(({ id }) => id)))
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
    await room.assertDiskRoom(needed)
  }

  async function place(video: VideoRow, recipe: string, { anew = false } = {}): Promise<void> {
    const outcome = await orders.place({ video_id: video.id, recipe }, clock.now(), { anew })
    if (outcome === 'gone') throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    if (outcome === 'too-many') throw tooMany()
    if (outcome === 'placed') await queue.add(jobOf('long'), video.user_id)
  }

  return {
    ofVideos,

    /** One, by its recipe or for a platform. Ordered twice, it is made once. */
    async order(video: VideoRow, asked: OrderRenditionBody): Promise<Rendition> {
      const { text: wanted, settle } = await askedRecipe(video, asked)
      const recipe = parseRecipe(wanted)
      if (!recipe) throw new DomainError('invalid_input', RENDITION_TEXTS.recipeInvalid)
      const there = (await ofVideos([video])).get(video.id) ?? []
      const known = there.find((one) => one.recipe === wanted)
      if (known && known.state !== 'failed') return known
      await assertPossible(video, recipe, 0)
      if (there.filter((one) => one.recipe !== wanted).length >= RENDITIONS_MAX) throw tooMany()
      const text = await settle()
      await place(video, text)
      const placed = (await ofVideos([video])).get(video.id)?.find((one) => one.recipe === text)
      if (!placed) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
      return placed
    },

    /** Orders it for several videos at once: all or none, by the room that they need together. What there is of it is made anew. */
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

    assertUsable: createUsableCheck(deps),

    remove: createRemoval(deps),
  }
}

/** What is still to be made is made no more; the file of one that is ready goes. */
const createRemoval =
  ({ orders, ...deps }: OrderedRenditionsDeps) =>
  async (video: VideoRow, recipe: string): Promise<void> => {
    const key = { video_id: video.id, recipe }
    if (await orders.remove(key)) {
      // A job that is at it stops.
      deps.events.emit('video.removed', { videoId: video.id })
      return
    }
    const ready = await orders.ready(key)
    if (!ready) throw new DomainError('not_found', RENDITION_TEXTS.notFound)
    if (await deps.isOnAir(video.id)) throw new DomainError('video_on_air', RENDITION_TEXTS.onAir)
    if (await deps.isPlayed(video.id, recipe)) throw new DomainError('video_on_air', RENDITION_TEXTS.listOnAir)
    if (await deps.recordings.isKeyKept(ready.key)) throw keptByRecording()
    await orders.retire(key)
    await deps.masters.clearOf(video.id, recipe)
  }

/** Refuses a rendition that a broadcast asks for, unless it is ready and the plan of now allows it. */
const createUsableCheck =
  ({ orders, limitsOf, looks }: Pick<OrderedRenditionsDeps, 'orders' | 'limitsOf' | 'looks'>) =>
  async (video: VideoRow, text: string): Promise<void> => {
    const recipe = parseRecipe(text)
    if (!recipe) throw new DomainError('invalid_input', BRANDING_TEXTS.renditionInvalid)
    if (!(await orders.ready({ video_id: video.id, recipe: text }))) {
      throw new DomainError('video_not_ready', BRANDING_TEXTS.renditionNotReady)
    }
    if (!isWithin(recipe, await limitsOf(video.user_id))) throw new DomainError('plan_limit', RENDITION_TEXTS.tooLarge)
    if (recipe.look !== undefined) await looks.assertAllowed(video.user_id, recipe.look)
  }

const tooMany = (): DomainError => new DomainError('invalid_input', RENDITION_TEXTS.tooMany(RENDITIONS_MAX))
