import { AAC_FRAME_SAMPLES } from './aac.ts'
import type { EdgePacket, LoopEdges } from './parse/edges.ts'

/** What ffmpeg is told of a file so that its end meets its beginning: without this it would overlap the sound of two passes, or leave a hole. */
export interface LoopList {
  /** How long a pass lasts. */
  readonly seconds: number
  /** Where the file's own clock begins. */
  readonly startSeconds: number
  /** In the file's own clock: what comes from there on is left out. */
  readonly outpoint: number | null
  /** How long the file plays before its tail does; null: it has no tail. */
  readonly bodySeconds: number | null
}

/** How a file is made to loop without a new encoding of its picture or its sound. */
export type LoopPlan =
  | { readonly kind: 'list'; readonly list: LoopList }
  /** Its last group of pictures becomes a file of its own, whose sound is filled with silence. */
  | { readonly kind: 'tail'; readonly cut: TailCut }
  /** Both are copied into a new file, in order. `isFilled`: with silence before the sound's beginning and after its end. */
  | { readonly kind: 'remux'; readonly sound: SoundSpan; readonly isFilled: boolean }
  /** Only a new encoding of the sound helps. */
  | { readonly kind: 'encode-sound' }

/** In the clock of the file, and where its picture begins and ends. */
export interface SoundSpan {
  readonly pictureStart: number
  readonly pictureEnd: number
  readonly soundStart: number
  readonly soundEnd: number
  readonly frameSeconds: number
}

export interface TailCut extends SoundSpan {
  /** The tail begins with this key frame. */
  readonly keyframe: number
  /** Just before it, in the order of decoding. */
  readonly outpoint: number
  /** The first sound that is not read before the cut. */
  readonly soundFrom: number
}

interface LoopFacts {
  readonly edges: LoopEdges
  readonly sampleRate: number
  readonly fps: number
  /** All packets of sound that the file has. */
  readonly soundPackets: number
  readonly startSeconds: number
  /** Its container cannot be played by browsers, so it is copied into another one. */
  readonly mustCopy: boolean
}

/** No timestamp may step further than this, by which platforms and players notice a stall. */
const MAX_STEP_SECONDS = 0.1
/** Sound may come so much later than the picture: no more than a step has room for. */
const MAX_LATE_SECONDS = 0.05
/** By so much what the packets last may differ from what they span: more is a hole or an overlap somewhere inside. */
const MAX_UNEVEN_SECONDS = 0.07
/** What subtractions of six decimals leave. */
const ROUNDING_SECONDS = 0.0001

/**
 * An encoder's priming is sent as packets before the sound's beginning, and the last packet is whole. So a pass has more sound than picture:
 * it lasts as long as the sound, and the last picture stands for a moment longer.
 */
export function loopPlan({ edges, sampleRate, fps, soundPackets, startSeconds, mustCopy }: LoopFacts): LoopPlan {
  const frameSeconds = AAC_FRAME_SAMPLES / sampleRate
  const span = spanOf(edges, frameSeconds)
  if (!span) return { kind: 'encode-sound' }
  const pictureSeconds = span.pictureEnd - span.pictureStart
  const soundSeconds = span.soundEnd - span.soundStart
  const late = span.soundStart - span.pictureStart
  const isUneven = Math.abs(soundPackets * frameSeconds - soundSeconds) > MAX_UNEVEN_SECONDS
  if (isUneven || late < -MAX_STEP_SECONDS) return { kind: 'encode-sound' }
  const seconds = Math.max(pictureSeconds, soundSeconds)
  const isLate = late > MAX_LATE_SECONDS
  const isShort = seconds - soundSeconds + frameSeconds > MAX_STEP_SECONDS
  if (isLate || mustCopy) return { kind: 'remux', sound: span, isFilled: isLate || isShort }
  if (isShort) return tailPlan(edges, span)
  if (1 / fps + seconds - pictureSeconds <= MAX_STEP_SECONDS) return listOf({ seconds, startSeconds })
  return cutPlan(edges, span, { fps, startSeconds })
}

/** Null: one of the two is not there. */
function spanOf({ pictureStart, soundStart, tail }: LoopEdges, frameSeconds: number): SoundSpan | null {
  const pictures = tail.filter(({ isPicture }) => isPicture)
  const sounds = tail.filter(({ isPicture }) => !isPicture)
  if (pictures.length === 0 || sounds.length === 0) return null
  return {
    pictureStart,
    soundStart,
    pictureEnd: Math.max(...pictures.map(({ pts, seconds }) => pts + seconds)),
    // The last packet tells a shorter length than it has.
    soundEnd: Math.max(...sounds.map(({ pts }) => pts)) + frameSeconds,
    frameSeconds,
  }
}

const listOf = (found: { seconds: number; startSeconds: number; outpoint?: number }): LoopPlan => ({
  kind: 'list',
  list: {
    seconds: upToMicros(found.seconds),
    startSeconds: found.startSeconds,
    outpoint: found.outpoint ?? null,
    bodySeconds: null,
  },
})

/**
 * Sound that outlasts the picture is cut. ffmpeg ends a file at the first packet of either that is past the cut, in the order of the file: if
 * others that are needed come after that one, the file has to be put in order first.
 */
function cutPlan(
  { tail }: LoopEdges,
  span: SoundSpan,
  { fps, startSeconds }: { fps: number; startSeconds: number },
): LoopPlan {
  const { pictureStart, pictureEnd, soundStart, frameSeconds } = span
  const pictureSeconds = pictureEnd - pictureStart
  const sounds = tail.filter(({ isPicture }) => !isPicture).map(({ pts }) => pts)
  const fitting = sounds.filter((pts) => pts <= soundStart + pictureSeconds - frameSeconds + ROUNDING_SECONDS)
  const lastPicture = Math.max(...tail.filter(({ isPicture }) => isPicture).map(({ dts }) => dts))
  if (fitting.length === 0) return { kind: 'remux', sound: span, isFilled: false }
  const outpoint = Math.max(Math.max(...fitting) + frameSeconds / 2, lastPicture + 0.001)
  const lastSound = Math.max(...sounds.filter((pts) => pts < outpoint))
  const seconds = Math.max(pictureSeconds, lastSound + frameSeconds - soundStart)
  const isFit = 1 / fps + seconds - pictureSeconds <= MAX_STEP_SECONDS && isInOrder(tail, outpoint)
  return isFit ? listOf({ seconds, startSeconds, outpoint }) : { kind: 'remux', sound: span, isFilled: false }
}

/** Whether nothing that belongs before the cut comes after it. */
function isInOrder(tail: readonly EdgePacket[], outpoint: number): boolean {
  const cut = tail.findIndex(({ dts }) => dts >= outpoint)
  return cut === -1 || tail.slice(cut).every(({ dts }) => dts >= outpoint)
}

/** The last key frame that has sound behind it and a clean cut before it. */
function tailPlan({ tail, pictureStart }: LoopEdges, span: SoundSpan): LoopPlan {
  const keyframes = tail.filter(
    ({ isPicture, isKey, pts }) =>
      isPicture && isKey && pts < span.soundEnd - MAX_STEP_SECONDS && pts > pictureStart + MAX_STEP_SECONDS,
  )
  for (const keyframe of keyframes.toReversed()) {
    const cut = cutBefore(tail, keyframe)
    if (cut) return { kind: 'tail', cut: { ...span, ...cut, keyframe: keyframe.pts } }
  }
  return { kind: 'remux', sound: span, isFilled: true }
}

function cutBefore(tail: readonly EdgePacket[], keyframe: EdgePacket): Pick<TailCut, 'outpoint' | 'soundFrom'> | null {
  const before = tail.slice(0, tail.indexOf(keyframe)).filter(({ isPicture }) => isPicture)
  if (before.length === 0) return null
  const lastBefore = Math.max(...before.map(({ dts }) => dts))
  for (const outpoint of [keyframe.dts - 0.0005, (lastBefore + keyframe.dts) / 2, lastBefore + 0.0005]) {
    const rest = tail.slice(tail.findIndex(({ dts }) => dts >= outpoint))
    if (rest.some(({ isPicture, dts }) => isPicture && dts < outpoint)) continue
    const sounds = rest.filter(({ isPicture }) => !isPicture).map(({ pts }) => pts)
    if (sounds.length > 0) return { outpoint, soundFrom: Math.min(...sounds) }
  }
  return null
}

/** The list for a file whose tail has been made. Null: the seam would still be heard or seen. */
export function listWithTail(
  cut: TailCut,
  made: { readonly edges: LoopEdges; readonly startSeconds: number },
  { startSeconds, fps }: { startSeconds: number; fps: number },
): LoopList | null {
  const tail = spanOf(made.edges, cut.frameSeconds)
  if (!tail) return null
  const pictureSeconds = cut.pictureEnd - cut.pictureStart
  const soundSeconds = tail.soundEnd - cut.soundStart
  const seconds = Math.max(pictureSeconds, soundSeconds)
  const isWhole = Math.abs(tail.pictureEnd - cut.pictureEnd) < 0.5 / fps
  const isEven =
    seconds - soundSeconds + cut.frameSeconds <= MAX_STEP_SECONDS &&
    1 / fps + seconds - pictureSeconds <= MAX_STEP_SECONDS
  if (!isWhole || !isEven) return null
  const bodySeconds = made.startSeconds - startSeconds
  return { seconds: upToMicros(seconds), startSeconds, outpoint: cut.outpoint, bodySeconds }
}

/** Rounded up: a pass that is told to be shorter than it is would run backward. */
const upToMicros = (seconds: number): number => Math.ceil(seconds * 1e6 - 1e-3) / 1e6
