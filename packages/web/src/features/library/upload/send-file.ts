import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import { type HttpRequest, type HttpResponse, Upload, type UploadOptions } from 'tus-js-client'
import { FeatureError } from '../../../lib/feature-calls.ts'
import type { UploadEvent } from '../upload-state.ts'
import { isGone, type UploadFailure } from './retry.ts'
import { beginSending, nextSending, type SendingEffect, type SendingEnd, type SendingEvent } from './sending-state.ts'
import { failureOf, HeadRefused } from './tus-failure.ts'
import type { UnfinishedUploads } from './unfinished.ts'

/**
 * Proxies keep whole bodies before they pass them on, and some refuse bodies above 100 MB: in pieces, a cut costs one piece at most and
 * any size gets through.
 */
const CHUNK_BYTES = 64 * 1024 ** 2

const FILE_GONE = 'File tidak bisa dibaca lagi di perangkat ini. Pilih filenya lagi.'

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

interface TusEars {
  readonly hear: (event: SendingEvent) => void
  readonly everSentAll: () => boolean
}

/** tus-js-client with its callbacks turned into events. */
function tusOptions(needs: SendFileNeeds, { hear, everSentAll }: TusEars): UploadOptions {
  const { file, endpoint, bearer, fingerprint, unfinished } = needs

  /** Says where the server is; throws where tus-js-client would begin a new upload without a good reason. */
  function judgeHead(request: HttpRequest, response: HttpResponse): void {
    if (request.getMethod() !== 'HEAD') return
    const status = response.getStatus()
    if (status >= 200 && status < 300)
      hear({ type: 'located', offset: Number(response.getHeader('Upload-Offset') ?? 0) })
    else if (!isGone(status) || everSentAll()) throw new HeadRefused(status)
  }

  return {
    endpoint,
    chunkSize: CHUNK_BYTES,
    retryDelays: null,
    metadata: { filename: file.name, filetype: file.type },
    removeFingerprintOnSuccess: true,
    fingerprint: async () => fingerprint,
    urlStorage: unfinished.urlStorage,
    onBeforeRequest: (request) => request.setHeader('Authorization', bearer()),
    onAfterResponse: judgeHead,
    onProgress: (sentBytes) => hear({ type: 'progressed', sentBytes, atMs: performance.now() }),
    onChunkComplete: (_chunk, offset) => hear({ type: 'accepted', offset }),
    onSuccess: () => hear({ type: 'succeeded' }),
    onError: (error) => hear({ type: 'failed', failure: failureOf(error) }),
  }
}

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

function errorOf(failure: UploadFailure | null): FeatureError {
  if (failure === null) return new FeatureError(FILE_GONE)
  const { status, message, code = null, reasonCode = null } = failure
  return new FeatureError(message ?? (status === 401 ? API_KEY_TEXTS.wrong : ''), 'refused', code, reasonCode)
}

/**
 * Sends one file by tus and comes back after every cut, for as long as it takes. The retrying is ours: tus-js-client's own ends at
 * some point, and it begins a new upload when a proxy answers 502 for a server that restarts.
 */
export function sendFile(needs: SendFileNeeds) {
  const { file, fingerprint, unfinished, signal, onEvent } = needs
  let settle: (end: SendingEnd) => void = () => {}
  let refuse: (error: FeatureError) => void = () => {}
  const done = new Promise<SendingEnd>((resolve, reject) => {
    settle = resolve
    refuse = reject
  })

  let state = beginSending(file.size)
  let alarm: ReturnType<typeof setTimeout> | undefined
  const upload = new Upload(file, tusOptions(needs, { hear, everSentAll: () => state.everSentAll }))

  function hear(event: SendingEvent): void {
    const { state: next, effects } = nextSending(state, event)
    state = next
    if (next.at === 'over') {
      clearTimeout(alarm)
      signal.removeEventListener('abort', onAbort)
    }
    for (const effect of effects) carryOut(effect)
  }

  function onAbort(): void {
    hear({ type: 'aborted', cancelled: signal.reason === 'cancelled' })
  }

  function carryOut(effect: SendingEffect): void {
    switch (effect.type) {
      case 'start':
        upload.start()
        break
      case 'read-file':
        void isReadable(file).then((readable) => hear({ type: readable ? 'file-readable' : 'file-gone' }))
        break
      case 'abort':
        // Should the server not hear of it, it clears the upload away after a day.
        upload.abort(effect.discard).catch(() => {})
        break
      case 'set-alarm':
        clearTimeout(alarm)
        alarm = setTimeout(() => hear({ type: effect.event }), effect.ms)
        break
      case 'touch-note':
        unfinished.touch(fingerprint)
        break
      case 'forget-note':
        unfinished.forget(fingerprint)
        break
      case 'tell':
        onEvent(effect.event)
        break
      case 'settle':
        settle(effect.end)
        break
      case 'refuse':
        refuse(errorOf(effect.failure))
        break
    }
  }

  signal.addEventListener('abort', onAbort)
  void upload.findPreviousUploads().then(([previous]) => {
    if (state.at !== 'opening') return
    if (previous) upload.resumeFromPreviousUpload(previous)
    hear({ type: 'opened', fromEarlierVisit: previous !== undefined })
  })

  return {
    done,
    lineLost: () => hear({ type: 'line-lost' }),
    lineBack: () => hear({ type: 'line-back' }),
  }
}

/** Throws an upload away that an earlier visit left unfinished. */
export const discard = (uploadUrl: string, bearer: string): Promise<void> =>
  Upload.terminate(uploadUrl, { headers: { Authorization: bearer }, retryDelays: null })
