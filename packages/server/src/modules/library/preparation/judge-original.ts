import type { PlainVideoReason } from '@siarin/contracts/video-reasons'
import type { LoopPlan } from '@siarin/media/loop-plan'
import {
  isSeamAtFault,
  mayCopyPicture,
  mayOnlySeamBeAtFault,
  type Readiness,
  type ReadinessLimits,
  readiness,
} from '@siarin/media/readiness'
import { readsLists } from '../../../platform/process/ffmpeg-version.ts'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import { planOf } from '../loop-plan-of.ts'
import type { LibraryLimits } from '../room.ts'
import { unusable } from '../video-refused.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { scanWithEdges } from './scan-edges.ts'
import { assertReadable, type PacketScan, type ScanLimits, scanPackets } from './scan-packets.ts'
import { isPictureSteady } from './scan-picture.ts'

interface JudgeDeps {
  inspect: InspectVideo
  ffmpegPath: string
  ffprobePath: string
  timings: { readonly scanMs: number }
}

export interface JudgedOriginal {
  readonly path: string
  readonly probe: UsableProbe
  readonly scanned: PacketScan
  /** What it needs before it can go on air. */
  readonly verdict: Exclude<Readiness, { kind: 'unusable' }>
  /** How it can be looped without making its sound anew; null: that is not the question. */
  readonly loop: LoopPlan | null
  /** A picture of it, where its picture may be copied; null: none could be made. */
  readonly picture: string | null
  /** What the owner's plan allowed then. */
  readonly limits: PictureLimits
}

type PictureLimits = Pick<LibraryLimits, 'maxHeight' | 'maxFps'>

interface JudgeOrder {
  readonly path: string
  /** Where a picture of it goes. */
  readonly picturePath: string
  readonly limits: PictureLimits
}

/** Reads the whole file before anything is made of it, and refuses what can never go on air. */
export function createOriginalJudge({ inspect, ffmpegPath, ffprobePath, timings }: JudgeDeps) {
  const mayLoop = async (probe: UsableProbe, limits: ReadinessLimits): Promise<boolean> =>
    mayOnlySeamBeAtFault(probe, limits) && (await readsLists(ffmpegPath))

  async function readPackets(path: string, listed: UsableProbe | null, limits: ScanLimits) {
    const found = listed
      ? await scanWithEdges(ffprobePath, path, listed, limits)
      : { scanned: await scanPackets(ffprobePath, path, limits), edges: null }
    assertReadable(found.scanned)
    return found
  }

  /** All that has to be read of it, at the same time: starting a tool takes longer than reading an ordinary file. */
  async function read({ path, picturePath, limits }: JudgeOrder, probe: UsableProbe, signal: AbortSignal) {
    const over = new AbortController()
    const [isCopied, isListed] = [mayCopyPicture(probe, limits), await mayLoop(probe, limits)]
    const scan = { baseMs: timings.scanMs, signal: AbortSignal.any([signal, over.signal]) }
    try {
      const [{ scanned, edges }, isSteady, picture] = await Promise.all([
        readPackets(path, isListed && !probe.loop ? probe : null, scan),
        // Only what would be copied has to be scanned: what is re-encoded has one size.
        isCopied ? isPictureSteady(ffmpegPath, path, scan) : true,
        isCopied
          ? makeThumbnail({ ffmpegPath, input: path, output: picturePath, ...probe, signal: scan.signal })
          : null,
      ])
      return { scanned, isSteady, edges, picture }
    } finally {
      over.abort()
    }
  }

  return async (order: JudgeOrder, signal: AbortSignal): Promise<JudgedOriginal> => {
    const { path, limits } = order
    const probe = await inspect(path)
    const { scanned, isSteady, edges, picture } = await read(order, probe, signal)
    const found = readiness(probe, scanned.keyframes, limits)
    const isCopied = found.kind === 'ready' || found.kind === 'audio-only'
    const verdict: Readiness = isCopied && !isSteady ? { kind: 'full', why: ['picture-changes'] } : found
    if (verdict.kind === 'unusable') throw unusable(UNUSABLE_REASONS[verdict.why])
    const loop = isSeamAtFault(verdict) ? copied(verdict, probe.loop ?? planOf(probe, edges)) : null
    return { path, probe, scanned, verdict, loop, picture, limits }
  }
}

/** What lists too many packets may not be its own master: where a copy was not planned for, a new file with new sound has none of them. */
const copied = (verdict: Readiness, plan: LoopPlan): LoopPlan =>
  'why' in verdict && (verdict.why as readonly string[]).includes('idle-packets') && plan.kind !== 'remux'
    ? { kind: 'encode-sound' }
    : plan

const UNUSABLE_REASONS: Record<(Readiness & { kind: 'unusable' })['why'], PlainVideoReason> = {
  'no-video': 'no-video',
  'no-size': 'unreadable',
  'no-duration': 'unreadable',
  'too-short': 'too-short',
  incomplete: 'truncated',
}
