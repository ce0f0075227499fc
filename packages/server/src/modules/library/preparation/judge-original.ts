import type { PlainVideoReason } from '@siarin/contracts/video-reasons'
import { type Readiness, readiness } from '@siarin/media/readiness'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import type { LibraryLimits } from '../room.ts'
import { unusable } from '../video-refused.ts'
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
}

/** Reads the whole file before anything is made of it, and refuses what can never go on air. */
export function createOriginalJudge({ inspect, limitsOf, ffmpegPath, ffprobePath, timings }: JudgeDeps) {
  /** Only what would be copied has to be scanned: what is made anew has one size. */
  async function withSteadyPicture(verdict: Readiness, path: string, signal: AbortSignal): Promise<Readiness> {
    const isCopied = verdict.kind === 'ready' || verdict.kind === 'audio-only'
    if (!isCopied || (await isPictureSteady(ffmpegPath, path, { baseMs: timings.scanMs, signal }))) return verdict
    return { kind: 'full', why: ['picture-changes'] }
  }

  return async (path: string, userId: string, signal: AbortSignal): Promise<JudgedOriginal> => {
    const probe = await inspect(path)
    const scanned = await scanOrRefuse(ffprobePath, path, { baseMs: timings.scanMs, signal })
    const { maxHeight, maxFps } = await limitsOf(userId)
    const verdict = await withSteadyPicture(readiness(probe, scanned.keyframes, { maxHeight, maxFps }), path, signal)
    if (verdict.kind === 'unusable') throw unusable(UNUSABLE_REASONS[verdict.why])
    return { path, probe, scanned, verdict }
  }
}

const UNUSABLE_REASONS: Record<(Readiness & { kind: 'unusable' })['why'], PlainVideoReason> = {
  'no-video': 'no-video',
  'no-size': 'unreadable',
  'no-duration': 'unreadable',
  'too-short': 'too-short',
  incomplete: 'truncated',
}
