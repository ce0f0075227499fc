import { BRANDING_TEXTS } from './branding-texts.ts'

/** What is made of a video beside its master: a size, a frame rate and a bitrate. Videos made by one recipe can follow each other. */
export interface Recipe {
  /** The size of the whole picture, both even. A video of another shape gets bars. */
  readonly width: number
  readonly height: number
  /** A fraction such as `30000/1001`, as ffmpeg writes it. */
  readonly fps: string
  /** The bitrate of the picture, at most and on average. */
  readonly kbps: number
  /** The id of what is put on the picture (`brand_looks` of the server); absent: nothing is. */
  readonly look?: string
}

/** The master that every video has: the video itself and nothing added. */
export const AS_IS = 'as-is'

/** What an encoder and a platform can do something with. */
const SIDE = { least: 64, most: 4096 }
const KBPS = { least: 100, most: 60_000 }
/** Any other rate means one of these. */
export const RECIPE_RATES: readonly string[] = [
  ...['24000/1001', '24/1', '25/1', '30000/1001', '30/1', '48/1', '50/1', '60000/1001', '60/1'],
]

const FORM = /^(\d{2,4})x(\d{2,4})@(\d{2,5}(?:\/1001)?):(\d{3,5})(?:\+b([\da-f]{12}))?$/

/** Null: it is none, or none that can be made. Each recipe has one spelling, so that equal ones are found to be equal. */
export function parseRecipe(text: string): Recipe | null {
  const [, width, height, rate = '', kbps, look] = FORM.exec(text) ?? []
  const fps = rate.includes('/') ? rate : `${rate}/1`
  const plain = { width: Number(width), height: Number(height), fps, kbps: Number(kbps) }
  const recipe = look === undefined ? plain : { ...plain, look }
  return isPossible(recipe) && recipeText(recipe) === text ? recipe : null
}

const isPossible = ({ width, height, fps, kbps }: Recipe): boolean =>
  [width, height].every((side) => side % 2 === 0 && side >= SIDE.least && side <= SIDE.most) &&
  RECIPE_RATES.includes(fps) &&
  kbps >= KBPS.least &&
  kbps <= KBPS.most

/** `1280x720@30:2800`, with something put on it `1280x720@30:2800+b0123456789ab` */
export const recipeText = ({ width, height, fps, kbps, look }: Recipe): string =>
  `${width}x${height}@${fps.replace(/\/1$/, '')}:${kbps}${look === undefined ? '' : `+b${look}`}`

/** The recipe of an online source names nothing but the look: its picture is what comes. */
export const onlineRecipe = (look: string): string => `+b${look}`

/** Which look any recipe names, of an online source too; null: none. */
export const lookOf = (recipe: string): string | null => /\+b([\da-f]{12})$/.exec(recipe)?.[1] ?? null

export function fpsOf({ fps }: Pick<Recipe, 'fps'>): number {
  const [over = 0, under = 1] = fps.split('/').map(Number)
  return over / under
}

/** The rate that a rounded figure means; `most`: none above it. */
export function nearestRate(fps: number, most: number = Number.POSITIVE_INFINITY): string {
  const allowed = RECIPE_RATES.filter((rate) => fpsOf({ fps: rate }) <= most + ROUNDING)
  const distance = (rate: string): number => Math.abs(fpsOf({ fps: rate }) - fps)
  return allowed.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best), allowed[0] ?? '24/1')
}
const ROUNDING = 0.5

/** Down to what an encoder takes, so that nothing grows beyond a limit. */
export const evenSide = (side: number): number =>
  Math.min(SIDE.most, Math.max(SIDE.least, Math.floor((side + 0.001) / 2) * 2))

export const boundedKbps = (kbps: number): number => Math.round(Math.min(KBPS.most, Math.max(KBPS.least, kbps)))

/** '720p · 30 fps · 2.800 kbps' */
export function recipeWords(text: string): string {
  const recipe = parseRecipe(text)
  if (!recipe) return text
  const { width, height, kbps, look } = recipe
  const fps = number.format(fpsOf(recipe))
  const words = `${width}×${height} · ${fps} fps · ${number.format(kbps)} kbps`
  return look === undefined ? words : `${words} · ${BRANDING_TEXTS.branded}`
}
const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

/** What the sound of a rendition takes; see media/argv/prepare. */
const SOUND_KBPS = 160
/** About how large it gets: an encoder keeps to its bitrate, and a picture that stands still takes less. */
export const renditionBytes = ({ kbps }: Pick<Recipe, 'kbps'>, seconds: number): number =>
  Math.ceil(((kbps + SOUND_KBPS) * 1000 * seconds) / 8)
