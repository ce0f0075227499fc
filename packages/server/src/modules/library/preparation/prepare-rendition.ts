import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseRecipe, type Recipe, renditionBytes } from '@siarin/contracts/recipes'
import { storedForm } from '@siarin/contracts/video-reasons'
import { recipePlan } from '@siarin/media/prepare-plan'
import { readiness } from '@siarin/media/readiness'
import { isTooLongToMake, isTooSparse, workIn } from '@siarin/media/work-bounds'
import { DomainError } from '../../../errors.ts'
import type { JobOutcome } from '../../../platform/queue/queue.ts'
import { type Storage, storedFile, withPinned } from '../../../platform/storage/storage.ts'
import type { BrandLooks } from '../../branding/brand-looks.ts'
import { createProgressReport } from '../progress-report.ts'
import type { OrderKey, RenditionOrdersRepo } from '../rendition-orders.repo.ts'
import type { RenditionStore } from '../rendition-store.ts'
import { reasonOf, unusable } from '../video-refused.ts'
import { folderOf, type VideoRow } from '../video-row.ts'
import type { PermitFor } from '../work-permit.ts'
import { createEncode } from './encode-master.ts'
import { MASTER_TYPE, type MasterDeps } from './make-master.ts'
import { createBrandPreparation, type PreparedBrand } from './prepare-brand.ts'
import { assertReadable, scanPackets } from './scan-packets.ts'

export interface PrepareRenditionDeps extends MasterDeps {
  storage: Storage
  masters: RenditionStore
  orders: RenditionOrdersRepo
  looks: Pick<BrandLooks, 'of'>
  permitFor: PermitFor
}

const WORK_PART = 'rendition'

interface Making {
  readonly recipe: Recipe
  readonly brand: PreparedBrand
  /** The video's original. */
  readonly input: string
}

/** One rendition that somebody ordered, from its work folder to its end, however it ends. The master is not touched. */
export function createRenditionPreparation(deps: PrepareRenditionDeps) {
  const { repo, storage, masters, orders, room, log, inspect, ffprobePath, limitsOf, workOf, permitFor, timings } = deps
  const encode = createEncode(deps)
  const withBrand = createBrandPreparation(deps)

  async function make(video: VideoRow, order: OrderKey, { recipe, brand, input }: Making, signal: AbortSignal) {
    const probe = await inspect(input)
    const scanned = assertReadable(await scanPackets(ffprobePath, input, { baseMs: timings.scanMs, signal }))
    const verdict = readiness(probe, scanned.keyframes)
    if (verdict.kind === 'unusable') throw unusable('unreadable')
    const plan = recipePlan(probe, verdict, recipe, scanned.keyframes?.spanSeconds, brand.plan)
    if (isTooSparse(plan, scanned.packets)) throw unusable('too-sparse')
    const { makingHours } = await limitsOf(video.user_id)
    const work = workIn(probe, plan, scanned.packets)
    if (isTooLongToMake(work, makingHours)) throw unusable('too-long-for-plan')
    const expectedBytes = renditionBytes(recipe, plan.durationSeconds)
    const most = await room.forRendition(video, await orders.bytesOf(video.id))
    await orders.update(order, { state: 'preparing', progress: 0, seconds_left: null })
    const report = createProgressReport((progress) => orders.update(order, progress))
    const output = join(workOf(video, WORK_PART), 'rendition.mp4')
    const files = { input, output, overlays: brand.files }
    const encoding = { plan, work, ...files, most, expectedBytes, report: report.at }
    const { bytes, faults } = await encode(video, encoding, signal)
    if (faults.length > 0) {
      log.error({ videoId: video.id, recipe: order.recipe, faults }, 'a rendition would not loop')
      throw unusable('prepare-failed')
    }
    await masters.publishOrdered(video, order.recipe, { file: output, bytes, contentType: MASTER_TYPE })
  }

  /** Its owner reads why, and may ask again. */
  async function giveUp(order: OrderKey, error: unknown): Promise<void> {
    if (!(error instanceof DomainError)) log.error({ err: error, videoId: order.video_id }, 'a rendition was not made')
    const reason = storedForm(error instanceof DomainError ? reasonOf(error) : { code: 'prepare-failed' })
    await orders.update(order, { state: 'failed', progress: null, seconds_left: null, reason })
  }

  return async (video: VideoRow, order: OrderKey, signal: AbortSignal): Promise<JobOutcome> => {
    const recipe = parseRecipe(order.recipe)
    const key = video.original_key
    // A later version may know more recipes; without its original nothing can be made of a video.
    if (!recipe || !key) {
      await giveUp(order, unusable('prepare-failed'))
      return 'done'
    }
    const permit = permitFor(video, () => orders.isOpen(order))
    try {
      await mkdir(workOf(video, WORK_PART), { recursive: true, mode: 0o700 })
      const both = AbortSignal.any([signal, permit.signal])
      const folder = workOf(video, WORK_PART)
      await withBrand({ userId: video.user_id, recipe, folder, signal: both }, (brand) =>
        withPinned(storedFile(storage, key), (input) => make(video, order, { recipe, brand, input }, both)),
      )
      return 'done'
    } catch (error) {
      if (signal.aborted) return 'again'
      if (permit.signal.aborted) await orders.update(order, { state: 'waiting', progress: null, seconds_left: null })
      else await giveUp(order, error)
      return 'done'
    } finally {
      permit.release()
      await rm(workOf(video, WORK_PART), { recursive: true, force: true })
      // Deleted meanwhile, perhaps on another machine: what was made in its name goes too.
      if (!(await repo.byId(video.id))) await storage.remove(folderOf(video))
      else await masters.clearOf(video.id, order.recipe)
    }
  }
}
