import { WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import { PLAN_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { storedForm, storedReasonText } from '@siarin/contracts/video-reasons'
import { DomainError } from '../../errors.ts'
import type { JobKind, Queue } from '../../platform/queue/queue.ts'
import { jobOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { LibraryLimits } from './room.ts'
import { tooManyImports } from './video-refused.ts'
import type { VideoRow } from './video-row.ts'
import { fitOf } from './video-view.ts'

interface RetryDeps {
  repo: Pick<LibraryRepo, 'beginAgain'>
  queue: Pick<Queue, 'add'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
  isOnAir: (videoId: string) => Promise<boolean>
}

/** Prepares or fetches a video again. Answers what to say. */
export function createRetry({ repo, queue, limitsOf, isOnAir }: RetryDeps): (video: VideoRow) => Promise<string> {
  /** From the original, under the plan of now; until that is done the master that there is stays. */
  async function assertCanChange(video: VideoRow): Promise<void> {
    const { canImprove, tooLarge } = fitOf(video, await limitsOf(video.user_id))
    if (!canImprove && !tooLarge) throw new DomainError('video_not_failed', PLAN_TEXTS.nothingToGain)
    if (await isOnAir(video.id)) throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
  }

  return async (video) => {
    const isReady = video.status === 'ready'
    if (isReady) await assertCanChange(video)
    else if (video.status !== 'failed') throw new DomainError('video_not_failed', VIDEO_TEXTS.notFailed)
    const job = jobToRepeat(video)
    if (!job)
      throw new DomainError('video_not_failed', video.reason ? storedReasonText(video.reason) : VIDEO_TEXTS.notFailed)
    const isImport = job === 'import-video'
    const lane = job === jobOf('long') ? 'long' : null
    const anew = { status: 'processing', progress: null, seconds_left: null, lane, reason: null }
    const step = isImport ? 'importing' : 'checking'
    const outcome = await repo.beginAgain(video, { ...anew, step }, isImport ? WAITING_IMPORTS_MAX : null)
    if (outcome === 'full') throw tooManyImports()
    if (outcome === 'changed') throw new DomainError('video_not_failed', VIDEO_TEXTS.notFailed)
    await queue.add(job, video.user_id)
    return isReady ? PLAN_TEXTS.prepareAgain : VIDEO_TEXTS.retried
  }
}

/** Null: there is neither a file nor an address to begin with. */
function jobToRepeat(video: Pick<VideoRow, 'original_key' | 'import_url_sealed' | 'reason'>): JobKind | null {
  // What took longer than the long lane gives it does not begin by keeping the quick one from others.
  if (video.original_key) return jobOf(video.reason === OVER_TIME ? 'long' : 'quick')
  return video.import_url_sealed ? 'import-video' : null
}

const OVER_TIME = storedForm({ code: 'over-time' })
