import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { packetProbeArgs } from '@siarin/media/argv/probe'
import { type KeyframeFacts, keyframeScan } from '@siarin/media/parse/keyframes'
import { mostPackets, scanMs } from '@siarin/media/work-bounds'
import { readerMemoryBytes, startTool } from '../../../platform/process/limited-tool.ts'
import { unusable } from '../video-refused.ts'

export interface PacketScan {
  /** Null when ffprobe cannot tell. */
  readonly keyframes: KeyframeFacts | null
  readonly packets: number
  /** It was ended early: for its time, or for more packets than a file of this size can hold. */
  readonly gaveUp: boolean
}

export interface ScanLimits {
  /** What even an empty file gets; a larger one gets more. */
  readonly baseMs: number
  readonly signal: AbortSignal
}

/** What takes too long, or shows the same packets again and again, is no video that anybody made to be watched. */
export async function scanOrRefuse(ffprobePath: string, path: string, limits: ScanLimits): Promise<PacketScan> {
  const found = await scanPackets(ffprobePath, path, limits)
  if (found.gaveUp) throw unusable('too-much-work')
  return found
}

/** Reads every packet's time once, line by line: a film of hours takes no memory. */
async function scanPackets(ffprobePath: string, path: string, { baseMs, signal }: ScanLimits): Promise<PacketScan> {
  const { size } = await stat(path)
  const { child, ended, kill } = startTool(ffprobePath, packetProbeArgs(path), {
    memoryBytes: readerMemoryBytes(),
    timeoutMs: scanMs(size, baseMs),
    priority: 'low',
    signal,
  })
  const most = mostPackets(size)
  const scan = keyframeScan()
  let packets = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    scan.line(line)
    packets++
    if (packets > most) kill()
  })
  child.stderr.resume()
  const { code, timedOut } = await ended
  return { keyframes: code === 0 ? scan.facts() : null, packets, gaveUp: timedOut || packets > most }
}
