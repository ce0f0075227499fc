import { parseProgress, writtenBytes } from '@siarin/media/parse/progress'
import { encoderMemoryBytes, startTool } from '../../../platform/process/limited-tool.ts'
import type { Grow } from '../disk-shares.ts'

export interface PreparationRun {
  readonly ok: boolean
  /** It was ended for making more than it may. */
  readonly outgrew: boolean
  /** It was ended for its time, or for standing still. */
  readonly timedOut: 'over-time' | 'stood-still' | null
  readonly lastLines: readonly string[]
}

const TAIL_CHARACTERS = 8_000
const LAST_LINES = 10

interface PreparationWatch {
  readonly signal: AbortSignal
  /** In all. */
  readonly timeoutMs: number
  /** Without a step forward, after so many bytes were made: at its end all of them are moved. */
  readonly standstillMs?: (madeBytes: number) => number
  readonly onOutTime?: (outTimeMs: number) => void
  /** Nobody knows beforehand how large it gets: a still picture takes next to nothing, whatever the bitrate. */
  readonly mostBytes?: number
  /** Hears of all that was made. Where it refuses, that is ended. */
  readonly grow?: Grow
}

/** Runs one ffmpeg to its end at low priority and tells how far it is; ends it when `signal` says so. Throws what `grow` refuses it with. */
export async function runPreparation(
  ffmpegPath: string,
  args: string[],
  {
    signal,
    timeoutMs,
    standstillMs = () => timeoutMs,
    onOutTime = () => {},
    mostBytes = Number.POSITIVE_INFINITY,
    grow = async () => {},
  }: PreparationWatch,
): Promise<PreparationRun> {
  const tool = startTool(ffmpegPath, args, {
    memoryBytes: encoderMemoryBytes(),
    timeoutMs,
    priority: 'low',
    signal,
  })
  const tails = { progress: '', errors: '' }
  let outgrew = false
  const refusals: unknown[] = []
  const refuse = (error: unknown): void => {
    refusals.push(error)
    tool.kill()
  }
  const steps = watchSteps(standstillMs, tool.kill)
  tool.child.stdout.setEncoding('utf8').on('data', (text: string) => {
    tails.progress = (tails.progress + text).slice(-TAIL_CHARACTERS)
    const progress = parseProgress(tails.progress)
    if (progress?.outTimeMs != null) {
      steps.at(progress.outTimeMs, progress.totalBytes ?? 0)
      onOutTime(progress.outTimeMs)
    }
    const bytes = writtenBytes(tails.progress)
    if (bytes === null) return
    grow(bytes).catch(refuse)
    if (bytes <= mostBytes) return
    outgrew = true
    tool.kill()
  })
  tool.child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tails.errors = (tails.errors + text).slice(-TAIL_CHARACTERS)
  })
  try {
    const { code, timedOut } = await tool.ended
    if (refusals.length > 0) throw refusals[0]
    const lastLines = tails.errors.split('\n').filter(Boolean).slice(-LAST_LINES)
    return { ok: code === 0 && !outgrew, outgrew, timedOut: whyTimedOut(timedOut, steps.stoodStill()), lastLines }
  } finally {
    steps.release()
  }
}

const whyTimedOut = (isOverTime: boolean, stoodStill: boolean): PreparationRun['timedOut'] =>
  isOverTime ? 'over-time' : stoodStill ? 'stood-still' : null

/** A file may bring a decoder to a halt, long before its time is over. */
function watchSteps(standstillMs: (madeBytes: number) => number, onStandstill: () => void) {
  let furthestMs = Number.NEGATIVE_INFINITY
  let stoodStill = false
  const giveUp = () => {
    stoodStill = true
    onStandstill()
  }
  let timer = setTimeout(giveUp, standstillMs(0))
  return {
    at(outTimeMs: number, madeBytes: number): void {
      if (outTimeMs <= furthestMs) return
      furthestMs = outTimeMs
      clearTimeout(timer)
      timer = setTimeout(giveUp, standstillMs(madeBytes))
    },
    stoodStill: () => stoodStill,
    release: () => clearTimeout(timer),
  }
}
