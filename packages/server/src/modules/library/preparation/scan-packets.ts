import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { packetProbeArgs } from '@siarin/media/argv/probe'
import { type KeyframeFacts, keyframeScan } from '@siarin/media/parse/keyframes'
import { mostPackets, scanMs } from '@siarin/media/work-bounds'
import { readerMemoryBytes, startTool } from '../../../platform/process/limited-tool.ts'
import { nextStep } from '../../../platform/small-steps.ts'
import { unusable } from '../video-refused.ts'

/** Looking at one takes a microsecond or two, and there may be ten million. */
const LINES_PER_STEP = 1_000

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
export function assertReadable(found: PacketScan): PacketScan {
  if (found.gaveUp) throw unusable('too-much-work')
  return found
}

/** Reads the time of every packet of the picture. */
export async function scanPackets(ffprobePath: string, path: string, limits: ScanLimits): Promise<PacketScan> {
  const scan = keyframeScan()
  let packets = 0
  const { isWhole, gaveUp } = await readPackets(ffprobePath, path, packetProbeArgs(path), limits, (line) => {
    scan.line(line)
    return ++packets
  })
  return { keyframes: isWhole ? scan.facts() : null, packets, gaveUp }
}

/**
 * Reads packets line by line: a film of hours takes no memory. `take` answers how many of its stream there have been; more than a file of
 * this size can hold end the reading.
 */
export async function readPackets(
  ffprobePath: string,
  path: string,
  args: readonly string[],
  { baseMs, signal }: ScanLimits,
  take: (line: string) => number,
): Promise<{ isWhole: boolean; gaveUp: boolean }> {
  const { size } = await stat(path)
  const { child, ended, kill } = startTool(ffprobePath, args, {
    memoryBytes: readerMemoryBytes(),
    timeoutMs: scanMs(size, baseMs),
    priority: 'low',
    signal,
  })
  const most = mostPackets(size)
  let isTooMuch = false
  let lines = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    // What comes as fast as it is read would be read in one turn of the event loop.
    if (++lines % LINES_PER_STEP === 0) {
      child.stdout.pause()
      nextStep().then(() => child.stdout.resume())
    }
    if (take(line) <= most) return
    isTooMuch = true
    kill()
  })
  child.stderr.resume()
  const { code, timedOut } = await ended
  return { isWhole: code === 0, gaveUp: timedOut || isTooMuch }
}
