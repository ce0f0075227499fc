import { rateValue } from './frame-rate.ts'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'
import { fittedSize } from './picture-rules.ts'

/** How a source is sent on. */
export interface RelayPlan {
  /** A re-encoded picture takes most of a core: only so many at once can be borne. */
  readonly picture:
    | { readonly kind: 'copy' }
    | { readonly kind: 'encode'; readonly width: number; readonly height: number }
  readonly sound: 'copy' | 'encode' | 'silence'
  /** The size of the picture, were it re-encoded. */
  readonly encodedSize: { readonly width: number; readonly height: number }
}

/** The same, re-encoded whether it has to be or not. */
export const asEncoded = (plan: RelayPlan): RelayPlan & { readonly picture: { readonly kind: 'encode' } } => ({
  ...plan,
  picture: { kind: 'encode', ...plan.encodedSize },
})

/** A re-encoded relay must keep up with real time on a small machine. */
const ENCODED_MAX_HEIGHT = 720

export interface PictureLimits {
  readonly maxHeight: number
  readonly maxFps: number
}

const NO_LIMITS: PictureLimits = { maxHeight: Number.POSITIVE_INFINITY, maxFps: Number.POSITIVE_INFINITY }
/** The rate of a live source is measured, not told. */
const FPS_ROUNDING = 2

const COPYABLE_PROFILES = new Set(['Baseline', 'Constrained Baseline', 'Main', 'High'])

/** Larger or faster than the limits. Whatever else would make us encode it has nothing to do with them. */
export function exceedsLimits(
  { width, height, avgFrameRate }: VideoFacts,
  { maxHeight, maxFps }: PictureLimits,
): boolean {
  const isTooFast = avgFrameRate !== null && rateValue(avgFrameRate) > maxFps + FPS_ROUNDING
  return Math.min(width ?? 0, height ?? 0) > maxHeight || isTooFast
}

/** Nothing beyond the limits is sent. Null: there is no picture to send. */
export function relayPlan(
  { video, audio }: Pick<Probe, 'video' | 'audio'>,
  limits: PictureLimits = NO_LIMITS,
): RelayPlan | null {
  if (!video?.width || !video.height) return null
  const encodedSize = fittedSize(video, Math.min(limits.maxHeight, ENCODED_MAX_HEIGHT))
  return {
    encodedSize,
    picture:
      isCopyablePicture(video) && !exceedsLimits(video, limits) ? { kind: 'copy' } : { kind: 'encode', ...encodedSize },
    // Some platforms end a broadcast without sound.
    sound: audio?.sampleRate ? (isCopyableSound(audio) ? 'copy' : 'encode') : 'silence',
  }
}

const isCopyablePicture = (video: VideoFacts): boolean =>
  video.codec === 'h264' &&
  COPYABLE_PROFILES.has(video.profile ?? '') &&
  (video.pixFmt === 'yuv420p' || video.pixFmt === 'yuvj420p') &&
  (video.fieldOrder === null || video.fieldOrder === 'progressive')

const isCopyableSound = ({ codec, profile, sampleRate, channels }: AudioFacts): boolean =>
  codec === 'aac' && profile === 'LC' && (sampleRate === 44_100 || sampleRate === 48_000) && (channels ?? 9) <= 2
