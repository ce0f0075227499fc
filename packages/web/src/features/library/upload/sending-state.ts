import type { UploadEvent } from '../upload-state.ts'
import { isGone, mayRetry, retryDelayMs, type UploadFailure } from './retry.ts'

/** A line can die without a word, as when a laptop changes its network. */
const STALL_MS = 45_000
/** The server looks into the file before it answers the last piece. */
const CHECK_MS = 180_000

/** vanished: all was sent, but the answer got lost and the server has cleared the upload away; the list knows how it went. */
export type SendingEnd = 'uploaded' | 'vanished' | 'cancelled' | 'left'

interface Sending {
  /** trying: bytes travel. checking: all are sent, the server has yet to answer. waiting: until the next try. */
  readonly at: 'opening' | 'trying' | 'checking' | 'waiting' | 'over'
  readonly sizeBytes: number
  /** Retries since the server last took something in. */
  readonly attempt: number
  readonly knownOffset: number
  readonly everSentAll: boolean
  readonly fromEarlierVisit: boolean
}

export type SendingEvent =
  | { readonly type: 'opened'; readonly fromEarlierVisit: boolean }
  | { readonly type: 'file-readable' | 'file-gone' }
  /** located: the server says where it is. accepted: it took in another piece. */
  | { readonly type: 'located' | 'accepted'; readonly offset: number }
  | { readonly type: 'progressed'; readonly sentBytes: number; readonly atMs: number }
  | { readonly type: 'succeeded' }
  | { readonly type: 'failed'; readonly failure: UploadFailure }
  /** line-lost: the line is said to be gone, or it has been silent for too long. line-back: it is said to be back. */
  | { readonly type: 'line-lost' | 'line-back' | 'retry-due' }
  | { readonly type: 'aborted'; readonly cancelled: boolean }

export type SendingEffect =
  | { readonly type: 'start' | 'read-file' }
  /** discard: the server is to throw away what it has. */
  | { readonly type: 'abort'; readonly discard: boolean }
  /** There is one alarm; setting it takes the place of the one before. */
  | { readonly type: 'set-alarm'; readonly ms: number; readonly event: 'line-lost' | 'retry-due' }
  /** The note lets a later visit go on. */
  | { readonly type: 'touch-note' | 'forget-note' }
  | { readonly type: 'tell'; readonly event: UploadEvent }
  | { readonly type: 'settle'; readonly end: SendingEnd }
  /** failure null: the file cannot be read any more. */
  | { readonly type: 'refuse'; readonly failure: UploadFailure | null }

export interface SendingStep {
  readonly state: Sending
  /** In their order. */
  readonly effects: readonly SendingEffect[]
}

const NO_ANSWER: UploadFailure = { method: 'PATCH', status: null, message: null }

export const beginSending = (sizeBytes: number): Sending => ({
  at: 'opening',
  sizeBytes,
  attempt: 0,
  knownOffset: 0,
  everSentAll: false,
  fromEarlierVisit: false,
})

const step = (state: Sending, ...effects: readonly SendingEffect[]): SendingStep => ({ state, effects })

const over = (state: Sending, ...effects: readonly SendingEffect[]): SendingStep =>
  step({ ...state, at: 'over' }, ...effects)

/** The alarm comes first: a start that fails at once sets its own. */
const start = (state: Sending): SendingStep =>
  step({ ...state, at: 'trying' }, { type: 'set-alarm', ms: STALL_MS, event: 'line-lost' }, { type: 'start' })

/** A file that was moved or whose drive is gone fails like a broken line; only reading it tells them apart. */
const tryAgain = (state: Sending): SendingStep => step({ ...state, at: 'opening' }, { type: 'read-file' })

const atOffset = (state: Sending, offset: number): Sending => ({
  ...state,
  attempt: offset > state.knownOffset ? 0 : state.attempt,
  knownOffset: offset,
})

function afterProgress(state: Sending, sentBytes: number, atMs: number): SendingStep {
  const sentAll = sentBytes >= state.sizeBytes
  return step(
    sentAll ? { ...state, at: 'checking', everSentAll: true } : state,
    { type: 'set-alarm', ms: sentAll ? CHECK_MS : STALL_MS, event: 'line-lost' },
    { type: 'tell', event: { type: 'progressed', sentBytes, atMs } },
  )
}

const isUnderWay = ({ at }: Sending): boolean => at === 'trying' || at === 'checking'

function afterFailure(state: Sending, failure: UploadFailure): SendingStep {
  const { method, status } = failure
  if (method === 'HEAD' && state.everSentAll && isGone(status))
    return over(state, { type: 'forget-note' }, { type: 'settle', end: 'vanished' })
  if (!isUnderWay(state)) return step(state)
  const { attempt } = state
  if (mayRetry(failure, attempt))
    return step(
      { ...state, at: 'waiting', attempt: attempt + 1 },
      { type: 'tell', event: { type: 'broke' } },
      { type: 'set-alarm', ms: retryDelayMs(attempt), event: 'retry-due' },
    )
  // A new session, or new room, lets the same upload go on.
  if (status === 401 || status === 507) return over(state, { type: 'refuse', failure })
  return over(state, { type: 'forget-note' }, { type: 'refuse', failure })
}

function afterLostLine(state: Sending): SendingStep {
  if (!isUnderWay(state)) return step(state)
  const failed = afterFailure(state, NO_ANSWER)
  return step(failed.state, { type: 'abort', discard: false }, ...failed.effects)
}

const afterAbort = (state: Sending, cancelled: boolean): SendingStep =>
  cancelled
    ? over(state, { type: 'forget-note' }, { type: 'abort', discard: true }, { type: 'settle', end: 'cancelled' })
    : over(state, { type: 'abort', discard: false }, { type: 'settle', end: 'left' })

/** The life of one sending: what comes next, and what is to be done for it. */
export function nextSending(state: Sending, event: SendingEvent): SendingStep {
  if (state.at === 'over') return step(state)
  switch (event.type) {
    case 'opened':
      return state.at === 'opening' ? start({ ...state, fromEarlierVisit: event.fromEarlierVisit }) : step(state)
    case 'file-readable':
      return state.at === 'opening' ? start(state) : step(state)
    case 'file-gone':
      return over(state, { type: 'refuse', failure: null })
    case 'located': {
      const { offset } = event
      const continued = { type: 'continued', sentBytes: offset, fromEarlierVisit: state.fromEarlierVisit } as const
      return step(atOffset(state, offset), { type: 'touch-note' }, { type: 'tell', event: continued })
    }
    case 'accepted':
      return step(atOffset(state, event.offset), { type: 'touch-note' })
    case 'progressed':
      // An aborted request may still report a last progress.
      return state.at === 'trying' ? afterProgress(state, event.sentBytes, event.atMs) : step(state)
    case 'succeeded':
      return over(state, { type: 'settle', end: 'uploaded' })
    case 'failed':
      return afterFailure(state, event.failure)
    case 'line-lost':
      return afterLostLine(state)
    case 'retry-due':
      return state.at === 'waiting' ? tryAgain(state) : step(state)
    case 'line-back':
      return state.at === 'waiting' ? tryAgain({ ...state, attempt: 0 }) : step(state)
    case 'aborted':
      return afterAbort(state, event.cancelled)
  }
}
