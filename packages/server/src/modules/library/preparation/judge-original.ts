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
import { createListCheck } from '../../../platform/process/ffmpeg-version.ts'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import type { LibraryLimits } from '../room.ts'
import { unusable } from '../video-refused.ts'
import { planOf, scanEdges } from './scan-edges.ts'
import { type PacketScan, scanOrRefuse } from './scan-packets.ts'
import { isPictureSteady } from './scan-picture.ts'

interface JudgeDeps {
  inspect: InspectVideo
  limitsOf: (userId: string) => Promise<LibraryLimits>
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
}

/** Reads the whole file before anything is made of it, and refuses what can never go on air. */
export function createOriginalJudge({ inspect, limitsOf, ffmpegPath, ffprobePath, timings }: JudgeDeps) {
  const readsLists = createListCheck(ffmpegPath)
  const mayLoop = async (probe: UsableProbe, limits: ReadinessLimits): Promise<boolean> =>
    mayOnlySeamBeAtFault(probe, limits) && (await readsLists())

  /** All that has to be read of it, at the same time: starting a tool takes longer than reading an ordinary file. */
  async function read(path: string, probe: UsableProbe, limits: ReadinessLimits, signal: AbortSignal) {
    const over = new AbortController()
    const isListed = await mayLoop(probe, limits)
    const scan = { baseMs: timings.scanMs, signal: AbortSignal.any([signal, over.signal]) }
    try {
      const [scanned, isSteady, edges] = await Promise.all([
        scanOrRefuse(ffprobePath, path, scan),
        // Only what would be copied has to be scanned: what is made anew has one size.
        mayCopyPicture(probe, limits) ? isPictureSteady(ffmpegPath, path, scan) : true,
        isListed ? scanEdges(ffprobePath, path, probe, scan) : null,
      ])
      return { scanned, isSteady, edges }
    } finally {
      over.abort()
    }
  }

  return async (path: string, userId: string, signal: AbortSignal): Promise<JudgedOriginal> => {
    const probe = await inspect(path)
    const { maxHeight, maxFps } = await limitsOf(userId)
    const limits = { maxHeight, maxFps }
    const { scanned, isSteady, edges } = await read(path, probe, limits, signal)
    const found = readiness(probe, scanned.keyframes, limits)
    const isCopied = found.kind === 'ready' || found.kind === 'audio-only'
    const verdict: Readiness = isCopied && !isSteady ? { kind: 'full', why: ['picture-changes'] } : found
    if (verdict.kind === 'unusable') throw unusable(UNUSABLE_REASONS[verdict.why])
    return { path, probe, scanned, verdict, loop: isSeamAtFault(verdict) ? planOf(probe, edges) : null }
  }
}

const UNUSABLE_REASONS: Record<(Readiness & { kind: 'unusable' })['why'], PlainVideoReason> = {
  'no-video': 'no-video',
  'no-size': 'unreadable',
  'no-duration': 'unreadable',
  'too-short': 'too-short',
  incomplete: 'truncated',
}
