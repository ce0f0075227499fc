import { open, stat } from 'node:fs/promises'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { PlainVideoReason } from '@siarin/contracts/video-reasons'
import { probeArgs } from '@siarin/media/argv/probe'
import { type Probe, parseProbe, type VideoFacts } from '@siarin/media/parse/probe'
import { type Excess, excessOf, inspectionMs } from '@siarin/media/work-bounds'
import { DomainError, OperationalError } from '../../errors.ts'
import { createFairTurns, TooManyWaitError } from '../../platform/fair-turns.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { type BoundedRun, runBounded } from '../../platform/process/run-bounded.ts'
import { unusable, VideoRefused } from './video-refused.ts'

const PROBE = { maxBytes: 1_000_000, priority: 'waited-for' } as const
const SNIFF_BYTES = 512

/** How many arrivals at once. The video that is being prepared is inspected beside them. */
const AT_ONCE = 2
/** A user who sends many at once waits behind the others, and is told to come back beyond this. */
const MOST_WAITING_PER_USER = 100
const MOST_WAITING = 1_000
const MOST_KNOWN = 1_000

export type UsableProbe = Probe & { video: VideoFacts }
export type InspectVideo = (path: string) => Promise<UsableProbe>
/** `patient`: waits however many wait already, for those who are few by themselves. */
export type InspectArrival = (path: string, userId: string, how?: { patient: boolean }) => Promise<UsableProbe>

/** The file may be at fault, or all else that this machine has to do: only another inspection can tell. */
export class InspectionTimedOutError extends VideoRefused {
  constructor() {
    super('video_unusable', { code: 'too-much-work' })
  }
}

/** Judges a file by its content, never by its name; what can never go on air is refused with the reason. */
export function createInspector(ffprobePath: string, timeoutMs: number): InspectVideo {
  async function probe(path: string, bytes: number): Promise<UsableProbe> {
    const disguise = disguiseOf(await firstBytes(path))
    if (disguise) throw unusable(disguise)
    const limits = { ...PROBE, timeoutMs: inspectionMs(bytes, timeoutMs), memoryBytes: readerMemoryBytes() }
    const run = await runBounded(ffprobePath, probeArgs(path), limits).catch((error) => {
      throw new OperationalError('ffprobe could not be run', { cause: error })
    })
    if (run.timedOut) throw new InspectionTimedOutError()
    const parsed = run.code === 0 ? parseProbe(run.stdout) : null
    if (!parsed) throw unusable(unreadableBecause(run))
    const { video } = parsed
    if (!video) throw unusable('no-video')
    const excess = excessOf(parsed)
    if (excess) throw unusable(EXCESS_REASONS[excess])
    // A decoder that may not have so large a picture tells no size at all.
    if (video.width === null && /max pixel count/.test(run.stderr)) throw unusable('too-many-pixels')
    return { ...parsed, video }
  }

  // What arrives is inspected a second time when it is prepared, under another name: starting ffprobe takes longer than all else.
  const known = new Map<string, UsableProbe>()
  return async (path) => {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
    const file = [dev, ino, size, mtimeNs].join(' ')
    const found = known.get(file) ?? (await probe(path, Number(size)))
    known.set(file, found)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '')
    return found
  }
}

/** The same for what arrives: a few at a time, one per user, so that nobody's odd files hold up the others. */
export function createArrivalInspector(inspect: InspectVideo): InspectArrival {
  const inTurn = createFairTurns({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, mostWaitingEach: MOST_WAITING_PER_USER })
  return async (path, userId, { patient } = { patient: false }) => {
    const inspectInTurn = () => inTurn(userId, () => inspect(path), { always: patient })
    try {
      // Once more, behind the others: what a busy disk was slow to read is at hand by then.
      return await inspectInTurn().catch((error) => {
        if (error instanceof InspectionTimedOutError) return inspectInTurn()
        throw error
      })
    } catch (error) {
      if (!(error instanceof TooManyWaitError)) throw error
      throw new DomainError('server_full', VIDEO_TEXTS.manyWaiting, { retryAfterSeconds: 30 })
    }
  }
}

const EXCESS_REASONS: Record<Excess, PlainVideoReason> = {
  'too-many-pixels': 'too-many-pixels',
  'too-many-frames': 'too-long',
}

function unreadableBecause({ stderr }: BoundedRun): PlainVideoReason {
  if (/Cannot allocate memory/i.test(stderr)) return 'too-much-work'
  return /moov atom not found/i.test(stderr) ? 'truncated' : 'unreadable'
}

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What ffprobe's white-list would refuse anyway, told apart so that the person reads what it is. */
function disguiseOf(bytes: Buffer): PlainVideoReason | null {
  if (bytes.length === 0) return 'empty'
  const latin = bytes.toString('latin1')
  if (/^\xff\xd8\xff|^\x89PNG|^GIF8|^BM.{4}\0{4}|^RIFF.{4}WEBP/s.test(latin)) return 'is-image'
  if (/^(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat |\[playlist\]|<\?xml|<MPD)/i.test(latin)) return 'is-playlist'
  return null
}
