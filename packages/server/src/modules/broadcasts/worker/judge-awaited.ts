import type { StreamReasonCode } from '@siarin/contracts/stream-reason-texts'

/** What becomes of a broadcast that no worker has taken yet, and that plays one of its owner's videos. */
export type AwaitedVerdict =
  | { readonly at: 'waits' }
  | { readonly at: 'ready' }
  /** It never goes on air. `cause`: null where its owner wants it so. */
  | { readonly at: 'over'; readonly end: 'failed' | 'stopped'; readonly cause: string | null }

interface Awaited {
  readonly desired: string
  readonly endCause: string | null
  /** The owner has no right to broadcasts any more: its end was asked for and counts. */
  readonly isOwnerStopped: boolean
  /** Null: it is gone. */
  readonly video: { readonly status: string; readonly isTooLarge: boolean } | null
}

const failed = (cause: StreamReasonCode): AwaitedVerdict => ({ at: 'over', end: 'failed', cause })

export function judgeAwaited({ desired, endCause, isOwnerStopped, video }: Awaited): AwaitedVerdict {
  if (desired === 'stopped') return { at: 'over', end: 'stopped', cause: endCause }
  // Nothing is on air: there is no pass to be played to its end.
  if (desired === 'ending' && isOwnerStopped) return { at: 'over', end: 'stopped', cause: endCause ?? 'plan-ended' }
  if (video === null) return failed('source-missing')
  if (video.status === 'failed') return failed('video-failed')
  if (video.status !== 'ready') return { at: 'waits' }
  // Prepared again in vain: what there is was made under a larger plan.
  return video.isTooLarge ? failed('video-too-large') : { at: 'ready' }
}
