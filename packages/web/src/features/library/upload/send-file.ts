import type { ErrorAnswer } from '@siarin/contracts/answers'
import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import { DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client'
import { FeatureError } from '../../../lib/feature-calls.ts'
import type { UploadEvent } from '../upload-state.ts'
import { mayRetry, retryDelayMs, type UploadFailure } from './retry.ts'
import type { UnfinishedUploads } from './unfinished.ts'

/**
 * Proxies keep whole bodies before they pass them on, and some refuse bodies above 100 MB: in pieces, a cut costs one piece at most and
 * any size gets through.
 */
const CHUNK_BYTES = 64 * 1024 ** 2
/** A line can die without a word, as when a laptop changes its network. */
const STALL_MS = 45_000
/** The server looks into the file before it answers the last piece. */
const CHECK_MS = 180_000

const FILE_GONE = 'File tidak bisa dibaca lagi di perangkat ini. Pilih filenya lagi.'

/** vanished: all was sent, but the answer got lost and the server has cleared the upload away; the list knows how it went. */
export type SendingEnd = 'uploaded' | 'vanished' | 'cancelled' | 'left'

interface SendFileNeeds {
  readonly file: File
  readonly endpoint: string
  /** The session, as a header has it. */
  readonly bearer: () => string
  readonly fingerprint: string
  readonly unfinished: UnfinishedUploads
  /** Aborted with the reason 'cancelled', the upload is thrown away; with any other, it is left to be continued. */
  readonly signal: AbortSignal
  readonly onEvent: (event: UploadEvent) => void
}

/** An answer that tus-js-client would take for a reason to begin anew. */
class HeadRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`HEAD answered ${status}`)
    this.status = status
  }
}

const isGone = (status: number): boolean => status === 404 || status === 410

function refusalOf(response: HttpResponse): Pick<UploadFailure, 'message' | 'code' | 'reasonCode'> {
  try {
    const { message, code = null, reasonCode = null } = JSON.parse(response.getBody()) as Partial<ErrorAnswer>
    return { message: typeof message === 'string' && message !== '' ? message : null, code, reasonCode }
  } catch {
    return { message: null }
  }
}

function failureOf(error: Error): UploadFailure {
  if (!(error instanceof DetailedError)) return { method: '', status: null, message: null }
  const { originalRequest, originalResponse, causingError } = error
  const method = originalRequest.getMethod()
  if (causingError instanceof HeadRefused) return { method, status: causingError.status, message: null }
  if (!originalResponse) return { method, status: null, message: null }
  return { method, status: originalResponse.getStatus(), ...refusalOf(originalResponse) }
}

/**
 * Sends one file by tus and comes back after every cut, for as long as it takes. The retrying is ours: tus-js-client's own ends at
 * some point, and it begins a new upload when a proxy answers 502 for a server that restarts.
 */
export function sendFile({ file, endpoint, bearer, fingerprint, unfinished, signal, onEvent }: SendFileNeeds) {
  let settle: (end: SendingEnd) => void = () => {}
  let refuse: (error: FeatureError) => void = () => {}
  const done = new Promise<SendingEnd>((resolve, reject) => {
    settle = resolve
    refuse = reject
  })

  /** trying: bytes travel. checking: all are sent, the server has yet to answer. waiting: until the next try. */
  let at: 'opening' | 'trying' | 'checking' | 'waiting' | 'over' = 'opening'
  let attempt = 0
  let knownOffset = 0
  let everSentAll = false
  let fromEarlierVisit = false
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  function end(how: () => void): void {
    if (at === 'over') return
    at = 'over'
    clearTimeout(stallTimer)
    clearTimeout(retryTimer)
    signal.removeEventListener('abort', onAbort)
    how()
  }

  function watch(): void {
    clearTimeout(stallTimer)
    stallTimer = setTimeout(lineLost, at === 'checking' ? CHECK_MS : STALL_MS)
  }

  /** The line is said to be gone, or it has been silent for too long. */
  function lineLost(): void {
    if (at !== 'trying' && at !== 'checking') return
    void upload.abort()
    failed({ method: 'PATCH', status: null, message: null })
  }

  function arrived(offset: number): void {
    if (offset > knownOffset) attempt = 0
    knownOffset = offset
    unfinished.touch(fingerprint)
  }

  function begin(): void {
    at = 'trying'
    upload.start()
    watch()
  }

  /** A file that was moved or whose drive is gone fails like a broken line; only reading it tells them apart. */
  function again(): void {
    clearTimeout(retryTimer)
    at = 'opening'
    file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => at === 'opening' && begin(),
        () => end(() => refuse(new FeatureError(FILE_GONE))),
      )
  }

  function failed(failure: UploadFailure): void {
    if (at !== 'trying' && at !== 'checking') return
    clearTimeout(stallTimer)
    if (mayRetry(failure, attempt)) {
      at = 'waiting'
      onEvent({ type: 'broke' })
      retryTimer = setTimeout(again, retryDelayMs(attempt))
      attempt += 1
      return
    }
    const { status, message, code = null, reasonCode = null } = failure
    if (status !== 401 && status !== 507) unfinished.forget(fingerprint)
    const words = message ?? (status === 401 ? API_KEY_TEXTS.wrong : '')
    end(() => refuse(new FeatureError(words, 'refused', code, reasonCode)))
  }

  /** Says where the server is; throws where tus-js-client would begin a new upload without a good reason. */
  function judgeHead(request: HttpRequest, response: HttpResponse): void {
    if (request.getMethod() !== 'HEAD') return
    const status = response.getStatus()
    if (status >= 200 && status < 300) {
      const offset = Number(response.getHeader('Upload-Offset') ?? 0)
      arrived(offset)
      onEvent({ type: 'continued', sentBytes: offset, fromEarlierVisit })
    } else if (!isGone(status) || everSentAll) throw new HeadRefused(status)
  }

  const upload = new Upload(file, {
    endpoint,
    chunkSize: CHUNK_BYTES,
    retryDelays: null,
    metadata: { filename: file.name, filetype: file.type },
    removeFingerprintOnSuccess: true,
    fingerprint: async () => fingerprint,
    urlStorage: unfinished.urlStorage,
    onBeforeRequest: (request) => request.setHeader('Authorization', bearer()),
    onAfterResponse: judgeHead,
    onProgress: (sentBytes) => {
      // An aborted request may still report a last progress.
      if (at !== 'trying') return
      if (sentBytes >= file.size) {
        at = 'checking'
        everSentAll = true
      }
      watch()
      onEvent({ type: 'progressed', sentBytes, atMs: performance.now() })
    },
    onChunkComplete: (_chunk, accepted) => arrived(accepted),
    onSuccess: () => end(() => settle('uploaded')),
    onError: (error) => {
      const failure = failureOf(error)
      if (failure.method === 'HEAD' && everSentAll && isGone(failure.status ?? 0)) {
        unfinished.forget(fingerprint)
        end(() => settle('vanished'))
      } else failed(failure)
    },
  })

  function onAbort(): void {
    const cancelled = signal.reason === 'cancelled'
    if (cancelled) unfinished.forget(fingerprint)
    // Should the server not hear of it, it clears the upload away after a day.
    upload.abort(cancelled).catch(() => {})
    end(() => settle(cancelled ? 'cancelled' : 'left'))
  }

  signal.addEventListener('abort', onAbort)
  void upload.findPreviousUploads().then(([previous]) => {
    if (at !== 'opening') return
    if (previous) {
      fromEarlierVisit = true
      upload.resumeFromPreviousUpload(previous)
    }
    begin()
  })

  return {
    done,
    lineLost,
    /** The line is said to be back: the waiting ends. */
    lineBack(): void {
      if (at !== 'waiting') return
      attempt = 0
      again()
    },
  }
}

/** Throws an upload away that an earlier visit left unfinished. */
export const discard = (uploadUrl: string, bearer: string): Promise<void> =>
  Upload.terminate(uploadUrl, { headers: { Authorization: bearer }, retryDelays: null })
