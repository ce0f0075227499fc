import { type PlainVideoReason, storedForm, type VideoReason } from '@siarin/contracts/video-reasons'
import type { VideoRow } from '../video-row.ts'
import type { PreparationRun } from './run-preparation.ts'

/** Why an ffmpeg that failed did so, by its last words. */
export function failureOf({ lastLines, timedOut }: Pick<PreparationRun, 'lastLines' | 'timedOut'>): PlainVideoReason {
  const said = (words: string): boolean => lastLines.some((line) => line.includes(words))
  if (said('No space left')) return 'disk-full'
  if (said('max pixel count')) return 'too-many-pixels'
  if (timedOut === 'over-time') return 'over-time'
  return timedOut !== null || said('Cannot allocate memory') ? 'too-much-work' : 'prepare-failed'
}

/** What a row says after a preparation in vain. A video that could go on air before still can: only one without a master has failed. */
export function failedColumns({ master }: Pick<VideoRow, 'master'>, why: VideoReason) {
  const over = { step: null, progress: null, seconds_left: null, lane: null }
  const reason = storedForm(why)
  if (master === null) return { ...over, status: 'failed', reason }
  return { ...over, status: 'ready', warning: storedForm({ code: 'prepare-again-failed', because: reason }) }
}
