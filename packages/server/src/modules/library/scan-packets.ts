import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { packetProbeArgs } from '@siarin/media/argv/probe'
import { type KeyframeFacts, keyframeScan } from '@siarin/media/parse/keyframes'
import { childEnv } from '../../platform/process/child-env.ts'
import { lowerPriority } from '../../platform/process/priority.ts'

/** Reads every packet's time once, line by line: a film of hours takes no memory. Null when ffprobe cannot. */
export function scanPackets(ffprobePath: string, path: string, signal: AbortSignal): Promise<KeyframeFacts | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(ffprobePath, packetProbeArgs(path), {
      env: childEnv(),
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
    })
    lowerPriority(child.pid)
    const scan = keyframeScan()
    createInterface({ input: child.stdout }).on('line', (line) => scan.line(line))
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? scan.facts() : null))
  })
}
