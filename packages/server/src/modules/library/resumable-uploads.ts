import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { GENERAL_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { Server, type ServerOptions, type Upload } from '@tus/server'
import { DomainError, isDiskFull } from '../../errors.ts'
import { errorBody, STATUS } from '../../http/error-answers.ts'
import type { KeepWritten } from '../../platform/db/keep-written.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import type { Caller } from '../identity/caller.ts'
import { createFinishedUploads } from './finished-uploads.ts'
import { InspectionTimedOutError } from './inspect-video.ts'
import type { Intake } from './intake.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'
import type { ReservationsRepo } from './reservations.repo.ts'
import type { Room } from './room.ts'
import { TusStore } from './tus-store.ts'
import { diskFull } from './video-refused.ts'

interface ResumableDeps {
  repo: Pick<LibraryRepo, 'byId'>
  reservations: Pick<ReservationsRepo, 'release'>
  intake: Intake
  room: Room
  log: Log
  keepWritten: KeepWritten
  timings: Pick<Timings, 'finishedUploads'>
  /** Unfinished uploads, on the disk of the media: a finished one is moved, never copied. */
  directory: string
}

export type ResumableUploads = ReturnType<typeof createResumableUploads>
type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0]

const DAY_MS = 86_400_000
const CLEAN_EVERY_MS = 3_600_000
const NOT_IMPLEMENTED = 501
/** With ten minutes to begin with: five hours in all, of the day for which it is kept. */
const MOST_PUT_OFF = 3
const PUT_OFF_GROWS = 5

/** An upload's id says whose it is and which video it becomes, so that finishing it twice makes one video. */
const idOf = (userId: string): string => `${userId}~${randomUUID()}`
const partsOf = (uploadId: string) => {
  const [userId = '', videoId = ''] = uploadId.split('~')
  return { userId, videoId }
}

/** Nothing else is an upload of ours, above all not the records that lie beside the files. */
const UPLOAD_ID = /^[\w-]+~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const lookedIntoLater = (waitMs: number): DomainError =>
  new DomainError('server_full', VIDEO_TEXTS.lookedIntoLater, { retryAfterSeconds: Math.ceil(waitMs / 1000) })

/** Uploads by tus: a broken connection, a closed laptop or a restart of ours go on where they stopped. */
export function createResumableUploads(deps: ResumableDeps) {
  const { repo, reservations, intake, room, log, keepWritten, timings, directory } = deps
  const store = new TusStore({
    directory,
    expirationPeriodInMilliseconds: DAY_MS,
    reserve: reserveFor,
    release,
    isWaiting,
  })
  const seen = new WeakMap<IncomingMessage, { caller: Caller; uploadId: string }>()
  const finishing = new Map<string, Promise<void>>()
  /** Those whose look took too long. */
  const putOff = new Map<string, { times: number; until: number }>()

  /** For us to look into it: nobody may clear it away. */
  function isWaiting(uploadId: string): boolean {
    return finishing.has(uploadId) || finished.isWaiting(uploadId)
  }

  function seenOf(request: TusRequest): { caller: Caller; uploadId: string } {
    const node = request.runtime?.node?.req as IncomingMessage | undefined
    const known = node && seen.get(node)
    if (!known) throw new Error('an upload request that no hook has seen')
    return known
  }
  const userOf = (request: TusRequest): string => seenOf(request).caller.workspaceId

  /** A sender may repeat its last request while the first one is still being answered: all get the answer of one finishing. */
  function finish(upload: Upload): Promise<void> {
    const underWay = finishing.get(upload.id)
    if (underWay) return underWay
    const waitMs = (putOff.get(upload.id)?.until ?? 0) - Date.now()
    if (waitMs > 0) return Promise.reject(lookedIntoLater(waitMs))
    const finished = becomeVideo(upload).finally(() => finishing.delete(upload.id))
    finishing.set(upload.id, finished)
    return finished
  }

  async function becomeVideo(upload: Upload): Promise<void> {
    const { userId, videoId } = partsOf(upload.id)
    const file = join(directory, upload.id)
    const filename = upload.metadata?.['filename'] ?? 'video'
    try {
      const video = await repo.byId(videoId)
      if (!video) await intake.accept({ videoId, userId, filename, file, reservationId: upload.id })
      // Whoever wrote the row came no further than that.
      else if (!(await intake.hasArrived(video))) await intake.settle(video, file)
    } catch (error) {
      const video = await repo.byId(videoId)
      const isThere = video !== null && (await intake.hasArrived(video))
      if (!video && !(await store.fileOf(upload.id))) {
        await forget(upload.id)
        throw new DomainError('not_found', VIDEO_TEXTS.notFound, { cause: error })
      }
      const waitMs = error instanceof InspectionTimedOutError && !video ? putOffMs(upload.id) : null
      if (waitMs !== null) throw lookedIntoLater(waitMs)
      // What was refused would be refused again; anything else may go better when the sender asks once more.
      if (error instanceof DomainError && error.code !== 'server_full' && !video) await forget(upload.id)
      // Another program on this folder was quicker.
      if (!isThere) throw error
    }
    await forget(upload.id)
  }

  /** A busy machine must cost nobody a file of many hours' upload. Null: it was put off often enough, the file itself is at fault. */
  function putOffMs(uploadId: string): number | null {
    const times = (putOff.get(uploadId)?.times ?? 0) + 1
    if (times > MOST_PUT_OFF) return null
    const waitMs = timings.finishedUploads.againMs * PUT_OFF_GROWS ** (times - 1)
    putOff.set(uploadId, { times, until: Date.now() + waitMs })
    return waitMs
  }

  function reserveFor({ id, size, offset }: Pick<Upload, 'id' | 'size' | 'offset'>) {
    return room.reserve({ id, userId: partsOf(id).userId, kind: 'tus', bytes: size ?? null, arrivedBytes: offset })
  }

  async function forget(uploadId: string): Promise<void> {
    // Not by tus, which takes a record that is gone already for a fault.
    for (const name of [uploadId, `${uploadId}.json`]) await rm(join(directory, name), { force: true })
    await release(uploadId)
  }

  async function release(uploadId: string): Promise<void> {
    putOff.delete(uploadId)
    await reservations.release(uploadId)
  }

  const finished = createFinishedUploads({
    ...{ directory, log, finish, forget, everyMs: timings.finishedUploads.everyMs },
    getUpload: (uploadId) => store.getUpload(uploadId),
    ownerOf: (uploadId) => partsOf(uploadId).userId,
    mayFinish: (uploadId) => !finishing.has(uploadId) && (putOff.get(uploadId)?.until ?? 0) <= Date.now(),
  })

  const server = new Server({
    path: RESUMABLE_UPLOAD_PATH,
    datastore: store,
    relativeLocation: true,
    // Same origin only: nobody else's page uploads here.
    allowedOrigins: [],
    namingFunction: (request) => idOf(userOf(request)),
    async onIncomingRequest(request, uploadId) {
      if (request.method === 'POST') return
      // Somebody else's upload is not there, and neither is the record that lies beside an own one.
      const foreign = partsOf(uploadId).userId !== userOf(request) || !UPLOAD_ID.test(uploadId)
      if (foreign) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    },
    async onUploadCreate(_request, upload) {
      // Without its size nobody could say whether it fits.
      if (upload.size === undefined) throw new DomainError('invalid_input', GENERAL_TEXTS.id.badRequest)
      const reservation = await reserveFor(upload)
      // Its bytes come with a later request, or never.
      reservation.rest()
      return {}
    },
    async onUploadFinish(_request, upload) {
      await finish(upload)
      await keepWritten()
      return {}
    },
    onResponseError: (request, error) => toRefusal(request, error),
  })

  /** tus's own errors are fine as they are; ours become JSON; nothing inner gets out. */
  async function toRefusal(request: TusRequest, error: Error | { status_code: number; body: string }) {
    const { caller, uploadId } = seenOf(request)
    // A sender asks how far it is when it reads a conflict, and learns that it is done.
    if (request.method === 'PATCH' && (await videoOf(caller, uploadId)))
      return { status_code: 409, body: 'This upload is complete\n' }
    // Several uploads that are to be joined: tus would call it a fault of ours that nobody offers that.
    const unoffered = 'status_code' in error && error.status_code === NOT_IMPLEMENTED
    if (!unoffered && (!(error instanceof Error) || 'status_code' in error)) return undefined
    const known = unoffered ? new DomainError('invalid_input', GENERAL_TEXTS.id.badRequest) : asDomainError(error)
    if (!(known instanceof DomainError)) log.error({ err: error, method: request.method }, 'resumable upload failed')
    const refusal = known instanceof DomainError ? known : new DomainError('internal', GENERAL_TEXTS.id.internal)
    return { status_code: STATUS[refusal.code], body: JSON.stringify(errorBody(refusal)) }
  }

  const asDomainError = (error: unknown): unknown => (isDiskFull(error) ? diskFull() : error)

  /** What the caller's upload has become; null: nothing yet. */
  async function videoOf(caller: Caller, uploadId: string): Promise<VideoRow | null> {
    const { userId, videoId } = partsOf(uploadId)
    const video = userId === caller.workspaceId ? await repo.byId(videoId) : null
    return video && (await intake.hasArrived(video)) ? video : null
  }

  /** Our answer to the last bytes may have been lost in a crash: the sender asks how far it is, and it is done. */
  async function answerDone(caller: Caller, uploadId: string, response: ServerResponse): Promise<boolean> {
    const video = await videoOf(caller, uploadId)
    if (!video) return false
    const size = String(video.original_bytes)
    const headers = {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': size,
      'Upload-Length': size,
      'Cache-Control': 'no-store',
    }
    response.writeHead(200, headers).end()
    return true
  }

  let cleaning: NodeJS.Timeout | undefined
  return {
    async handle(caller: Caller, uploadId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method === 'HEAD' && (await answerDone(caller, uploadId, response))) return
      seen.set(request, { caller, uploadId })
      // tus takes a query for a part of the upload's id; the key that may stand there has been read.
      request.url = request.url?.split('?')[0]
      await server.handle(request, response)
    },

    /** An upload whose last byte came just before a crash is complete for its sender: it must not get lost here. */
    isWaiting,
    findFinished: finished.find,
    takeUpFinished: finished.start,
    /** Nobody will go on with what this user had begun. */
    async forgetOf(userId: string): Promise<void> {
      const names = await readdir(directory).catch(() => [])
      const uploads = names.filter((name) => partsOf(name).userId === userId)
      await Promise.all(uploads.map((name) => rm(join(directory, name), { force: true })))
    },
    start(): void {
      const clean = () =>
        server.cleanUpExpiredUploads().catch((error) => log.warn({ err: error }, 'old uploads could not be cleaned up'))
      void clean()
      cleaning = setInterval(clean, CLEAN_EVERY_MS)
    },
    async stop(): Promise<void> {
      clearInterval(cleaning)
      await finished.stop()
    },
  }
}
