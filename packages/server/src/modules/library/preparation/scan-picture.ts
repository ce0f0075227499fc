import { stat } from 'node:fs/promises'
import { parameterSetArgs } from '@siarin/media/argv/parameter-sets'
import { parameterSetScan } from '@siarin/media/parse/parameter-sets'
import { scanMs } from '@siarin/media/work-bounds'
import { readerMemoryBytes, startTool } from '../../../platform/process/limited-tool.ts'
import type { ScanLimits } from './scan-packets.ts'

/**
 * Whether an H.264 picture stays what its header says it is. One that does not could grow past the plan on air, and would hardly loop.
 * What cannot be read that way, or not in time, is not steady either.
 */
export async function isPictureSteady(
  ffmpegPath: string,
  path: string,
  { baseMs, signal }: ScanLimits,
): Promise<boolean> {
  const { size } = await stat(path)
  const { child, ended, kill } = startTool(ffmpegPath, parameterSetArgs(path), {
    memoryBytes: readerMemoryBytes(),
    timeoutMs: scanMs(size, baseMs),
    priority: 'low',
    signal,
  })
  const scan = parameterSetScan()
  child.stdout.on('data', (chunk: Buffer) => {
    scan.bytes(chunk)
    if (scan.isDecided()) kill()
  })
  child.stderr.resume()
  const { code } = await ended
  return code === 0 && scan.count() === 1
}
