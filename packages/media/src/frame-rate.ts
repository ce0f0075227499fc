import type { KeyframeFacts } from './parse/keyframes.ts'
import type { VideoFacts } from './parse/probe.ts'

/** What files that have a steady rate nearly always have; one that is written a little differently means one of these. */
const COMMON_RATES = ['24000/1001', '24/1', '25/1', '30000/1001', '30/1', '48/1', '50/1', '60000/1001', '60/1']

/** For a file whose rate varies or makes no sense. */
const FALLBACK_RATES = ['24/1', '25/1', '30/1', '50/1', '60/1']

const LOWEST_FPS = 15
const HIGHEST_FPS = 60

/** Below this, motion looks broken: then rather drop frames unevenly than every second one. */
const LOWEST_HALVED_FPS = 20

/** Two spellings of one rate are nearer to each other than 29.97 and 30 are. */
const SAME_RATE = 0.0005

/** A share of a frame's length: less from one packet to the next means that frames come in bunches. */
const SMALLEST_STEP_FRAMES = 0.75

/** `60000/2002` and `30000/1001` are one rate: division of whole numbers this small rounds both to the same value. */
export function rateOf(rate: string | null): number | null {
  const [over, under] = (rate ?? '').split('/').map(Number)
  return over !== undefined && under !== undefined && over > 0 && under > 0 ? over / under : null
}

export const rateValue = (rate: string): number => rateOf(rate) ?? Number.NaN

/** The constant rate to encode a video at: its own when it has one, never above `maxFps`. */
export function outputRate(video: VideoFacts, maxFps: number): string {
  const rate = steadyRate(video) ?? nearestTo(rateOf(video.avgFrameRate) ?? rateOf(video.rFrameRate) ?? 30)
  return withinLimit(rate, maxFps)
}

/** The rate of a video that has one; null for one whose rate varies or makes no sense. */
function steadyRate({ avgFrameRate, rFrameRate }: VideoFacts): string | null {
  const average = rateOf(avgFrameRate)
  const real = rateOf(rFrameRate)
  if (rFrameRate === null || average === null || real === null || !isSameRate(average, real)) return null
  if (real < LOWEST_FPS || real > HIGHEST_FPS) return null
  return COMMON_RATES.find((common) => isSameRate(rateValue(common), real)) ?? rFrameRate
}

/** Whether two numbers are one frame rate, spelled or rounded differently. */
export const isSameRate = (a: number, b: number): boolean => Math.abs(a - b) <= b * SAME_RATE

const nearestTo = (fps: number): string =>
  FALLBACK_RATES.reduce((best, next) => (distance(next, fps) < distance(best, fps) ? next : best))

const distance = (rate: string, fps: number): number => Math.abs(rateValue(rate) - fps)

/** What is left of a rate under a limit, as outputRate has it. */
export const limitedFps = (fps: number, maxFps: number): number => rateValue(withinLimit(`${fps}/1`, maxFps))

/** Half the frames of 60 per second move evenly; 25 out of 30 would not. */
function withinLimit(rate: string, maxFps: number): string {
  const fps = rateValue(rate)
  if (fps <= maxFps) return rate
  if (fps / 2 <= maxFps && fps / 2 >= LOWEST_HALVED_FPS) return halved(rate)
  return FALLBACK_RATES.findLast((fallback) => rateValue(fallback) <= maxFps) ?? `${Math.max(1, Math.floor(maxFps))}/1`
}

function halved(rate: string): string {
  const [over = 0, under = 1] = rate.split('/').map(Number)
  return over % 2 === 0 ? `${over / 2}/${under}` : `${over}/${under * 2}`
}

/** Whether the packets bear out a constant rate. How long a step may be is another matter: a frame may be missing. */
export const areEven = (keyframes: KeyframeFacts | null, fps: number): boolean =>
  keyframes !== null && keyframes.smallestStepSeconds >= SMALLEST_STEP_FRAMES / fps
