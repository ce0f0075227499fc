import type { PlatformPreset, PlatformTakes } from './platform-preset.ts'
import { FIT_TEXTS, kbpsWords, mostKbpsWords } from './preset-texts.ts'
import { boundedKbps, evenSide, fpsOf, nearestRate, parseRecipe, recipeText } from './recipes.ts'
import type { Rendition, Video } from './videos.ts'

export interface FitFinding {
  readonly kind: 'codec' | 'bitrate' | 'fps' | 'size' | 'upright' | 'keyframes'
  /** 'refused': it does not go on air at all. 'degraded': viewers see less than the video has, or it breaks off. */
  readonly effect: 'refused' | 'degraded'
  readonly text: string
  /** What the video has to be instead, as part of `wayOut`. */
  readonly wish: string
}

export interface Fit {
  readonly findings: readonly FitFinding[]
  /** Null: there is nothing to mend. */
  readonly wayOut: string | null
}

/** What of a video decides where it fits. */
export type SentVideo = Pick<Video, 'status' | 'bitrate' | 'width' | 'height' | 'fps' | 'videoCodec'>

/** What a platform says is of the picture; we know the whole file. Its sound has so much where the platform does not say. */
const SOUND_KBPS = 320

/** A file has a header and an index too, and an average is no promise: who is just above a limit is left alone. */
const SLACK = 1.05

/** 59.94 and 60, 29.97 and 30.02 are the same to a platform. */
const FPS_SLACK = 0.5

type Rule = (video: SentVideo, takes: PlatformTakes, name: string) => FitFinding | null

const codec: Rule = ({ videoCodec }, { videoCodecs }, name) => {
  if (!videoCodec || !videoCodecs || videoCodecs.includes(videoCodec)) return null
  const text = FIT_TEXTS.codec(name, videoCodec, videoCodecs)
  return { kind: 'codec', effect: 'refused', text, wish: FIT_TEXTS.codecWay(videoCodecs) }
}

const bitrate: Rule = ({ bitrate: kbps }, { videoKbps, isKbpsRough, audioKbps }, name) => {
  if (kbps === null || videoKbps === null || kbps <= (videoKbps + (audioKbps ?? SOUND_KBPS)) * SLACK) return null
  const text = FIT_TEXTS.bitrate(name, kbps, mostKbpsWords(videoKbps, isKbpsRough))
  return { kind: 'bitrate', effect: 'degraded', text, wish: kbpsWords(videoKbps) }
}

const frameRate: Rule = ({ fps }, { fps: most }, name) => {
  if (fps === null || most === null || fps <= most + FPS_SLACK) return null
  return { kind: 'fps', effect: 'degraded', text: FIT_TEXTS.fps(name, fps, most), wish: FIT_TEXTS.fpsWay(most) }
}

const size: Rule = ({ width, height }, { shortSide: most }, name) => {
  if (width === null || height === null || most === null) return null
  const shortSide = Math.min(width, height)
  if (shortSide <= most) return null
  return {
    kind: 'size',
    effect: 'degraded',
    text: FIT_TEXTS.size(name, shortSide, most),
    wish: FIT_TEXTS.sizeWay(most),
  }
}

const upright: Rule = ({ width, height }, takes, name) => {
  if (width === null || height === null || takes.upright !== true || width <= height) return null
  return { kind: 'upright', effect: 'degraded', text: FIT_TEXTS.upright(name), wish: FIT_TEXTS.uprightWay }
}

/** The API tells neither, and what we encode ourselves has B-frames and a key frame every two seconds. */
const keyframes: Rule = (_video, { bFrames, keyframeSeconds }, name) => {
  if (bFrames !== false || keyframeSeconds === null) return null
  const text = FIT_TEXTS.keyframes(name, keyframeSeconds)
  return { kind: 'keyframes', effect: 'degraded', text, wish: FIT_TEXTS.keyframesWay(keyframeSeconds) }
}

/** What decides whether a video comes at all stands first. */
const RULES: readonly Rule[] = [codec, bitrate, size, upright, frameRate, keyframes]

/** How a platform will take a video. One that is not ready may still become something else, so that nothing is said of it. */
export function fitOf(video: SentVideo, { name, takes }: Pick<PlatformPreset, 'name' | 'takes'>): Fit {
  if (video.status !== 'ready') return { findings: [], wayOut: null }
  const findings = RULES.flatMap((rule) => rule(video, takes, name) ?? [])
  const wayOut =
    findings.length > 0
      ? FIT_TEXTS.wayOut(
          name,
          findings.map(({ wish }) => wish),
        )
      : null
  return { findings, wayOut }
}

/** What making the picture anew can change. An upright picture, or one without B-frames, it cannot give. */
const MENDABLE: readonly FitFinding['kind'][] = ['codec', 'bitrate', 'size', 'fps']
export const isMendable = ({ kind }: FitFinding): boolean => MENDABLE.includes(kind)

/** What a platform would take; null: there is nothing to mend, or nothing that we could. */
export function recipeFor(video: SentVideo, preset: Pick<PlatformPreset, 'name' | 'takes'>): string | null {
  const { width, height, fps, bitrate: kbps } = video
  if (!width || !height || !fps || !kbps || !fitOf(video, preset).findings.some(isMendable)) return null
  const { takes } = preset
  const scale = Math.min(1, (takes.shortSide ?? Number.POSITIVE_INFINITY) / Math.min(width, height))
  const size = { width: evenSide(width * scale), height: evenSide(height * scale) }
  // A smaller picture needs less in proportion; none is made better than it was.
  const needed = kbps * scale * scale
  return recipeText({
    ...size,
    fps: rateWithin(fps, takes.fps),
    kbps: boundedKbps(Math.min(needed, takes.videoKbps ?? needed)),
  })
}

/** Half the frames of 60 per second move evenly; 25 out of 30 would not. */
const LOWEST_HALVED_FPS = 20

function rateWithin(fps: number, most: number | null): string {
  if (most === null || fps <= most + FPS_SLACK) return nearestRate(fps)
  const isHalved = fps / 2 <= most + FPS_SLACK && fps / 2 >= LOWEST_HALVED_FPS
  return nearestRate(isHalved ? fps / 2 : most, most)
}

type Made = Pick<Rendition, 'recipe' | 'state' | 'bitrate'>

/** A rendition as the platform sees it; null: nothing can be sent of it yet, or it has a brand on it, which is sent where it is asked for. */
function sentOf({ recipe: text, state, bitrate: kbps }: Made): SentVideo | null {
  const recipe = parseRecipe(text)
  if (!recipe || recipe.look !== undefined || state !== 'ready') return null
  const { width, height } = recipe
  return { status: 'ready', videoCodec: 'h264', width, height, fps: fpsOf(recipe), bitrate: kbps }
}

const pixelsOf = ({ width, height }: SentVideo): number => (width ?? 0) * (height ?? 0)

/** What has less than this part of what the platform would take, a side or the frames, is sent where somebody asks for it. */
const LEAST_PART = 0.5

/** Whether so much of the video is left that it may be sent in its place, though nobody has chosen it. */
function isStandIn(
  { width, height, fps }: SentVideo,
  video: SentVideo,
  preset: Pick<PlatformPreset, 'name' | 'takes'>,
) {
  // Anything is more than what does not go on air.
  if (fitOf(video, preset).findings.some(({ effect }) => effect === 'refused')) return true
  const wanted = parseRecipe(recipeFor(video, preset) ?? '')
  if (!wanted) return true
  const isEnough = (has: number | null, of: number): boolean => (has ?? 0) >= of * LEAST_PART
  return isEnough(width, wanted.width) && isEnough(height, wanted.height) && isEnough(fps, fpsOf(wanted))
}

/**
 * The largest of its renditions that fits is what a platform is to be sent; null: the video as it is, since that fits or none of them does. A
 * rendition that is far smaller than what would fit was made for something else.
 */
export function recipeToSend(
  video: SentVideo & { readonly renditions?: readonly Made[] | undefined },
  preset: Pick<PlatformPreset, 'name' | 'takes'>,
): string | null {
  const fits = (sent: SentVideo): boolean => !fitOf(sent, preset).findings.some(isMendable)
  if (fits(video)) return null
  let best: { readonly recipe: string; readonly sent: SentVideo } | null = null
  for (const made of video.renditions ?? []) {
    const sent = sentOf(made)
    if (!sent || !fits(sent) || !isStandIn(sent, video, preset)) continue
    if (!best || pixelsOf(sent) > pixelsOf(best.sent)) best = { recipe: made.recipe, sent }
  }
  return best?.recipe ?? null
}
