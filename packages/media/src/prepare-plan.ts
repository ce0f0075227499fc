import { audioSamplesWithin } from './aac.ts'
import { outputRate, rateValue } from './frame-rate.ts'
import type { Probe, VideoFacts } from './parse/probe.ts'
import { type ColourMatrix, colourMatrixOf, fittedSize, sizeWithin } from './picture-rules.ts'
import type { Readiness } from './readiness.ts'
import { videoKbps } from './video-bitrates.ts'

export interface PrepareLimits {
  /** As in "1080p": of the shorter side. */
  maxHeight: number
  maxFps: number
}

/** Exactly what is to be made: whatever goes in, two masters made by one recipe can follow each other in one broadcast. */
export interface MasterRecipe {
  readonly width: number
  readonly height: number
  readonly fps: string
  readonly kbps: number
}

export interface CopyPicture {
  kind: 'copy'
  /** The source's, which the master must share; null when it is not known. */
  timescale: number | null
}

export interface EncodePicture {
  kind: 'encode'
  width: number
  height: number
  /** What of it the video fills; the rest is black. */
  inner: { readonly width: number; readonly height: number }
  /** A fraction such as `30000/1001`, so that no frame is lost or doubled in an hour. */
  fps: string
  frames: number
  kbps: number
  /** The buffer lets a moment exceed the bitrate: how full it is at the start. Null: as full as the encoder likes. */
  firstFill: number | null
  deinterlace: 'every-frame' | 'flagged-frames' | 'no'
  /** The transfer to come from when it is HDR, else null. */
  hdrTransfer: 'smpte2084' | 'arib-std-b67' | null
  matrix: ColourMatrix
  /** What the picture has where the video does not fill it; absent: black bars. */
  fill?: PictureFill
  /** Pictures that stand on it, the first one lowest. */
  overlays?: readonly PictureOverlay[]
}

export type PictureFill =
  | { readonly kind: 'blur' }
  /** `#rrggbb` */
  | { readonly kind: 'bars'; readonly colour: string }
  /** Shares of the video that are kept, of which one is 1; `focus`: from 0, the left or upper end, to 1. */
  | { readonly kind: 'crop'; readonly width: number; readonly height: number; readonly focus: number }

/** Everything is even, since the colours of two lines are one: nothing beside it changes. */
export interface PictureOverlay {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** From 0 to 1. */
  readonly opacity: number
}

/** What a recipe puts on the picture, or around it. */
export interface BrandPlan {
  readonly fill: { readonly kind: 'blur' } | { readonly kind: 'bars'; readonly colour: string } | CropChoice | null
  readonly overlays: readonly PictureOverlay[]
}

interface CropChoice {
  readonly kind: 'crop'
  /** From 0 to 1. */
  readonly focus: number
}

/** All that decides how a master is made: prepareArgs writes it down for ffmpeg. */
export interface PreparePlan {
  /** The length of the master; progress is counted against it. */
  durationSeconds: number
  picture: CopyPicture | EncodePicture
  /** How late the picture starts in its file, counted as ffmpeg counts: from the first packet of any stream. */
  pictureStartsAt: number
  /** Null: there is none, so silence is made. */
  audioTrack: number | null
  /** The file was cut off, most likely within a packet, which is then left out. */
  incomplete: boolean
  /** A whole number of AAC frames that ends with the picture or before it. */
  audioSamples: number
}

/** A duration has six decimals, so 60 frames may look like 59.99999. */
const FRAME_ROUNDING = 0.05

/**
 * `spanSeconds` is KeyframeFacts.spanSeconds of a scan of the whole file: what there is, whatever the header promises.
 * Give it whenever it is known; Matroska and FLV do not tell how long their picture lasts.
 */
export function preparePlan(
  probe: Probe,
  readiness: Readiness & { kind: 'audio-only' | 'full' },
  limits: PrepareLimits,
  spanSeconds: number | null = null,
): PreparePlan {
  const { video } = probe
  if (video === null) throw new Error('there is no picture to prepare')
  const sourceSeconds = pictureSeconds(probe, video, spanSeconds)
  const picture: PreparePlan['picture'] =
    readiness.kind === 'full'
      ? encodePicture(video, limits, sourceSeconds)
      : { kind: 'copy', timescale: video.timescale }
  const durationSeconds = picture.kind === 'encode' ? picture.frames / rateValue(picture.fps) : sourceSeconds
  return {
    durationSeconds,
    picture,
    pictureStartsAt: video.startSeconds === null ? 0 : video.startSeconds - (probe.startSeconds ?? video.startSeconds),
    audioTrack: probe.audio === null ? null : probe.audioTrack,
    incomplete: (readiness.why as readonly string[]).includes('incomplete'),
    audioSamples: audioSamplesWithin(durationSeconds),
  }
}

function pictureSeconds(probe: Probe, video: VideoFacts, spanSeconds: number | null): number {
  const known = [video.durationSeconds ?? 0, spanSeconds ?? 0].filter((seconds) => seconds > 0)
  return known.length > 0 ? Math.min(...known) : (probe.durationSeconds ?? 0)
}

/** The same for a recipe, out of the whole original: its picture is always re-encoded. */
export function recipePlan(
  probe: Probe,
  readiness: Readiness,
  recipe: MasterRecipe,
  spanSeconds: number | null = null,
  brand: BrandPlan | null = null,
): PreparePlan {
  const why = readiness.kind === 'full' ? readiness.why : []
  const plan = preparePlan(probe, { kind: 'full', why }, NO_LIMITS, spanSeconds)
  const { video } = probe
  if (video === null) throw new Error('there is no picture to prepare')
  const { width, height, fps, kbps } = recipe
  const made: EncodePicture = {
    ...encodePicture(video, NO_LIMITS, pictureSeconds(probe, video, spanSeconds), fps),
    ...{ width, height, kbps, inner: sizeWithin(video, recipe) },
    ...(brand && branded(video, recipe, brand)),
  }
  const durationSeconds = made.frames / rateValue(fps)
  // A full buffer is sent above the bitrate, in each pass anew: a short loop would never come down to what it was made for.
  if (durationSeconds < SHORT_SECONDS) made.firstFill = durationSeconds / SHORT_SECONDS
  return { ...plan, picture: made, durationSeconds, audioSamples: audioSamplesWithin(durationSeconds) }
}

const SHORT_SECONDS = 60

function branded(
  video: VideoFacts,
  { width, height }: MasterRecipe,
  { fill, overlays }: BrandPlan,
): Pick<EncodePicture, 'fill' | 'overlays'> & Partial<Pick<EncodePicture, 'inner'>> {
  if (fill?.kind !== 'crop') return { ...(fill && { fill }), overlays }
  const whole = fittedSize(video, Number.POSITIVE_INFINITY)
  // How much wider the video is than the picture.
  const wider = whole.width / whole.height / (width / height)
  const shares = { width: Math.min(1, 1 / wider), height: Math.min(1, wider) }
  return { inner: { width, height }, fill: { ...fill, ...shares }, overlays }
}

const NO_LIMITS: PrepareLimits = { maxHeight: Number.POSITIVE_INFINITY, maxFps: Number.POSITIVE_INFINITY }

function encodePicture(
  video: VideoFacts,
  limits: PrepareLimits,
  seconds: number,
  fps: string = outputRate(video, limits.maxFps),
): EncodePicture {
  const { width, height } = fittedSize(video, limits.maxHeight)
  return {
    kind: 'encode',
    width,
    height,
    inner: { width, height },
    fps,
    frames: Math.max(1, Math.floor(seconds * rateValue(fps) + FRAME_ROUNDING)),
    kbps: videoKbps(Math.min(width, height), rateValue(fps)),
    firstFill: null,
    deinterlace: deinterlacing(video.fieldOrder),
    hdrTransfer: video.transfer === 'smpte2084' || video.transfer === 'arib-std-b67' ? video.transfer : null,
    matrix: colourMatrixOf(video),
  }
}

/** A container that does not say may still hold interlaced frames; those are marked one by one. */
function deinterlacing(fieldOrder: string | null): EncodePicture['deinterlace'] {
  if (fieldOrder === 'progressive') return 'no'
  return fieldOrder === null ? 'flagged-frames' : 'every-frame'
}
