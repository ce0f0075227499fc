import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { useSyncExternalStore } from 'react'
import { CONNECTION_FAILED, FeatureError, featureAccess } from '../../../lib/feature-calls.ts'
import { bearer } from '../../../lib/http.ts'
import { getSession, onSessionChanged, personOf } from '../../../lib/session.ts'
import { nextUpload, type UploadEvent, type UploadState } from '../upload-state.ts'
import type { SendingEnd } from './sending-state.ts'
import { createUnfinishedUploads, fingerprintOf, type Unfinished } from './unfinished.ts'

/** The one upload of this page. It outlives the Live screen: a person who looks at the profile meanwhile loses nothing. */
let state: UploadState = { at: 'idle' }
let stopper = new AbortController()
const listeners = new Set<() => void>()

const unfinished = createUnfinishedUploads(() => window.localStorage)

function hear(event: UploadEvent): void {
  state = nextUpload(state, event)
  for (const listener of listeners) listener()
}

/** tus-js-client is fetched when the first file is chosen. */
const loadSending = () =>
  import('./send-file.ts').catch(() => {
    throw new FeatureError(CONNECTION_FAILED)
  })

const owner = (): string => getSession().user?.email ?? ''

/** Browsers ask before the page is left; they choose the words themselves. */
const warnOfLoss = (event: BeforeUnloadEvent): void => event.preventDefault()

interface UploadNeeds {
  readonly file: File
  /** Throws when the file does not fit. What the server took in earlier already has its room. */
  readonly needRoom: (sizeBytes: number) => Promise<void>
}

async function send({ file, needRoom }: UploadNeeds, signal: AbortSignal): Promise<SendingEnd> {
  const { server } = featureAccess()
  const fingerprint = fingerprintOf(file, owner())
  const [{ sendFile }] = await Promise.all([loadSending(), unfinished.has(fingerprint) || needRoom(file.size)])
  if (signal.aborted) return signal.reason === 'cancelled' ? 'cancelled' : 'left'

  const sending = sendFile({
    file,
    endpoint: new URL(server + RESUMABLE_UPLOAD_PATH, window.location.href).href,
    bearer: () => bearer(getSession().token ?? ''),
    fingerprint,
    unfinished,
    signal,
    onEvent: hear,
  })
  window.addEventListener('online', sending.lineBack)
  window.addEventListener('offline', sending.lineLost)
  try {
    return await sending.done
  } finally {
    window.removeEventListener('online', sending.lineBack)
    window.removeEventListener('offline', sending.lineLost)
  }
}

/** Sends a file to its end, however often the line breaks. `afterwards` runs before the area is free for the next file. */
export async function startUpload(needs: UploadNeeds, afterwards: (end: SendingEnd) => Promise<void>): Promise<void> {
  stopper = new AbortController()
  const { signal } = stopper
  hear({ type: 'started', name: needs.file.name, sizeBytes: needs.file.size })
  window.addEventListener('beforeunload', warnOfLoss)

  const person = personOf(getSession())
  const unfollow = onSessionChanged(() => personOf(getSession()) === person || stopper.abort('left'))
  try {
    await afterwards(await send(needs, signal))
  } finally {
    unfollow()
    window.removeEventListener('beforeunload', warnOfLoss)
    hear({ type: 'ended' })
  }
}

export const cancelUpload = (): void => stopper.abort('cancelled')

export const isUploading = (): boolean => state.at !== 'idle'

export const useUploadState = (): UploadState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

export const unfinishedUploads = (): Unfinished[] => (isUploading() ? [] : unfinished.of(owner()))

export async function discardUnfinished({ fingerprint, uploadUrl }: Unfinished): Promise<void> {
  unfinished.forget(fingerprint)
  hear({ type: 'ended' })
  const { discard } = await loadSending()
  await discard(uploadUrl, bearer(getSession().token ?? ''))
}
