import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  filledSound,
  type SoundList,
  silenceArgs,
  silenceSeconds,
  soundCopyArgs,
  spliceArgs,
  tailEnd,
  tailSound,
} from '@siarin/media/argv/splice'
import { rateOf } from '@siarin/media/frame-rate'
import { type LoopPlan, listWithTail, type SoundSpan, type TailCut } from '@siarin/media/loop-plan'
import { preparationMs } from '@siarin/media/work-bounds'
import { containerOf } from '../container-types.ts'
import type { InspectVideo } from '../inspect-video.ts'
import { planOf } from '../loop-plan-of.ts'
import type { VideoRow } from '../video-row.ts'
import { COPY_SLACK_BYTES } from './encode-master.ts'
import type { JudgedOriginal } from './judge-original.ts'
import { MASTER_TYPE, type MasterDeps, type ProbedMaster } from './make-master.ts'
import { runPreparation } from './run-preparation.ts'
import { scanEdges } from './scan-edges.ts'

type LoopDeps = Pick<MasterDeps, 'room' | 'log' | 'ffmpegPath' | 'ffprobePath' | 'workOf' | 'timings'> & {
  inspect: InspectVideo
}

/** Null: nothing but making its sound anew helps. */
type LoopOriginal = (video: VideoRow, original: JudgedOriginal, signal: AbortSignal) => Promise<ProbedMaster | null>

/** A copy is as large as the original, give or take. */
const mostBytesOf = ({ original_bytes }: VideoRow): number => original_bytes + COPY_SLACK_BYTES

/** False: it failed. `expectedBytes`: about how large it becomes, for the disk, where that is known. */
function createRun({ room, log, ffmpegPath, timings }: LoopDeps) {
  return async (
    { original_bytes: bytes }: VideoRow,
    { probe }: JudgedOriginal,
    args: string[],
    signal: AbortSignal,
    expectedBytes = 0,
  ): Promise<boolean> => {
    const copying = { seconds: probe.durationSeconds ?? 0, pixels: 0, samples: 0 }
    const timeoutMs = preparationMs(copying, bytes, timings.prepareMs)
    const { ok, lastLines } = await room.withDiskShare(expectedBytes, (grow) =>
      runPreparation(ffmpegPath, args, { signal, timeoutMs, grow }),
    )
    if (!ok) log.warn({ lines: lastLines }, 'a video could not be put together, its sound is made anew')
    return ok
  }
}

/** A file that was right but for its seam is its own master: a list beside it says how its end meets its beginning. */
export function createLooper(deps: LoopDeps): LoopOriginal {
  const { inspect, ffprobePath, workOf, timings } = deps
  const run = createRun(deps)

  /** The list of the sound with silence where it is missing; null: it could not be made. */
  async function fillSound(
    video: VideoRow,
    original: JudgedOriginal,
    span: SoundSpan | TailCut,
    signal: AbortSignal,
  ): Promise<{ listFile: string; beginsAt: number } | null> {
    const { audio } = original.probe
    if (!audio?.sampleRate || !audio.channels) return null
    const [sound, silence, listFile] = ['sound.m4a', 'silence.m4a', 'sound.ffconcat'].map((name) =>
      join(workOf(video), name),
    )
    if (!sound || !silence || !listFile) return null
    const { sampleRate, channels } = audio
    const from = 'soundFrom' in span ? { seconds: span.soundFrom, frameSeconds: span.frameSeconds } : null
    const isMade =
      (await run(
        video,
        original,
        silenceArgs({ sampleRate, channels, seconds: silenceSeconds(span) }, silence),
        signal,
      )) && (await run(video, original, soundCopyArgs({ input: original.path, output: sound }, from), signal))
    if (!isMade) return null
    const list: SoundList = 'soundFrom' in span ? tailSound(span, sound, silence) : filledSound(span, sound, silence)
    await writeFile(listFile, list.text)
    return { listFile, beginsAt: list.beginsAt }
  }

  const edgesOf = async (path: string, signal: AbortSignal) => {
    const probe = await inspect(path)
    return { probe, edges: await scanEdges(ffprobePath, path, probe, { baseMs: timings.scanMs, signal }) }
  }

  /** Its last group of pictures, with silence where the sound is over. */
  async function withTail(video: VideoRow, original: JudgedOriginal, cut: TailCut, signal: AbortSignal) {
    const { probe, path } = original
    const sound = await fillSound(video, original, cut, signal)
    const tail = join(workOf(video), 'tail.mp4')
    const order = { input: path, output: tail, from: cut.keyframe, until: tailEnd(cut), mostBytes: mostBytesOf(video) }
    if (
      !sound ||
      !(await run(video, original, spliceArgs({ ...order, sound, timescale: probe.video.timescale }), signal))
    )
      return null
    const made = await edgesOf(tail, signal)
    const fps = rateOf(probe.video.avgFrameRate)
    if (!made.edges || made.probe.startSeconds === null || !fps) return null
    const found = { edges: made.edges, startSeconds: made.probe.startSeconds }
    const list = listWithTail(cut, found, { startSeconds: probe.startSeconds ?? 0, fps })
    return list && { ...ownMaster(original), loop: list, tail, bytes: (await stat(tail)).size }
  }

  /** A copy in which everything lies in order. */
  async function remuxed(
    video: VideoRow,
    original: JudgedOriginal,
    { sound: span, isFilled }: LoopPlan & { kind: 'remux' },
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    const sound = isFilled ? await fillSound(video, original, span, signal) : null
    if (isFilled && !sound) return null
    const output = join(workOf(video), 'master.mp4')
    const until = isFilled ? tailEnd(span) : span.pictureEnd
    const { timescale } = original.probe.video
    const order = { input: original.path, output, from: null, until, mostBytes: mostBytesOf(video) }
    if (!(await run(video, original, spliceArgs({ ...order, sound, timescale }), signal, video.original_bytes)))
      return null
    const { probe, edges } = await edgesOf(output, signal)
    // It was written by us: each packet that it lists is there.
    const plan = planOf({ ...probe, standsForMore: false }, edges)
    if (plan.kind !== 'list') return null
    const { size: bytes } = await stat(output)
    return { file: output, bytes, contentType: MASTER_TYPE, probe, loop: plan.list, tail: null }
  }

  return async (video, original, signal) => {
    const { loop } = original
    if (loop === null || loop.kind === 'encode-sound') return null
    if (loop.kind === 'remux') return remuxed(video, original, loop, signal)
    if (loop.kind === 'tail') return withTail(video, original, loop.cut, signal)
    return { ...ownMaster(original), loop: loop.list }
  }
}

/** A file that is right is its own master. */
export const ownMaster = ({ probe }: JudgedOriginal): ProbedMaster => ({
  file: null,
  bytes: 0,
  contentType: containerOf(probe.formatName ?? '').contentType,
  probe,
  loop: null,
  tail: null,
})
