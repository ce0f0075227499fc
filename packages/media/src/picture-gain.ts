import { limitedFps, outputRate, rateValue } from './frame-rate.ts'
import type { VideoFacts } from './parse/probe.ts'
import { fittedSize } from './picture-rules.ts'
import type { PrepareLimits } from './prepare-plan.ts'

export interface PictureSize {
  /** As in "1080p". */
  readonly shortSide: number
  readonly fps: number
}

/** Sides are made even, and rates are rounded where they are kept. */
const SIDE_ROUNDING = 1
const FPS_ROUNDING = 0.5

/** What preparing a video without any limit would give. */
export function wholePicture(video: VideoFacts): PictureSize {
  const { width, height } = fittedSize(video, Number.POSITIVE_INFINITY)
  return { shortSide: Math.min(width, height), fps: rateValue(outputRate(video, Number.POSITIVE_INFINITY)) }
}

export const isAbove = (picture: PictureSize, { maxHeight, maxFps }: PrepareLimits): boolean =>
  picture.shortSide > maxHeight || picture.fps > maxFps + FPS_ROUNDING

/** Whether preparing the original under these limits would give more than the master has. */
export const wouldGain = (original: PictureSize, master: PictureSize, limits: PrepareLimits): boolean =>
  Math.min(original.shortSide, limits.maxHeight) > master.shortSide + SIDE_ROUNDING ||
  limitedFps(original.fps, limits.maxFps) > master.fps + FPS_ROUNDING
