import { open, stat } from 'node:fs/promises'
import { setImmediate as anotherTurn } from 'node:timers/promises'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { PlainVideoReason } from '@siarin/contracts/video-reasons'
import { probeArgs } from '@siarin/media/argv/probe'
import { isMp4 } from '@siarin/media/idle-packets'
import type { LoopPlan } from '@siarin/media/loop-plan'
import { edgesIn } from '@siarin/media/parse/edges'
import { type Probe, parseAnswer, probeIn, type VideoFacts } from '@siarin/media/parse/probe'
import { type Excess, excessOf, inspectionMs } from '@siarin/media/work-bounds'
import { DomainError, OperationalError } from '../../errors.ts'
import { createFairTurns, TooManyWaitError } from '../../platform/fair-turns.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { type BoundedRun, runBounded } from '../../platform/process/run-bounded.ts'
import { createYieldingTurns } from '../../platform/yielding-turns.ts'
import { indexesOf, planOf, readsAll } from './loop-plan-of.ts'
import { mp4Seconds } from './mp4-seconds.ts'
import { standsForMore } from './mp4-tables.ts'
import { unusable, VideoRefused } from './video-refused.ts'

const PROBE = { maxBytes: 1_000_000, priority: 'waited-for' } as const
/**
 * The packets of some twenty seconds are beside the header: two or three thousand. All of it is parsed in one piece, while nothing else is
 * served. The edges of a file that has more are read by themselves when it is prepared, line by line.
 */
const PROBE_WITH_EDGES = { ...PROBE, maxBytes: 400_000 } as const
/** A file that is no longer is read whole at once when it is judged: starting ffprobe takes as long as writing out the sound of minutes. */
export const READ_AT_ONCE_SECONDS = 120
/** What the header says and what ffprobe finds may differ by so much, or the edges were looked for in the wrong place. */
const SAME_LENGTH_SECONDS = 1
const SNIFF_BYTES = 512

/**
 * How many arrivals at once; the video that is being prepared is inspected beside them. As many of those that turned out to take long: a
 * megabyte of tags takes ffprobe half a minute.
 */
const TURNS = {
  ...{ atOnce: 2, mostWaiting: 1_000, mostWaitingEach: 1 },
  givesWay: { afterMs: 1_500, atMostAfterMs: 300_000, lookEveryMs: 100 },
}
/** A user who sends many at once waits behind the others, and is told to come back beyond this. */
const OWN = { atOnce: Infinity, mostWaiting: 1_000, mostWaitingEach: 100 }
/** On a processor. The index of a day of video takes one or two seconds. */
const hardMs = (bytes: number): number => 2_000 + bytes / 2_000_000
/** One that timed out with less of its time on a processor is tried once more: it waited for a disk, or for all else that there was to do. */
const STARVED_SHARE = 1 / 4
const MOST_KNOWN = 1_000

export interface UsableProbe extends Probe {
  readonly video: VideoFacts
  /** Looking into it takes so much work that every further look, of which a preparation has ten, would keep others waiting. */
  readonly isHard?: boolean
  /** How it could be looped, where its edges were read with its header. */
  readonly loop?: LoopPlan
}
export type InspectVideo = (path: string, signal?: AbortSignal) => Promise<UsableProbe>
/** `patient`: waits however many wait already, for those who are few by themselves. */
export type InspectArrival = (path: string, userId: string, how?: { patient: boolean }) => Promise<UsableProbe>

/** The file may be at fault, or all else that this machine has to do: only another inspection can tell. */
export class InspectionTimedOutError extends VideoRefused {
  /** The file was hardly worked on: the machine had something else to do. */
  readonly wasStarved: boolean

  constructor({ wasStarved }: { wasStarved: boolean }) {
    super('video_unusable', { code: 'too-much-work' })
    this.wasStarved = wasStarved
  }
}

/** Judges a file by its content, never by its name; what can never go on air is refused with the reason. */
export function createInspector(ffprobePath: string, timeoutMs: number): InspectVideo {
  const run = (args: string[], limits: Parameters<typeof runBounded>[2]): Promise<BoundedRun> =>
    runBounded(ffprobePath, args, limits).catch((error) => {
      throw new OperationalError('ffprobe could not be run', { cause: error })
    })

  async function probe(path: string, bytes: number, signal: AbortSignal | undefined): Promise<UsableProbe> {
    const disguise = disguiseOf(await firstBytes(path))
    if (disguise) throw unusable(disguise)
    const limits = {
      timeoutMs: inspectionMs(bytes, timeoutMs),
      memoryBytes: readerMemoryBytes(),
      ...(signal && { signal }),
    }
    const end = await endToRead(path)
    const first = await run(probeArgs(path, end), { ...(end === null ? PROBE : PROBE_WITH_EDGES), ...limits })
    // Whatever there is at its edges, its header may be fine.
    const isEnough = first.code === 0 || first.timedOut || end === null
    const answer = isEnough ? first : await run(probeArgs(path), { ...PROBE, ...limits })
    if (answer.timedOut) {
      const { cpuMs } = answer
      throw new InspectionTimedOutError({ wasStarved: cpuMs === null || cpuMs < limits.timeoutMs * STARVED_SHARE })
    }
    const content = answer.code === 0 ? parseAnswer(answer.stdout) : null
    const told = probeIn(content)
    if (!told) throw unusable(unreadableBecause(answer))
    const parsed: Probe = { ...told, standsForMore: isMp4(told) && (await standsForMore(path, bytes)) }
    const { video } = parsed
    if (!video) throw unusable('no-video')
    const excess = excessOf(parsed, bytes)
    if (excess) throw unusable(EXCESS_REASONS[excess])
    // A decoder that may not have so large a picture tells no size at all.
    if (video.width === null && /max pixel count/.test(answer.stderr)) throw unusable('too-many-pixels')
    // Reading the packets takes as long as parsing them did: others are served in between.
    await anotherTurn()
    const loop = answer === first && end !== null ? loopByEdges(parsed, end, content) : null
    const isHard = (answer.cpuMs ?? 0) > hardMs(bytes)
    return { ...parsed, video, ...(isHard && { isHard }), ...(loop && { loop }) }
  }

  // What arrives is inspected a second time when it is prepared, under another name: starting ffprobe takes longer than all else.
  const known = new Map<string, UsableProbe>()
  return async (path, signal) => {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
    const file = [dev, ino, size, mtimeNs].join(' ')
    const found = known.get(file) ?? (await probe(path, Number(size), signal))
    known.set(file, found)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '')
    return found
  }
}

/** The same for what arrives: a few at a time, one per user, so that nobody's odd files hold up the others. */
export function createArrivalInspector(inspect: InspectVideo): InspectArrival {
  const ofUser = createFairTurns(OWN)
  const inTurn = createYieldingTurns(TURNS)
  return async (path, userId, { patient } = { patient: false }) => {
    const how = { always: patient }
    const inspectInTurn = () => inTurn(userId, (signal) => inspect(path, signal), how)
    try {
      // Also while it takes long: one user's slow files come one after the other.
      return await ofUser(
        userId,
        () =>
          inspectInTurn().catch((error) => {
            // Once more, behind the others: what a busy disk was slow to read is at hand by then.
            if (error instanceof InspectionTimedOutError && error.wasStarved) return inspectInTurn()
            throw error
          }),
        how,
      )
    } catch (error) {
      if (!(error instanceof TooManyWaitError)) throw error
      throw new DomainError('server_full', VIDEO_TEXTS.manyWaiting, { retryAfterSeconds: 30 })
    }
  }
}

const EXCESS_REASONS: Record<Excess, PlainVideoReason> = {
  'too-many-pixels': 'too-many-pixels',
  'too-many-frames': 'too-long',
  'too-many-packets': 'too-much-work',
  'too-many-tracks': 'too-much-work',
  'too-much-sound': 'too-much-sound',
}

/** Where a long MP4 ends: its edges are read with its header, so that ffprobe is started once for both. */
async function endToRead(path: string): Promise<number | null> {
  const seconds = await mp4Seconds(path)
  return seconds !== null && seconds > READ_AT_ONCE_SECONDS ? seconds : null
}

/** Null: the edges have to be read by themselves. */
function loopByEdges(probe: Probe, end: number, content: unknown): LoopPlan | null {
  const of = indexesOf(probe)
  if (!of || readsAll(probe)) return null
  const endsAt = (probe.durationSeconds ?? 0) + (probe.startSeconds ?? 0)
  if (Math.abs(endsAt - end) > SAME_LENGTH_SECONDS) return null
  const edges = edgesIn(content, of.picture, of.sound)
  return edges && planOf(probe, edges)
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
