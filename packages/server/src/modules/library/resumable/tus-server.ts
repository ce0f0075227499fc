import type { IncomingMessage, ServerResponse } from 'node:http'
import { GENERAL_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import type { Locker, Server, ServerOptions, Upload } from '@tus/server'
import { DomainError, isDiskFull } from '../../../errors.ts'
import { errorBody, STATUS } from '../../../http/error-answers.ts'
import type { Log } from '../../../platform/log.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Reservation } from '../reserve-room.ts'
import { diskFull } from '../video-refused.ts'
import { withoutBytes } from './request-body.ts'
import { isUploadId, newUploadId, splitUploadId } from './upload-ids.ts'
import type { UploadStore } from './upload-store.ts'

interface TusServerDeps {
  store: UploadStore
  locker: Locker
  log: Log
  reserve: (upload: Upload) => Promise<Reservation>
  finish: (upload: Upload) => Promise<void>
  /** Whether the caller's upload has become a video already. */
  isVideo: (caller: Caller, uploadId: string) => Promise<boolean>
}

export interface UploadCall {
  readonly caller: Caller
  readonly uploadId: string
  /** A new upload has its room: from now on only its bytes come. */
  readonly onReserved: () => void
}

type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0]
type TusError = Error | { status_code: number; body: string }

const NOT_IMPLEMENTED = 501

/** Speaks tus with senders that a hook has let in. */
export function createTusServer({ store, locker, log, reserve, finish, isVideo }: TusServerDeps) {
  const seen = new WeakMap<IncomingMessage, UploadCall>()

  function seenOf(request: TusRequest): UploadCall {
    const node = request.runtime?.node?.req as IncomingMessage | undefined
    const known = node && seen.get(node)
    if (!known) throw new Error('an upload request that no hook has seen')
    return known
  }
  const userOf = (request: TusRequest): string => seenOf(request).caller.workspaceId

  const options: ConstructorParameters<typeof Server>[0] = {
    path: RESUMABLE_UPLOAD_PATH,
    datastore: store,
    locker,
    relativeLocation: true,
    // Same origin only: nobody else's page uploads here.
    allowedOrigins: [],
    namingFunction: (request) => newUploadId(userOf(request)),
    async onIncomingRequest(request, uploadId) {
      if (request.method === 'POST') return
      // Somebody else's upload is not there, and neither is the record that lies beside an own one.
      const foreign = splitUploadId(uploadId).userId !== userOf(request) || !isUploadId(uploadId)
      if (foreign) throw new DomainError('not_found', VIDEO_TEXTS.notFound)
    },
    async onUploadCreate(request, upload) {
      // Without its size nobody could say whether it fits.
      if (upload.size === undefined) throw new DomainError('invalid_input', GENERAL_TEXTS.id.badRequest)
      const reservation = await reserve(upload)
      // Its bytes come with a later request, or never.
      reservation.rest()
      seenOf(request).onReserved()
      return {}
    },
    async onUploadFinish(_request, upload) {
      await finish(upload)
      return {}
    },
    async onResponseError(request, error) {
      const { caller, uploadId } = seenOf(request)
      // A sender asks how far it is when it reads a conflict, and learns that it is done.
      if (request.method === 'PATCH' && (await isVideo(caller, uploadId)))
        return { status_code: 409, body: 'This upload is complete\n' }
      return toRefusal(error, (cause) => log.error({ err: cause, method: request.method }, 'resumable upload failed'))
    },
  }
  /** Loaded with the first upload: it brings Node's `fetch` along, megabytes that a program at rest has no use for. */
  let loaded: Promise<Server> | undefined
  const load = async (): Promise<Server> => new (await import('@tus/server')).Server(options)
  const server = (): Promise<Server> => {
    loaded ??= load()
    return loaded
  }

  return {
    async handle(call: UploadCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
      const bare = withoutBytes(request)
      // tus takes a query for a part of the upload's id; the key that may stand there has been read.
      bare.url = request.url?.split('?')[0]
      seen.set(bare, call)
      endForSure(response)
      await store.withBody(request, async () => (await server()).handle(bare, response))
    },
    cleanUpExpired: (): Promise<number> => store.deleteExpired(),
  }
}

/** Node never calls back where the caller had gone before the answer ended, and tus would wait for that for ever, with the place of its call. */
export function endForSure(response: ServerResponse): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  response.end = ((...args: unknown[]) => {
    const ended = args.at(-1)
    if (typeof ended === 'function') {
      if (response.closed) setImmediate(() => ended())
      else response.once('close', () => ended())
    }
    return end(...args)
  }) as ServerResponse['end']
}

/** tus's own errors are fine as they are; ours become JSON; nothing inner gets out. `onUnknown`: a fault of ours. */
export function toRefusal(error: TusError, onUnknown: (error: TusError) => void) {
  // Several uploads that are to be joined: tus would call it a fault of ours that nobody offers that.
  const unoffered = 'status_code' in error && error.status_code === NOT_IMPLEMENTED
  if (!unoffered && (!(error instanceof Error) || 'status_code' in error)) return undefined
  const known = unoffered ? new DomainError('invalid_input', GENERAL_TEXTS.id.badRequest) : asDomainError(error)
  if (!(known instanceof DomainError)) onUnknown(error)
  const refusal = known instanceof DomainError ? known : new DomainError('internal', GENERAL_TEXTS.id.internal)
  return { status_code: STATUS[refusal.code], body: JSON.stringify(errorBody(refusal)) }
}

const asDomainError = (error: unknown): unknown => (isDiskFull(error) ? diskFull() : error)
