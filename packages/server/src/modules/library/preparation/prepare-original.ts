import { join } from 'node:path'
import { storedForm } from '@siarin/contracts/video-reasons'
import type { Events } from '../../../platform/events/events.ts'
import { type Storage, storedFile, withPinned } from '../../../platform/storage/storage.ts'
import { type Lane, neededLane } from '../lanes.ts'
import { originalColumns, pictureColumns } from '../probe-columns.ts'
import type { RenditionStore } from '../rendition-store.ts'
import type { VideoColumns, VideoRow } from '../video-row.ts'
import { createOriginalJudge, type JudgedOriginal } from './judge-original.ts'
import { createLooper, ownMaster } from './loop-original.ts'
import { createMasterMaker, type MasterDeps, type ProbedMaster } from './make-master.ts'
import { makeThumbnail } from './make-thumbnail.ts'

export interface PrepareOriginalDeps extends MasterDeps {
  storage: Storage
  masters: RenditionStore
  events: Events
}

interface Original {
  readonly key: string
  readonly path: string
}

type PrepareOriginal = (video: VideoRow, original: Original, signal: AbortSignal) => Promise<'done' | 'needs-long'>

/** From the file that was sent to the master that is played: judged, made, published. */
export function createOriginalPreparation(deps: PrepareOriginalDeps, lane: Lane): PrepareOriginal {
  const { storage, masters, events, ffmpegPath, workOf, timings } = deps
  const judge = createOriginalJudge(deps)
  const loopOriginal = createLooper(deps)
  const makeMaster = createMasterMaker(deps, lane)

  /** Null: it needs another lane. */
  async function masterOf(
    video: VideoRow,
    original: JudgedOriginal,
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    const { verdict } = original
    if (verdict.kind === 'ready') return ownMaster(original)
    return (await loopOriginal(video, original, signal)) ?? makeMaster(video, original, verdict, signal)
  }

  /** What was made becomes what is played; a video that was deleted meanwhile has none. */
  async function publish(
    video: VideoRow,
    originalKey: string,
    made: ProbedMaster,
    facts: Partial<VideoColumns>,
    signal: AbortSignal,
  ): Promise<void> {
    const begun = await masters.begin(video, originalKey, made)
    if (!begun) return
    const output = join(workOf(video), 'thumbnail.jpg')
    const { durationSeconds } = made.probe
    const picture = await withPinned(storedFile(storage, begun.key), (input) =>
      makeThumbnail({ ffmpegPath, input, output, durationSeconds, signal }),
    )
    const rendition = await masters.addPicture(begun, picture)
    const over = { status: 'ready', step: null, progress: null, seconds_left: null, lane: null }
    if (!(await masters.finish(video, rendition, { ...facts, ...over }))) return
    events.emit('video.ready', { videoId: video.id, userId: video.user_id })
  }

  return async (video, { key, path }, signal) => {
    const original = await judge(path, video.user_id, signal)
    const { verdict, probe, scanned } = original
    const needed = neededLane(verdict, probe, scanned.packets, timings.quickPixels)
    if (lane === 'quick' && needed === 'long') return 'needs-long'
    const made = await masterOf(video, original, signal)
    if (!made) return 'needs-long'
    const facts = {
      ...pictureColumns(made.probe),
      ...originalColumns(probe),
      reason: null,
      warning: warningOf(original),
    }
    await publish(video, key, made, facts, signal)
    return 'done'
  }
}

/** The master of a file that was cut off holds what can be read of it. */
function warningOf({ verdict }: JudgedOriginal): string | null {
  const isCut = verdict.kind !== 'ready' && (verdict.why as readonly string[]).includes('incomplete')
  return isCut ? storedForm({ code: 'cut-short' }) : null
}
