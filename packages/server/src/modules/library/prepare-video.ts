import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type PlainVideoReason, storedForm, type VideoReason } from '@siarin/contracts/video-reasons'
import { prepareArgs } from '@siarin/media/argv/prepare'
import { thumbnailArgs } from '@siarin/media/argv/thumbnail'
import { preparePlan } from '@siarin/media/prepare-plan'
import { type Readiness, readiness } from '@siarin/media/readiness'
import { verifyMaster } from '@siarin/media/verify-master'
import { isTooSparse, preparationMs, standstillMs } from '@siarin/media/work-bounds'
import { DomainError } from '../../errors.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { JobHandler, JobOutcome, Queue } from '../../platform/queue/queue.ts'
import { type Storage, storedFile, withPinned } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import { containerOf } from './container-types.ts'
import type { InspectVideo, UsableProbe } from './inspect-video.ts'
import { originalFacts, pictureFacts } from './intake.ts'
import { jobOf, type Lane, neededLane } from './lanes.ts'
import { folderOf, type LibraryRepo, type VideoColumns, type VideoRow } from './library.repo.ts'
import { createProgressReport } from './progress-report.ts'
import type { MadeMaster, RenditionStore } from './rendition-store.ts'
import type { LibraryLimits, Room } from './room.ts'
import { type PreparationRun, runPreparation } from './run-preparation.ts'
import { type PacketScan, scanPackets } from './scan-packets.ts'
import { isPictureSteady } from './scan-picture.ts'
import { reasonOf, VideoRefused } from './video-refused.ts'
import type { WorkFolders } from './work-folders.ts'
import type { PermitFor } from './work-permit.ts'

interface PrepareDeps {
  repo: LibraryRepo
  storage: Storage
  masters: RenditionStore
  queue: Pick<Queue, 'add'>
  room: Room
  events: Events
  log: Log
  inspect: InspectVideo
  limitsOf: (userId: string) => Promise<LibraryLimits>
  ffmpegPath: string
  ffprobePath: string
  workOf: WorkFolders['of']
  mayWork: (userId: string) => Promise<boolean>
  permitFor: PermitFor
  timings: Timings['mediaTools']
}

type ProbedMaster = MadeMaster & { readonly probe: UsableProbe }

type Needed = Readiness & { kind: 'audio-only' | 'full' }

const MASTER_TYPE = 'video/mp4'

/** One picture of a video that can be looped. */
const THUMBNAIL_MS = 60_000

/** A copy of the picture is as large as the original, give or take its sound: nobody is refused for that. */
const COPY_SLACK_BYTES = 100 * 1024 ** 2

/**
 * Turns originals into what can be looped for weeks without re-encoding; does nothing that need not be done. The job is the user's, not
 * the video's: whoever uploads fifty at once has one at a time prepared in each lane, and the next waits behind the other users'.
 */
export function createPrepareJob(deps: PrepareDeps, lane: Lane): JobHandler {
  const { repo, storage, masters, queue, room, events, log, inspect, limitsOf, ffmpegPath, workOf, timings } = deps

  /** What takes too long, or shows the same packets again and again, is no video that anybody made to be watched. */
  async function scan(path: string, signal: AbortSignal): Promise<PacketScan> {
    const found = await scanPackets(deps.ffprobePath, path, { baseMs: timings.scanMs, signal })
    if (found.gaveUp) throw unusable('too-much-work')
    return found
  }

  const laneFor = (needed: Readiness, probe: UsableProbe, { packets }: PacketScan): Lane =>
    neededLane(needed, probe, packets, timings.quickPixels)

  /** Null: it needs another lane. */
  async function makeMaster(
    video: VideoRow,
    original: { path: string; probe: UsableProbe; scanned: PacketScan },
    needed: Needed,
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    await room.needDisk(video.original_bytes)
    const { keyframes, packets } = original.scanned
    const plan = preparePlan(original.probe, needed, await limitsOf(video.user_id), keyframes?.spanSeconds)
    if (isTooSparse(plan, packets)) throw unusable('too-sparse')
    const most = await room.forMaster(video)
    const output = join(workOf(video), 'master.mp4')
    await repo.update(video.id, { step: 'preparing', progress: 0, seconds_left: null })
    const report = createProgressReport(repo, video.id)
    const wholeMs = plan.durationSeconds * 1000
    const run = await runPreparation(
      ffmpegPath,
      prepareArgs(plan, { input: original.path, output, progressTo: 'pipe:1' }),
      {
        signal,
        timeoutMs: preparationMs(plan.durationSeconds, timings.prepareMs),
        standstillMs: (madeBytes) => standstillMs(Math.max(video.original_bytes, madeBytes), timings.standstillMs),
        onOutTime: (outTimeMs) => report.at(outTimeMs / wholeMs),
        mostBytes: most.bytes + (plan.picture.kind === 'copy' ? COPY_SLACK_BYTES : 0),
      },
    )
    if (run.outgrew) throw most.refusal(most.bytes)
    if (!run.ok) {
      log.warn({ videoId: video.id, lines: run.lastLines, timedOut: run.timedOut }, 'a video could not be prepared')
      throw unusable(failureOf(run))
    }
    const probe = await inspect(output)
    const faults = verifyMaster(probe, (await scan(output, signal)).keyframes)
    if (faults.length > 0) {
      log.error({ videoId: video.id, faults, tried: needed.kind }, 'a prepared video would not loop')
      if (needed.kind === 'full') {
        const changes = needed.why.includes('picture-changes')
        throw unusable(changes ? 'picture-changes' : 'prepare-failed')
      }
      // Its picture is damaged in a way that only making it anew can mend.
      const anew: Needed = { kind: 'full', why: ['incomplete'] }
      if (lane === 'quick' && laneFor(anew, original.probe, original.scanned) === 'long') return null
      return makeMaster(video, original, anew, signal)
    }
    return { file: output, bytes: (await stat(output)).size, contentType: MASTER_TYPE, probe }
  }

  /** A missing picture is no reason to keep a video from going on air. */
  async function makeThumbnail(
    video: VideoRow,
    master: { path: string; probe: UsableProbe },
    signal: AbortSignal,
  ): Promise<string | null> {
    const output = join(workOf(video), 'thumbnail.jpg')
    const atSeconds = Math.min(3, (master.probe.durationSeconds ?? 0) / 4)
    const args = thumbnailArgs({ input: master.path, atSeconds, output })
    const { ok } = await runPreparation(ffmpegPath, args, { signal, timeoutMs: THUMBNAIL_MS })
    return ok && (await stat(output).catch(() => null)) ? output : null
  }

  /** Only what would be copied has to be looked through: what is made anew has one size. */
  async function withSteadyPicture(verdict: Readiness, path: string, signal: AbortSignal): Promise<Readiness> {
    const isCopied = verdict.kind === 'ready' || verdict.kind === 'audio-only'
    if (!isCopied || (await isPictureSteady(ffmpegPath, path, { baseMs: timings.scanMs, signal }))) return verdict
    return { kind: 'full', why: ['picture-changes'] }
  }

  async function handOver({ id, user_id: userId }: VideoRow): Promise<void> {
    await repo.update(id, { lane: 'long', step: 'preparing', progress: null, seconds_left: null })
    await queue.add(jobOf('long'), userId)
  }

  async function prepare(
    video: VideoRow,
    original: { key: string; path: string },
    signal: AbortSignal,
  ): Promise<'done' | 'needs-long'> {
    const { path } = original
    const [probe, scanned] = [await inspect(path), await scan(path, signal)]
    const { maxHeight, maxFps } = await limitsOf(video.user_id)
    const verdict = await withSteadyPicture(readiness(probe, scanned.keyframes, { maxHeight, maxFps }), path, signal)
    if (verdict.kind === 'unusable') throw unusable(UNUSABLE_REASONS[verdict.why])
    if (lane === 'quick' && laneFor(verdict, probe, scanned) === 'long') return 'needs-long'
    const made =
      verdict.kind === 'ready'
        ? { file: null, bytes: 0, contentType: typeOf(probe), probe }
        : await makeMaster(video, { path, probe, scanned }, verdict, signal)
    if (!made) return 'needs-long'
    const truncated = verdict.kind !== 'ready' && (verdict.why as readonly string[]).includes('incomplete')
    const facts = {
      ...pictureFacts(made.probe),
      ...originalFacts(probe),
      reason: null,
      warning: truncated ? storedForm({ code: 'cut-short' }) : null,
    }
    await publish(video, original.key, made, facts, signal)
    return 'done'
  }

  /** What was made becomes what is played; a video that was deleted meanwhile has none. */
  async function publish(
    video: VideoRow,
    originalKey: string,
    made: ProbedMaster,
    facts: Partial<VideoColumns>,
    signal: AbortSignal,
  ): Promise<void> {
    const begun = await masters.begin(video, originalKey, made)
    if (!begun) return
    const picture = await withPinned(storedFile(storage, begun.key), (path) =>
      makeThumbnail(video, { path, probe: made.probe }, signal),
    )
    const rendition = await masters.addPicture(begun, picture)
    const over = { status: 'ready', step: null, progress: null, seconds_left: null, lane: null }
    if (!(await masters.finish(video, rendition, { ...facts, ...over }))) return
    events.emit('video.ready', { videoId: video.id, userId: video.user_id })
  }

  /** What could go on air before can still: only what has no master yet has failed. */
  async function giveUp(video: VideoRow, why: VideoReason): Promise<void> {
    const over = { step: null, progress: null, seconds_left: null, lane: null }
    const reason = storedForm(why)
    const warning = storedForm({ code: 'prepare-again-failed', because: reason })
    const isBack = video.master !== null
    await repo.update(video.id, isBack ? { ...over, status: 'ready', warning } : { ...over, status: 'failed', reason })
  }

  async function prepareOne(
    video: VideoRow,
    originalKey: string,
    signal: AbortSignal,
  ): Promise<JobOutcome | 'needs-long'> {
    const videoId = video.id
    const permit = deps.permitFor(video)
    try {
      await mkdir(workOf(video), { recursive: true, mode: 0o700 })
      return await withPinned(storedFile(storage, originalKey), (path) =>
        prepare(video, { key: originalKey, path }, AbortSignal.any([signal, permit.signal])),
      )
    } catch (error) {
      if (signal.aborted) return 'again'
      if (permit.signal.aborted) {
        // It begins anew should its owner be reinstated; what was deleted has no row to change.
        await repo.update(videoId, { progress: null, seconds_left: null })
        return 'done'
      }
      if (error instanceof DomainError) await giveUp(video, reasonOf(error))
      else if (video.master === null) throw error
      else {
        log.error({ err: error, videoId }, 'a video could not be prepared again')
        await giveUp(video, { code: 'prepare-failed' })
      }
      return 'done'
    } finally {
      permit.release()
      await rm(workOf(video), { recursive: true, force: true })
      // Deleted meanwhile, perhaps on another machine: what was made in its name goes too, however this ended.
      if (!(await repo.byId(videoId))) await storage.remove(folderOf(video))
      else await masters.clearOf(videoId)
    }
  }

  /** A row is there a moment before its file is. One that is prepared again must be told if its file is gone. */
  const isThere = async ({ original_key: key, master }: VideoRow): Promise<boolean> =>
    key !== null && (master !== null || (await storage.head(key).catch(() => null)) !== null)

  /** How often something unforeseen came between, in this run of the program: those are tried again behind the user's others. */
  const mishaps = new Map<string, number>()
  const mishapsOf = ({ id }: VideoRow): number => mishaps.get(id) ?? 0

  return async (userId, { signal }) => {
    // The rows stay: whoever is reinstated finds them going on (see refill-library).
    if (!(await deps.mayWork(userId))) return 'done'
    const waiting = (await repo.preparationsOf(userId, lane)).sort((one, other) => mishapsOf(one) - mishapsOf(other))
    const video = await firstOf(waiting, isThere)
    if (!video?.original_key) return 'done'
    try {
      const outcome = await prepareOne(video, video.original_key, signal)
      if (outcome === 'again') return 'again'
      // Not before its work folder is cleared: the other lane makes it anew.
      if (outcome === 'needs-long') await handOver(video)
      mishaps.delete(video.id)
      if (waiting.length > 1) await queue.add(jobOf(lane), userId)
      return 'done'
    } catch (error) {
      mishaps.set(video.id, mishapsOf(video) + 1)
      throw error
    }
  }
}

async function firstOf<T>(all: readonly T[], isRight: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await isRight(one)) return one
  return undefined
}

const unusable = (code: PlainVideoReason): VideoRefused => new VideoRefused('video_unusable', { code })

function failureOf({ lastLines, timedOut }: PreparationRun): PlainVideoReason {
  const said = (words: string): boolean => lastLines.some((line) => line.includes(words))
  if (said('No space left')) return 'disk-full'
  if (said('max pixel count')) return 'too-many-pixels'
  return timedOut || said('Cannot allocate memory') ? 'too-much-work' : 'prepare-failed'
}

const typeOf = (probe: UsableProbe): string => containerOf(probe.formatName ?? '').contentType

const UNUSABLE_REASONS: Record<(Readiness & { kind: 'unusable' })['why'], PlainVideoReason> = {
  'no-video': 'no-video',
  'no-size': 'unreadable',
  'no-duration': 'unreadable',
  'too-short': 'too-short',
  incomplete: 'truncated',
}
