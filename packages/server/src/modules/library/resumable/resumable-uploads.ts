import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locker, Upload } from '@tus/server'
import type { Clock } from '../../../platform/clock.ts'
import type { ClockTrust } from '../../../platform/clock-trust.ts'
import type { KeepWritten } from '../../../platform/db/keep-written.ts'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Intake } from '../intake.ts'
import type { LibraryRepo } from '../library.repo.ts'
import type { ReservationsRepo } from '../reservations.repo.ts'
import type { Reservation } from '../reserve-room.ts'
import type { Room } from '../room.ts'
import type { VideoRow } from '../video-row.ts'
import { createUploadFinisher } from './finish-upload.ts'
import { createFinishedUploads } from './finished-uploads.ts'
import { createPostponements } from './postponements.ts'
import { createTusServer, type UploadCall } from './tus-server.ts'
import { TusStore } from './tus-store.ts'
import { splitUploadId, uploadIdOf } from './upload-ids.ts'
import { createUploadQueues } from './upload-queues.ts'
import type { CreateUploadStore } from './upload-store.ts'

interface ResumableDeps {
  repo: Pick<LibraryRepo, 'byId'>
  reservations: Pick<ReservationsRepo, 'release' | 'isHeld'>
  clock: Clock
  trust: ClockTrust
  intake: Intake
  room: Room
  log: Log
  keepWritten: KeepWritten
  timings: Pick<Timings, 'finishedUploads'>
  /** Unfinished uploads, on the disk of the media: a finished one is moved, never copied. */
  directory: string
  /** Where all machines see them; null: in `directory`. */
  remoteUploads: RemoteUploads | null
}

/** A store of uploads that several machines write to, one request at a time for each. */
export interface RemoteUploads {
  readonly createStore: CreateUploadStore
  readonly locker: Locker
}

export type ResumableUploads = ReturnType<typeof createResumableUploads>

const DAY_MS = 86_400_000
const CLEAN_EVERY_MS = 3_600_000

/** Uploads by tus: a broken connection, a closed laptop or a restart of ours go on where they stopped. */
export function createResumableUploads(deps: ResumableDeps) {
  const { repo, reservations, intake, room, log, clock, keepWritten, timings, directory, remoteUploads } = deps
  const { againMs, everyMs } = timings.finishedUploads
  const postponements = createPostponements(againMs)
  const createStore = remoteUploads?.createStore ?? ((storeDeps) => new TusStore(storeDeps))
  const store = createStore({
    ...{ directory, expirationPeriodInMilliseconds: DAY_MS, reserve, release, isWaiting },
    isHeld: (uploadId) => reservations.isHeld(uploadId, clock.now()),
    isVideo: async (uploadId) => (await repo.byId(splitUploadId(uploadId).videoId)) !== null,
  })
  const { finish, isFinishing } = createUploadFinisher({ repo, intake, store, forget, postponements })
  const finished = createFinishedUploads({
    ...{ store, log, finish, forget, everyMs },
    ownerOf: (uploadId) => splitUploadId(uploadId).userId,
    mayFinish: (uploadId) => !isFinishing(uploadId) && postponements.waitMs(uploadId) <= 0,
  })
  const server = createTusServer({
    ...{ store, log, reserve: reserveNew, locker: createUploadQueues(remoteUploads?.locker) },
    async finish(upload) {
      await finish(upload)
      await keepWritten()
    },
    isVideo: async (caller, uploadId) => (await videoOf(caller, uploadId)) !== null,
  })

  /** For us to inspect it: nobody may clear it away. */
  function isWaiting(uploadId: string): boolean {
    return isFinishing(uploadId) || finished.isWaiting(uploadId)
  }

  async function reserve({ id, size, offset }: Pick<Upload, 'id' | 'size' | 'offset'>): Promise<Reservation> {
    const { userId } = splitUploadId(id)
    // Asked once: what has begun to come is not broken off, it waits for its inspection.
    if (remoteUploads && !offset) await room.assertPinRoom(size ?? 0)
    // Elsewhere it takes nothing of this disk until it is whole.
    const arrivedBytes = remoteUploads ? size : offset
    return room.reserve({ id, userId, kind: 'tus', bytes: size ?? null, ...(arrivedBytes && { arrivedBytes }) })
  }

  /** Where the disk has no room for it, its user keeps none either. */
  async function reserveNew(upload: Upload): Promise<Reservation> {
    try {
      return await reserve(upload)
    } catch (error) {
      await release(upload.id)
      throw error
    }
  }

  async function release(uploadId: string): Promise<void> {
    postponements.forget(uploadId)
    await reservations.release(uploadId)
  }

  async function forget(uploadId: string): Promise<void> {
    await store.forget(uploadId)
    await release(uploadId)
  }

  /** What the caller's upload has become; null: nothing yet. */
  async function videoOf(caller: Caller, uploadId: string): Promise<VideoRow | null> {
    const { userId, videoId } = splitUploadId(uploadId)
    const video = userId === caller.workspaceId ? await repo.byId(videoId) : null
    return video && (await intake.hasArrived(video)) ? video : null
  }

  let cleaning: NodeJS.Timeout | undefined
  return {
    async handle(call: UploadCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
      const video = request.method === 'HEAD' ? await videoOf(call.caller, call.uploadId) : null
      if (video) answerDone(video, response)
      else await server.handle(call, request, response)
    },

    /** An upload whose last byte came just before a crash is complete for its sender: it must not get lost here. */
    isWaiting,
    isThere: (uploadId: string): Promise<boolean> => store.isThere(uploadId),
    /** Whether the file of a row still lies here. In a store elsewhere it lies in its place already. */
    async holdsFileOf({ id, user_id }: Pick<VideoRow, 'id' | 'user_id'>): Promise<boolean> {
      return remoteUploads === null && store.isThere(uploadIdOf(user_id, id))
    },
    findFinished: finished.find,
    resumeFinished: finished.start,
    /** Nobody will go on with what this user had begun. */
    forgetOf: (userId: string): Promise<void> => store.forgetOf(userId),
    start(): void {
      const cleanIfSure = async () => (await deps.trust()).isSure && server.cleanUpExpired()
      const clean = () =>
        cleanIfSure().catch((error) => log.warn({ err: error }, 'old uploads could not be cleaned up'))
      void clean()
      cleaning = setInterval(clean, CLEAN_EVERY_MS)
    },
    async stop(): Promise<void> {
      clearInterval(cleaning)
      await finished.stop()
    },
  }
}

/** Our answer to the last bytes may have been lost in a crash: the sender asks how far it is, and it is done. */
function answerDone(video: VideoRow, response: ServerResponse): void {
  const size = String(video.original_bytes)
  const headers = {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': size,
    'Upload-Length': size,
    'Cache-Control': 'no-store',
  }
  response.writeHead(200, headers).end()
}
