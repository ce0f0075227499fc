import { spawn } from 'node:child_process'
import { parameterSetArgs } from '@siarin/media/argv/parameter-sets'
import { parameterSetScan } from '@siarin/media/parse/parameter-sets'
import { childEnv } from '../../platform/process/child-env.ts'
import { lowerPriority } from '../../platform/process/priority.ts'

/**
 * Whether an H.264 picture stays what its header says it is. One that does not could grow past the plan on air, and would hardly loop.
 * What cannot be read that way is not steady either.
 */
export function isPictureSteady(ffmpegPath: string, path: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(ffmpegPath, parameterSetArgs(path), {
      env: childEnv(),
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    })
    lowerPriority(child.pid)
    const scan = parameterSetScan()
    child.stdout.on('data', (chunk: Buffer) => scan.bytes(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 && scan.count() === 1))
  })
}
