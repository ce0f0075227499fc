import { evenSide, fpsOf, nearestRate, parseRecipe, recipeText } from '@siarin/contracts/recipes'
import { videoKbps } from '@siarin/media/video-bitrates'

/** The picture of a video that can be played. */
export interface ListedVideo {
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
}

interface PictureLimits {
  readonly maxHeight: number
  readonly maxFps: number
}

/** Each is tried out once, which takes a moment. */
const MOST_CANDIDATES = 4

/**
 * By which recipes videos could be made alike, the likeliest first. Most of them keep their size: the most common one is taken, of two the
 * larger one. So nobody's picture gets small for the sake of one that is.
 */
export function candidateRecipes(videos: readonly ListedVideo[], limits: PictureLimits): string[] {
  const [size] = mostCommon(videos.flatMap(({ width, height }) => (width && height ? [`${width}x${height}`] : [])))
    .toSorted((one, other) => other.count - one.count || areaOf(other.value) - areaOf(one.value))
    .map(({ value }) => value)
  if (size === undefined) return []
  const ofSize = videos.filter(({ width, height }) => `${width}x${height}` === size)
  const rates = mostCommon(ofSize.map(({ fps }) => nearestRate(fps ?? 30, limits.maxFps)))
  return rates
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_CANDIDATES)
    .map(({ value: fps }) => {
      const { width, height } = within(sidesOf(size), limits.maxHeight)
      return recipeText({ width, height, fps, kbps: videoKbps(Math.min(width, height), fpsOf({ fps })) })
    })
}

/**
 * `hasOf`: how many of the videos are like that already. `kept`: what the list was made alike by before, which stays while any of it is
 * there. Null: nothing is known of the videos.
 */
export function chooseRecipe(
  candidates: readonly string[],
  { kept, hasOf, limits }: { kept: string | null; hasOf: (recipe: string) => number; limits: PictureLimits },
): string | null {
  if (kept !== null && hasOf(kept) > 0 && isAllowed(kept, limits)) return kept
  return candidates.toSorted((one, other) => hasOf(other) - hasOf(one))[0] ?? null
}

function isAllowed(text: string, { maxHeight, maxFps }: PictureLimits): boolean {
  const recipe = parseRecipe(text)
  return recipe !== null && Math.min(recipe.width, recipe.height) <= maxHeight && fpsOf(recipe) <= maxFps + FPS_ROUNDING
}
const FPS_ROUNDING = 0.5

/** In the order in which they first come. */
function mostCommon(values: readonly string[]): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count }))
}

function sidesOf(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}

const areaOf = (size: string): number => {
  const { width, height } = sidesOf(size)
  return width * height
}

function within({ width, height }: { width: number; height: number }, shortSide: number) {
  const scale = Math.min(1, shortSide / Math.min(width, height))
  return { width: evenSide(width * scale), height: evenSide(height * scale) }
}
