import { stat } from 'node:fs/promises'
import { prepareArgs } from '@siarin/media/argv/prepare'
import type { PreparePlan } from '@siarin/media/prepare-plan'
import { verifyMaster } from '@siarin/media/verify-master'
import { preparationMs, standstillMs, type Work } from '@siarin/media/work-bounds'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import type { Left, Room } from '../room.ts'
import { unusable } from '../video-refused.ts'
import type { VideoRow } from '../video-row.ts'
import { failureOf } from './failed-preparation.ts'
import { runPreparation } from './run-preparation.ts'
import { assertReadable, scanPackets } from './scan-packets.ts'

interface EncodeDeps {
  room: Pick<Room, 'withDiskShare'>
  log: Log
  inspect: InspectVideo
  ffmpegPath: string
  ffprobePath: string
  timings: Timings['mediaTools']
}

interface EncodeOrder {
  readonly plan: PreparePlan
  readonly work: Work
  readonly input: string
  readonly output: string
  /** The files of the plan's overlays. */
  readonly overlays?: readonly string[]
  /** How large it may get. */
  readonly most: Left
  /** About how large it becomes, for the disk. */
  readonly expectedBytes: number
  /** How far it is, from 0 to 1. */
  readonly report: (part: number) => void
}

export interface EncodedFile {
  readonly probe: UsableProbe
  readonly bytes: number
  /** Why it would not loop; none where it does. */
  readonly faults: readonly string[]
}

/** A copy of the picture is as large as the original, give or take its sound: nobody is refused for that. */
export const COPY_SLACK_BYTES = 100 * 1024 ** 2

/** Carries a plan out, within its bounds, and looks at what came of it. */
export function createEncode({ room, log, inspect, ffmpegPath, ffprobePath, timings }: EncodeDeps) {
  return async (
    video: Pick<VideoRow, 'id' | 'original_bytes'>,
    { plan, work, input, output, overlays = [], most, expectedBytes, report }: EncodeOrder,
    signal: AbortSignal,
  ): Promise<EncodedFile> => {
    const wholeMs = plan.durationSeconds * 1000
    const args = prepareArgs(plan, { input, output, overlays, progressTo: 'pipe:1' })
    const run = await room.withDiskShare(expectedBytes, (grow) =>
      runPreparation(ffmpegPath, args, {
        signal,
        timeoutMs: preparationMs(work, video.original_bytes, timings.prepareMs),
        standstillMs: (madeBytes) => standstillMs(Math.max(video.original_bytes, madeBytes), timings.standstillMs),
        onOutTime: (outTimeMs) => report(outTimeMs / wholeMs),
        mostBytes: most.bytes + (plan.picture.kind === 'copy' ? COPY_SLACK_BYTES : 0),
        grow,
      }),
    )
    if (run.outgrew) throw most.refusal(most.bytes)
    if (!run.ok) {
      log.warn({ videoId: video.id, lines: run.lastLines, timedOut: run.timedOut }, 'a video could not be prepared')
      throw unusable(failureOf(run))
    }
    const [probe, made] = await Promise.all([
      inspect(output),
      scanPackets(ffprobePath, output, { baseMs: timings.scanMs, signal }).then(assertReadable),
    ])
    return { probe, bytes: (await stat(output)).size, faults: verifyMaster(probe, made.keyframes) }
  }
}
