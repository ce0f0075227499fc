import { spawn } from 'node:child_process'
import { parseProgress } from '@siarin/media/parse/progress'
import { childEnv } from '../../platform/process/child-env.ts'
import { lowerPriority } from '../../platform/process/priority.ts'

export interface PreparationRun {
  readonly ok: boolean
  readonly lastLines: readonly string[]
}

const TAIL_CHARACTERS = 8_000
const LAST_LINES = 10

/** Runs one ffmpeg to its end at low priority and tells how far it is; ends it when `signal` says so. */
export function runPreparation(
  ffmpegPath: string,
  args: string[],
  { signal, onOutTime }: { signal: AbortSignal; onOutTime: (outTimeMs: number) => void },
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
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      tails.progress = (tails.progress + text).slice(-TAIL_CHARACTERS)
      const progress = parseProgress(tails.progress)
      if (progress?.outTimeMs != null) onOutTime(progress.outTimeMs)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      tails.errors = (tails.errors + text).slice(-TAIL_CHARACTERS)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ ok: code === 0, lastLines: tails.errors.split('\n').filter(Boolean).slice(-LAST_LINES) })
    })
  })
}
