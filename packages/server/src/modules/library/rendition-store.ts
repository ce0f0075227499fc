import { randomUUID } from 'node:crypto'
import { AS_IS } from '@siarin/contracts/recipes'
import type { LoopList } from '@siarin/media/loop-plan'
import type { Updateable } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { RecordingsPort } from './recordings-port.ts'
import type { RenditionRow, RenditionsRepo, StaleRendition } from './renditions.repo.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface RenditionStoreDeps {
  renditions: RenditionsRepo
  storage: Pick<Storage, 'put' | 'remove'>
  clock: Clock
  log: Log
  isOnAir: (videoId: string) => Promise<boolean>
  isPlayed: (videoId: string, recipe: string) => Promise<boolean>
  recordings: Pick<RecordingsPort, 'isKeyKept'>
}

/** What a preparation has made. `file`: on this machine; null: the original is fit as it is. */
export interface MadeMaster {
  readonly file: string | null
  readonly bytes: number
  readonly contentType: string
  /** How its end meets its beginning; null: it loops by itself. */
  readonly loop: LoopList | null
  /** A file of this machine that is played behind it. */
  readonly tail: string | null
}

type BegunRendition = Omit<RenditionRow, 'state'>

/** A preparation's last steps take minutes where a file has to be copied, never so long. */
const ABANDONED_MS = 86_400_000
/** The machine that has made it is likely to play it. */
const PLAYED = { isPlayed: true }

export type RenditionStore = ReturnType<typeof createRenditionStore>

/** Masters and their pictures: the row first, then the files under names that are used once, then both are the video's. */
export function createRenditionStore(deps: RenditionStoreDeps) {
  const { renditions, storage, clock, log, recordings } = deps
  /** A video that is on air as it is needs nothing else that was made of it. */
  const isPlayed = ({ video_id, recipe }: StaleRendition): Promise<boolean> =>
    recipe === AS_IS ? deps.isOnAir(video_id) : deps.isPlayed(video_id, recipe)

  /** Files first: the row is what tells of them. */
  async function clear({ id, key, tail_key, thumbnail_key, original_key }: StaleRendition): Promise<void> {
    if (key !== original_key) await storage.remove(key)
    if (tail_key) await storage.remove(tail_key)
    if (thumbnail_key) await storage.remove(thumbnail_key)
    await renditions.remove(id)
  }

  /** What cannot go now goes later: nobody waits for it. */
  async function clearEach(found: readonly StaleRendition[]): Promise<void> {
    for (const rendition of found) {
      const { id, video_id: videoId, state } = rendition
      try {
        // The broadcast began with it before there was a newer one.
        if (state === 'replaced' && (await isPlayed(rendition))) continue
        if (await recordings.isKeyKept(rendition.key)) continue
        await clear(rendition)
      } catch (error) {
        log.warn({ err: error, videoId, renditionId: id }, 'a master of no use could not be removed')
      }
    }
  }

  return {
    /** Publishes a rendition whose recipe somebody ordered. False: nobody wants it any more. */
    async publishOrdered(video: VideoRow, recipe: string, made: { file: string; bytes: number; contentType: string }) {
      const id = randomUUID()
      const key = `${folderOf(video)}rendition-${id}.mp4`
      const { bytes, contentType: content_type } = made
      const rendition: BegunRendition = {
        ...{ id, video_id: video.id, recipe, key, bytes, content_type, created_at: clock.now() },
        ...{ loop: null, tail_key: null, thumbnail_key: null },
      }
      if (!(await renditions.begin(rendition))) return false
      await storage.put(key, made.file, PLAYED)
      if (await renditions.finishOrdered(rendition)) return true
      await clear({ ...rendition, state: 'preparing', original_key: video.original_key })
      return false
    },

    /** Null: the video is gone. */
    async begin(video: VideoRow, originalKey: string, made: MadeMaster): Promise<BegunRendition | null> {
      const id = randomUUID()
      const rendition: BegunRendition = {
        id,
        video_id: video.id,
        recipe: AS_IS,
        key: made.file === null ? originalKey : `${folderOf(video)}master-${id}.mp4`,
        bytes: made.bytes,
        content_type: made.contentType,
        loop: made.loop && JSON.stringify(made.loop),
        tail_key: made.tail && `${folderOf(video)}tail-${id}.mp4`,
        thumbnail_key: `${folderOf(video)}thumbnail-${id}.jpg`,
        created_at: clock.now(),
      }
      if (!(await renditions.begin(rendition))) return null
      if (made.file !== null) await storage.put(rendition.key, made.file, PLAYED)
      if (made.tail !== null && rendition.tail_key !== null) await storage.put(rendition.tail_key, made.tail, PLAYED)
      return rendition
    },

    /** `picture`: a file of this machine; null: there is none. */
    async addPicture(rendition: BegunRendition, picture: string | null): Promise<BegunRendition> {
      if (picture === null || rendition.thumbnail_key === null) return { ...rendition, thumbnail_key: null }
      await storage.put(rendition.thumbnail_key, picture)
      return rendition
    },

    /** From here on it is the video's master. False: the video is gone, or another preparation of it was quicker. */
    async finish(video: VideoRow, rendition: BegunRendition, facts: Updateable<VideoTable>): Promise<boolean> {
      if (await renditions.finish(rendition, facts)) return true
      const { id, key, tail_key, thumbnail_key, video_id, recipe } = rendition
      const own = { id, key, tail_key, thumbnail_key, video_id, recipe }
      await clear({ ...own, state: 'preparing', original_key: video.original_key })
      return false
    },

    /** After a preparation of this video, however it ended. What is replaced stays while it may be on air, see `clearLeft`. */
    async clearOf(videoId: string, recipe: string = AS_IS): Promise<void> {
      await clearEach(await renditions.staleOf(videoId, recipe))
    },

    /** For all videos: what was on air when it was replaced, and what a crash left. */
    async clearLeft(): Promise<void> {
      await clearEach(await renditions.staleOfAll(clock.now() - ABANDONED_MS))
    },
  }
}
