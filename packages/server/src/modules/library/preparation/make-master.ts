import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareArgs } from '@siarin/media/argv/prepare'
import { type PreparePlan, preparePlan } from '@siarin/media/prepare-plan'
import type { Readiness } from '@siarin/media/readiness'
import { verifyMaster } from '@siarin/media/verify-master'
import { isTooSparse, preparationMs, standstillMs } from '@siarin/media/work-bounds'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import { type Lane, neededLane } from '../lanes.ts'
import type { LibraryRepo } from '../library.repo.ts'
import { createProgressReport } from '../progress-report.ts'
import type { MadeMaster } from '../rendition-store.ts'
import type { LibraryLimits, Room } from '../room.ts'
import { unusable } from '../video-refused.ts'
import type { VideoRow } from '../video-row.ts'
import type { WorkFolders } from '../work-folders.ts'
import { failureOf } from './failed-preparation.ts'
import type { JudgedOriginal } from './judge-original.ts'
import { runPreparation } from './run-preparation.ts'
import { assertReadable, scanPackets } from './scan-packets.ts'

export interface MasterDeps {
  repo: LibraryRepo
  room: Room
  log: Log
  inspect: InspectVideo
  limitsOf: (userId: string) => Promise<LibraryLimits>
  ffmpegPath: string
  ffprobePath: string
  workOf: WorkFolders['of']
  timings: Timings['mediaTools']
}

export type ProbedMaster = MadeMaster & { readonly probe: UsableProbe }

type Original = Omit<JudgedOriginal, 'verdict'>
type Needed = Readiness & { kind: 'audio-only' | 'full' }
type MakeMaster = (
  video: VideoRow,
  original: Original,
  needed: Needed,
  signal: AbortSignal,
) => Promise<ProbedMaster | null>

export const MASTER_TYPE = 'video/mp4'

/** A copy of the picture is as large as the original, give or take its sound: nobody is refused for that. */
export const COPY_SLACK_BYTES = 100 * 1024 ** 2

/** Makes what is played and broadcast. Null: it needs another lane. */
export function createMasterMaker(deps: MasterDeps, lane: Lane): MakeMaster {
  const { repo, room, log, inspect, limitsOf, ffmpegPath, ffprobePath, workOf, timings } = deps

  async function encode(
    video: VideoRow,
    plan: PreparePlan,
    { input, output }: { input: string; output: string },
    signal: AbortSignal,
  ): Promise<void> {
    const most = await room.forMaster(video)
    await repo.update(video.id, { step: 'preparing', progress: 0, seconds_left: null })
    const report = createProgressReport(repo, video.id)
    const wholeMs = plan.durationSeconds * 1000
    const run = await runPreparation(ffmpegPath, prepareArgs(plan, { input, output, progressTo: 'pipe:1' }), {
      signal,
      timeoutMs: preparationMs(plan.durationSeconds, timings.prepareMs),
      standstillMs: (madeBytes) => standstillMs(Math.max(video.original_bytes, madeBytes), timings.standstillMs),
      onOutTime: (outTimeMs) => report.at(outTimeMs / wholeMs),
      mostBytes: most.bytes + (plan.picture.kind === 'copy' ? COPY_SLACK_BYTES : 0),
    })
    if (run.outgrew) throw most.refusal(most.bytes)
    if (run.ok) return
    log.warn({ videoId: video.id, lines: run.lastLines, timedOut: run.timedOut }, 'a video could not be prepared')
    throw unusable(failureOf(run))
  }

  async function makeMaster(
    video: VideoRow,
    original: Original,
    needed: Needed,
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    await room.assertDiskRoom(video.original_bytes)
    const { keyframes, packets } = original.scanned
    const plan = preparePlan(original.probe, needed, await limitsOf(video.user_id), keyframes?.spanSeconds)
    if (isTooSparse(plan, packets)) throw unusable('too-sparse')
    const output = join(workOf(video), 'master.mp4')
    await encode(video, plan, { input: original.path, output }, signal)
    const [probe, made] = await Promise.all([
      inspect(output),
      scanPackets(ffprobePath, output, { baseMs: timings.scanMs, signal }).then(assertReadable),
    ])
    const faults = verifyMaster(probe, made.keyframes)
    if (faults.length === 0) {
      return { file: output, bytes: (await stat(output)).size, contentType: MASTER_TYPE, probe, loop: null, tail: null }
    }
    log.error({ videoId: video.id, faults, tried: needed.kind }, 'a prepared video would not loop')
    if (needed.kind === 'full') {
      throw unusable(needed.why.includes('picture-changes') ? 'picture-changes' : 'prepare-failed')
    }
    // Its picture is damaged in a way that only making it anew can mend.
    const anew: Needed = { kind: 'full', why: ['incomplete'] }
    if (lane === 'quick' && neededLane(anew, original.probe, packets, timings.quickPixels) === 'long') return null
    return makeMaster(video, original, anew, signal)
  }

  return makeMaster
}
