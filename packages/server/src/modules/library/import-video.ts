import { rm } from 'node:fs/promises'
import { storedForm, type VideoReason } from '@siarin/contracts/video-reasons'
import { DomainError } from '../../errors.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { DownloadRefused } from '../../platform/egress/guarded-download.ts'
import type { Log } from '../../platform/log.ts'
import type { JobHandler, JobOutcome, Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ImportPlace, ImportPlaces } from './import-places.ts'
import type { Intake } from './intake.ts'
import type { LibraryRepo } from './library.repo.ts'
import { type MinimumPace, watchPace } from './minimum-pace.ts'
import { createProgressReport } from './progress-report.ts'
import { RECORDING_PROTOCOL, type RecordingsPort } from './recordings-port.ts'
import type { Reservation } from './reserve-room.ts'
import type { Room } from './room.ts'
import { reasonOf, VideoRefused } from './video-refused.ts'
import type { VideoRow } from './video-row.ts'
import type { PermitFor } from './work-permit.ts'

interface ImportDeps {
  repo: LibraryRepo
  intake: Intake
  room: Room
  sealer: Sealer
  log: Log
  queue: Pick<Queue, 'add'>
  egress: Pick<Egress, 'open'>
  pace: MinimumPace
  places: ImportPlaces
  mayWork: (userId: string) => Promise<boolean>
  permitFor: PermitFor
  recordings: Pick<RecordingsPort, 'open'>
}

/**
 * Fetches a user's videos from their addresses, then hands them to the intake like an upload. A crash in between starts one anew.
 * The job is the user's, not the video's: so each has one under way at a time, and the next one waits behind the other users'.
 */
export function createImportJob(deps: ImportDeps): JobHandler {
  const { repo, intake, room, sealer, log, queue, egress } = deps

  /** Answers what releases its room; where it fails, nothing stays reserved. */
  async function fetchInto(video: VideoRow, url: URL, place: ImportPlace, closing: AbortSignal): Promise<Reservation> {
    const signal = AbortSignal.any([closing, place.signal])
    const isRecording = url.protocol === RECORDING_PROTOCOL
    const { body, sizeBytes } = await (isRecording
      ? deps.recordings.open(video.user_id, url, signal)
      : egress.open(url, { signal }))
    const coming = { id: video.id, userId: video.user_id, kind: 'import', bytes: sizeBytes } as const
    const reservation = await room.reserve(coming).catch((error) => {
      body.destroy()
      throw error
    })
    const report = createProgressReport((progress) => repo.update(video.id, progress))
    let arrived = 0
    // A server that sends a byte now and then is never idle, and would keep its place for ever.
    const stopWatch = watchPace(
      deps.pace,
      () => arrived,
      () => body.destroy(new VideoRefused('source_unreachable', { code: 'url-too-slow' })),
    )
    try {
      await intake.write(video.id, body, reservation, (written) => {
        arrived = written
        place.noteArrived(written)
        if (sizeBytes) report.at(written / sizeBytes)
      })
      if (sizeBytes !== null && arrived < sizeBytes) throw new DownloadRefused('unreachable')
      return reservation
    } catch (error) {
      await reservation.release()
      throw error
    } finally {
      stopWatch()
    }
  }

  async function fetchVideo(
    video: VideoRow,
    sealedUrl: string,
    place: ImportPlace,
    signal: AbortSignal,
  ): Promise<JobOutcome> {
    const videoId = video.id
    const permit = deps.permitFor(video)
    let isRecording = false
    try {
      const url = new URL(sealer.open(sealedUrl).reveal())
      isRecording = url.protocol === RECORDING_PROTOCOL
      const reservation = await fetchInto(video, url, place, AbortSignal.any([signal, permit.signal]))
      // From here on it waits for us.
      place.giveBack()
      await intake.acceptImport(video).finally(() => reservation.release())
      return 'done'
    } catch (error) {
      if (signal.aborted) return 'again'
      if (permit.signal.aborted) {
        await repo.update(videoId, { progress: null, seconds_left: null })
        return 'done'
      }
      const reason: VideoReason | null = place.signal.aborted
        ? { code: 'url-too-slow' }
        : importFailure(error, isRecording)
      if (!reason) throw error
      log.info({ videoId, reason }, 'import failed')
      await rm(intake.directoryOf(videoId), { recursive: true, force: true })
      await repo.update(videoId, { status: 'failed', reason: storedForm(reason), progress: null, seconds_left: null })
      return 'done'
    } finally {
      permit.release()
      await rm(intake.directoryOf(videoId), { recursive: true, force: true })
    }
  }

  async function importNext(userId: string, place: ImportPlace, signal: AbortSignal): Promise<JobOutcome> {
    // The rows stay: a user who is reinstated finds them going on (see refill-library).
    if (!(await deps.mayWork(userId))) return 'done'
    const [video, another] = await repo.importsOf(userId, 2)
    if (!video?.import_url_sealed) return 'done'
    const outcome = await fetchVideo(video, video.import_url_sealed, place, signal)
    if (outcome === 'done' && another) await queue.add('import-video', userId)
    return outcome
  }

  return async (userId, { signal }) => {
    if (deps.places.hasToWait(userId)) return 'again'
    const place = await deps.places.enter(userId, signal)
    return place ? importNext(userId, place, signal).finally(place.giveBack) : 'again'
  }
}

function importFailure(error: unknown, isRecording: boolean): VideoReason | null {
  if (isRecording && error instanceof DomainError && error.code === 'not_found') return { code: 'recording-gone' }
  if (error instanceof DomainError) return reasonOf(error)
  if (!(error instanceof DownloadRefused)) return null
  if (error.why === 'forbidden') return { code: 'url-forbidden' }
  return error.why === 'status' ? { code: 'url-answered', status: error.status ?? 0 } : { code: 'url-unreachable' }
}
