import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { pipeline, type Readable, type Writable } from 'node:stream'
import { childEnv } from './child-env.ts'
import { type LoweredPriority, lowerPriority } from './priority.ts'
import { startChild } from './start-child.ts'

export interface ToolLimits {
  /** The memory that it may write to: a file of a few kilobytes can make a reader ask for gigabytes. */
  readonly memoryBytes: number
  readonly timeoutMs: number
  /** Lowered: it gives way to broadcasts, and does not count as load that keeps others from going live. */
  readonly priority: LoweredPriority | 'normal'
  readonly signal?: AbortSignal
  /** What it reads from its standard input; nothing where it is left out. */
  readonly input?: Readable
}

interface ToolEnd {
  readonly code: number | null
  /** It was ended for its time. */
  readonly timedOut: boolean
  /** How long it had worked when it was last looked at: little on a machine that has much else to do. Null: it was over soon, or nobody knows. */
  readonly cpuMs: number | null
}

export interface LimitedTool {
  readonly child: ChildProcessByStdio<Writable | null, Readable, Readable>
  /** Rejects when it could not be run, or when the signal said so. */
  readonly ended: Promise<ToolEnd>
  kill(): void
}

const MIB = 1024 ** 2

/** Within a container it is the container's memory that counts; 0 and huge figures mean that there is none. */
const machineBytes = (): number => {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

const atMost = (share: number, bytes: number, least: number): number =>
  Math.min(bytes, Math.max(least, machineBytes() * share))

/** Each file was read within that on the machine where it arrived. */
const MOST_TO_READ = 768 * MIB

/** For reading a file: a day of video at 60 frames per second takes two thirds of it, 8K a fifth. */
export const readerMemoryBytes = (): number => atMost(1 / 4, MOST_TO_READ, 384 * MIB)

/**
 * For sending something on as it is; the same on any machine, since it has to play. ffmpeg takes some 40 MB, and up to 200 MB more for a while:
 * for ten seconds of the densest picture where no sound comes, and for the pictures that it decodes as it opens a file in 4K. Without a bound
 * the server that it sends to can fill it, by messages that never end.
 */
const SENDER_BYTES = 256 * MIB

/** Measured are 60. Where a loop wraps round, ffmpeg opens a file again before it closes it. */
const BYTES_PER_LISTED_PACKET = 2 * 75

/** Files that list so much and more are few: four hours and a half of 30 frames per second with sound, three and a half of 60. */
const USUAL_PACKETS = 1_300_000

export type BroadcastMemory = 'usual' | 'most'

/** By how many packets a file lists. There are two sizes, so that nearly all files can follow each other in one session. */
export const broadcastMemory = (packets = Number.POSITIVE_INFINITY): BroadcastMemory =>
  packets <= USUAL_PACKETS ? 'usual' : 'most'

/** What it may hold before anybody asks why: what it sends takes some of it, the list of its file the rest. */
export const broadcastNeedBytes = (packets: number): number => 100 * MIB + packets * BYTES_PER_LISTED_PACKET

export const BROADCAST_MEMORY_BYTES: Readonly<Record<BroadcastMemory, number>> = {
  usual: SENDER_BYTES + USUAL_PACKETS * BYTES_PER_LISTED_PACKET,
  most: 2 * MOST_TO_READ,
}

/** From fragmented MP4, ffmpeg keeps 36 bytes of each packet for as long as the session lasts: with this it lasts for two days and more. */
export const COPIED_RELAY_MEMORY_BYTES = 768 * MIB

/** What is written down beside a video waits for its disk in memory: the thousands of packets of its queue, of the densest picture. */
export const RECORDER_MEMORY_BYTES = 256 * MIB

/** For making pictures anew: HDR in 4K takes 1.6 GB on two cores, and each core brings threads with pictures of their own. */
export const encoderMemoryBytes = (): number => atMost(3 / 4, (2048 + 128 * cpus().length) * MIB, 1024 * MIB)

/** Measured are 720 MB on two cores where a source in 4K is made smaller, and 47 MB for each further one. Pictures in 8K take more. */
export const encodingRelayNeedBytes = (): number => (768 + 64 * cpus().length) * MIB

/**
 * The kernel holds it to the limits, also when this program is killed and nobody watches any more. Data, not address space: threads and
 * libraries reserve much that they never use. The time is of all cores, so that it never ends what the clock would not end first.
 * Where memory runs short all the same, a tool goes before the program and its broadcasts, which have no time.
 */
const UNDER_LIMITS = [
  'ulimit -d "$1" 2>/dev/null',
  'ulimit -t "$2" 2>/dev/null',
  '[ "$2" = unlimited ] || { echo 500 >/proc/self/oom_score_adj; } 2>/dev/null',
  'shift 2',
  'exec "$@"',
].join('; ')

/** Without a time it may run for ever, as a broadcast does. */
export function limitedCommand(
  command: string,
  args: readonly string[],
  { memoryBytes, timeoutMs = null }: { memoryBytes: number; timeoutMs?: number | null },
): [string, string[]] {
  const kilobytes = Math.ceil(memoryBytes / 1024)
  const cpuSeconds = timeoutMs === null ? 'unlimited' : Math.ceil((timeoutMs / 1000) * cpus().length) + 1
  return ['/bin/sh', ['-c', UNDER_LIMITS, 'sh', String(kilobytes), String(cpuSeconds), command, ...args]]
}

/** Linux counts in hundredths of a second here, whatever its kernel counts in. */
const MS_PER_TICK = 10
/** How long a tool has worked is not told any more once it is over. */
const LOOK_EVERY_MS = 500

function cpuMsOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return null
  }
}

/** What the shell answers for a command that cannot be run. */
const NOT_RUN = new Set([126, 127])

/** Every run of ffprobe or ffmpeg on what somebody gave us, but for broadcasts, which outlive this program. */
export function startTool(command: string, args: readonly string[], limits: ToolLimits): LimitedTool {
  const child = startChild(...limitedCommand(command, args, limits), {
    env: childEnv(),
    stdio: [limits.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(limits.signal ? { signal: limits.signal } : {}),
  }) as LimitedTool['child']
  // It may end before it has read all: how it ended says whether that was right.
  if (limits.input && child.stdin) pipeline(limits.input, child.stdin, () => {})
  // At once: the threads that it starts later inherit it.
  if (limits.priority !== 'normal') lowerPriority(child.pid, limits.priority)
  const kill = () => void child.kill('SIGKILL')
  const ended = new Promise<ToolEnd>((resolve, reject) => {
    let timedOut = false
    let cpuMs: number | null = null
    const look = setInterval(() => {
      cpuMs = cpuMsOf(child.pid) ?? cpuMs
    }, LOOK_EVERY_MS)
    const timer = setTimeout(() => {
      timedOut = true
      cpuMs = cpuMsOf(child.pid) ?? cpuMs
      kill()
    }, limits.timeoutMs)
    child.once('error', (error) => {
      clearInterval(look)
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code) => {
      clearInterval(look)
      clearTimeout(timer)
      if (code !== null && NOT_RUN.has(code)) reject(new Error(`${command} could not be run`))
      else resolve({ code, timedOut, cpuMs })
    })
  })
  // A caller that waits for it hears of it; it is no fault of the program while nobody does yet.
  ended.catch(() => {})
  return { child, ended, kill }
}
