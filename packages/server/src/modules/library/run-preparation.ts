import { spawn } from 'node:child_process'
import { parseProgress } from '@siarin/media/parse/progress'
import { childEnv } from '../../platform/process/child-env.ts'
import { lowerPriority } from '../../platform/process/priority.ts'

export interface PreparationRun {
  readonly ok: boolean
  /** It was ended for making more than it may. */
  readonly outgrew: boolean
  readonly lastLines: readonly string[]
}

const TAIL_CHARACTERS = 8_000
const LAST_LINES = 10

interface PreparationWatch {
  readonly signal: AbortSignal
  readonly onOutTime?: (outTimeMs: number) => void
  /** Nobody knows beforehand how large it gets: a still picture takes next to nothing, whatever the bitrate. */
  readonly mostBytes?: number
}

/** Runs one ffmpeg to its end at low priority and tells how far it is; ends it when `signal` says so. */
export function runPreparation(
  ffmpegPath: string,
  args: string[],
  { signal, onOutTime = () => {}, mostBytes = Number.POSITIVE_INFINITY }: PreparationWatch,
): Promise<PreparationRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(ffmpegPath, args, {
      env: childEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    lowerPriority(child.pid)
    const tails = { progress: '', errors: '' }
    let outgrew = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      tails.progress = (tails.progress + text).slice(-TAIL_CHARACTERS)
      const progress = parseProgress(tails.progress)
      if (progress?.outTimeMs != null) onOutTime(progress.outTimeMs)
      if ((progress?.totalBytes ?? 0) <= mostBytes) return
      outgrew = true
      child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      tails.errors = (tails.errors + text).slice(-TAIL_CHARACTERS)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      const lastLines = tails.errors.split('\n').filter(Boolean).slice(-LAST_LINES)
      resolve({ ok: code === 0 && !outgrew, outgrew, lastLines })
    })
  })
}
