import { join } from 'node:path'
import { storedForm } from '@siarin/contracts/video-reasons'
import type { Events } from '../../../platform/events/events.ts'
import { type Lane, neededLane } from '../lanes.ts'
import { originalColumns, pictureColumns } from '../probe-columns.ts'
import type { RenditionStore } from '../rendition-store.ts'
import type { VideoColumns, VideoRow } from '../video-row.ts'
import type { HandedOver } from './handed-over.ts'
import { createOriginalJudge, type JudgedOriginal } from './judge-original.ts'
import { createLooper, ownMaster } from './loop-original.ts'
import { createMasterMaker, type MasterDeps, type ProbedMaster } from './make-master.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { createMasterPlanner } from './plan-master.ts'
import { createQuickTime } from './quick-time.ts'

export interface PrepareOriginalDeps extends MasterDeps {
  masters: RenditionStore
  events: Events
  /** What the quick lane has found out of what it hands over to the long one. */
  handedOver: HandedOver
}

interface Original {
  readonly key: string
  readonly path: string
}

type PrepareOriginal = (video: VideoRow, original: Original, signal: AbortSignal) => Promise<'done' | 'needs-long'>

/** From the file that was sent to the master that is played: judged, made, published. */
export function createOriginalPreparation(deps: PrepareOriginalDeps, lane: Lane): PrepareOriginal {
  const { masters, events, ffmpegPath, limitsOf, handedOver, workOf, timings } = deps
  const judge = createOriginalJudge(deps)
  const loopOriginal = createLooper(deps)
  const makeMaster = createMasterMaker(deps, lane)
  const planMaster = createMasterPlanner(deps)
  const inQuickTime = createQuickTime(deps)

  /** Null: it needs another lane. */
  async function masterOf(
    video: VideoRow,
    original: JudgedOriginal,
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    const { verdict } = original
    if (verdict.kind === 'ready') return ownMaster(original)
    const looped = await loopOriginal(video, original, signal)
    if (looped) return looped
    const needed = neededLane(verdict, original, timings.quickPixels)
    if (lane === 'long' || needed === 'quick') return makeMaster(video, original, verdict, signal)
    // What is refused is refused before it has waited for hours.
    await planMaster(video, original, verdict)
    return null
  }

  const picturePathOf = (video: VideoRow): string => join(workOf(video), 'thumbnail.jpg')

  /** What another lane has found out a moment ago still holds: files that are stored never change. */
  async function judged(video: VideoRow, path: string, signal: AbortSignal): Promise<JudgedOriginal> {
    const { maxHeight, maxFps } = await limitsOf(video.user_id)
    const known = handedOver.take(video.id)
    if (known?.path === path && known.limits.maxHeight === maxHeight && known.limits.maxFps === maxFps) return known
    return judge({ path, picturePath: picturePathOf(video), limits: { maxHeight, maxFps } }, signal)
  }

  /** A picture that was re-encoded looks otherwise than the original's. */
  const pictureOf = (video: VideoRow, original: JudgedOriginal, made: ProbedMaster, signal: AbortSignal) =>
    original.verdict.kind === 'full' && made.file !== null
      ? makeThumbnail({ ffmpegPath, input: made.file, output: picturePathOf(video), ...made.probe, signal })
      : original.picture

  /** What was made becomes what is played; a video that was deleted meanwhile has none. */
  async function publish(
    video: VideoRow,
    originalKey: string,
    made: ProbedMaster & { readonly picture: string | null },
    facts: Partial<VideoColumns>,
  ): Promise<void> {
    const { picture } = made
    const begun = await masters.begin(video, originalKey, made)
    if (!begun) return
    const rendition = await masters.addPicture(begun, picture)
    const over = { status: 'ready', step: null, progress: null, seconds_left: null, lane: null }
    if (!(await masters.finish(video, rendition, { ...facts, ...over }))) return
    events.emit('video.ready', { videoId: video.id, userId: video.user_id })
  }

  return async (video, { key, path }, signal) => {
    const original = await judged(video, path, signal)
    const { verdict, probe } = original
    const make = (within: AbortSignal) => masterOf(video, original, within)
    const made = await (lane === 'quick' ? inQuickTime(video, signal, make) : make(signal))
    if (!made) {
      // What is copied needs the picture of it too, which goes with the work folder.
      if (verdict.kind === 'full') handedOver.keep(video.id, original)
      return 'needs-long'
    }
    const facts = {
      ...pictureColumns(made.probe),
      ...originalColumns(probe),
      reason: null,
      warning: warningOf(original),
    }
    const picture = await pictureOf(video, original, made, signal)
    await publish(video, key, { ...made, picture }, facts)
    return 'done'
  }
}

/** The master of a file that was cut off holds what can be read of it. */
function warningOf({ verdict }: JudgedOriginal): string | null {
  const isCut = verdict.kind !== 'ready' && (verdict.why as readonly string[]).includes('incomplete')
  return isCut ? storedForm({ code: 'cut-short' }) : null
}
