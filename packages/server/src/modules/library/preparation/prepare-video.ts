import { createBoundedMap } from '../../../platform/bounded-map.ts'
import type { JobHandler, JobOutcome, Queue } from '../../../platform/queue/queue.ts'
import { jobOf, type Lane } from '../lanes.ts'
import { BEFORE_ALL } from '../read-videos.repo.ts'
import type { VideoRow } from '../video-row.ts'
import { createPrepareOne, type PrepareOneDeps } from './prepare-one.ts'
import { createRenditionPreparation, type PrepareRenditionDeps } from './prepare-rendition.ts'

interface PrepareDeps extends PrepareOneDeps, PrepareRenditionDeps {
  queue: Pick<Queue, 'add'>
  mayWork: (userId: string) => Promise<boolean>
}

/** Videos that are deleted meanwhile are never prepared again; one that is forgotten is only tried before others of its user. */
const MOST_MISHAPS = 1_000
/** A user may have thousands that wait, and one is wanted: more are read only where nothing can be made of these now. */
const READ_AT_ONCE = 50

/**
 * Turns originals into what can be looped for weeks without re-encoding; does nothing that need not be done. The job is the user's, not
 * the video's: a user who uploads fifty at once has one at a time prepared in each lane, and the next waits behind the other users'.
 */
export function createPrepareJob(deps: PrepareDeps, lane: Lane): JobHandler {
  const { repo, storage, queue, orders, mayWork } = deps
  const prepareOne = createPrepareOne(deps, lane)
  const prepareRendition = createRenditionPreparation(deps)

  /** A row is there a moment before its file is. One that is prepared again must be told if its file is gone. */
  const isThere = async ({ original_key: key, master }: VideoRow): Promise<boolean> =>
    key !== null && (master !== null || (await storage.head(key).catch(() => null)) !== null)

  async function handOver({ id, user_id: userId }: VideoRow): Promise<void> {
    await repo.update(id, { lane: 'long', step: 'preparing', progress: null, seconds_left: null })
    await queue.add(jobOf('long'), userId)
  }

  const hasOrders = async (userId: string): Promise<boolean> =>
    lane === 'long' && (await orders.openOf(userId, 1)).length > 0

  /** What can go on air already waits behind what cannot. */
  async function makeOrdered(userId: string, signal: AbortSignal): Promise<JobOutcome> {
    const [order, another] = await orders.openOf(userId, 2)
    const video = order && (await repo.byId(order.video_id))
    if (!video) return 'done'
    const outcome = await prepareRendition(video, order, signal)
    if (outcome === 'done' && another) await queue.add(jobOf(lane), userId)
    return outcome
  }

  /** How often something unforeseen came between, in this run of the program: those are tried again behind the user's others. */
  const mishaps = createBoundedMap<number>(MOST_MISHAPS)
  const mishapsOf = ({ id }: VideoRow): number => mishaps.get(id) ?? 0

  /** The oldest of those that the fewest mishaps befell. */
  async function nextOf(userId: string): Promise<{ video: VideoRow | null; isOnly: boolean }> {
    let found: VideoRow | null = null
    let seen = 0
    for (let behind = BEFORE_ALL; ; ) {
      const some = await repo.preparationsOf({ userId, lane }, behind, READ_AT_ONCE)
      seen += some.length
      for (const video of some) {
        if (found && mishapsOf(video) >= mishapsOf(found)) continue
        if (await isThere(video)) found = video
        if (found && mishapsOf(found) === 0) return { video: found, isOnly: seen === 1 }
      }
      const last = some.at(-1)
      if (!last || some.length < READ_AT_ONCE) return { video: found, isOnly: seen === 1 }
      behind = { createdAt: last.created_at, id: last.id }
    }
  }

  return async (userId, { signal }) => {
    // The rows stay: a user who is reinstated finds them going on (see refill-library).
    if (!(await mayWork(userId))) return 'done'
    const { video, isOnly } = await nextOf(userId)
    if (!video?.original_key) return lane === 'long' ? makeOrdered(userId, signal) : 'done'
    try {
      const outcome = await prepareOne(video, video.original_key, signal)
      if (outcome === 'again') return 'again'
      // Not before its work folder is cleared: the other lane makes it anew.
      if (outcome === 'needs-long') await handOver(video)
      mishaps.delete(video.id)
      if (!isOnly || (await hasOrders(userId))) await queue.add(jobOf(lane), userId)
      return 'done'
    } catch (error) {
      mishaps.set(video.id, mishapsOf(video) + 1)
      throw error
    }
  }
}
