import type { Look } from '@siarin/contracts/branding'
import { recipeFor } from '@siarin/contracts/platform-fit'
import type { PlatformPreset } from '@siarin/contracts/platform-preset'
import { presetOf } from '@siarin/contracts/platform-presets'
import {
  boundedKbps,
  evenSide,
  fpsOf,
  nearestRate,
  parseRecipe,
  type Recipe,
  recipeText,
} from '@siarin/contracts/recipes'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { OrderRenditionBody } from '@siarin/contracts/videos'
import { videoKbps } from '@siarin/media/video-bitrates'
import { DomainError } from '../../errors.ts'
import type { BrandLooks } from '../branding/brand-looks.ts'
import type { LibraryLimits } from './room.ts'
import type { VideoRow } from './video-row.ts'
import { bitrateOf } from './video-view.ts'

interface AskedRecipeDeps {
  looks: Pick<BrandLooks, 'idOf' | 'freeze' | 'assertAllowed'>
  limitsOf: (userId: string) => Promise<LibraryLimits>
}

interface AskedRecipe {
  /** By which the order is judged. */
  readonly text: string
  /** Keeps the look that it names, for an order that nothing speaks against. Returns the recipe: the brand may have changed meanwhile. */
  readonly settle: () => Promise<string>
}

/** What was asked for, in one spelling. */
export const createAskedRecipe =
  ({ looks, limitsOf }: AskedRecipeDeps) =>
  async (video: VideoRow, { recipe, preset, look }: OrderRenditionBody): Promise<AskedRecipe> => {
    const { user_id: userId } = video
    if (!look) {
      const known = recipe && parseRecipe(recipe)?.look
      if (known) await looks.assertAllowed(userId, known)
      const text = recipe ?? presetRecipe(video, preset ?? '')
      return { text, settle: async () => text }
    }
    const base = recipe === undefined ? ownRecipe(video, look, preset, await limitsOf(userId)) : parseRecipe(recipe)
    if (!base || base.look !== undefined) throw new DomainError('invalid_input', RENDITION_TEXTS.recipeInvalid)
    return {
      text: recipeText({ ...base, look: await looks.idOf(userId, look) }),
      settle: async () => recipeText({ ...base, look: await looks.freeze(userId, look) }),
    }
  }

function knownPreset(presetId: string): PlatformPreset {
  const preset = presetOf(presetId)
  if (!preset) throw new DomainError('invalid_input', RENDITION_TEXTS.presetUnknown)
  return preset
}

function assertReady({ status }: VideoRow): void {
  if (status !== 'ready') throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
}

function presetRecipe(video: VideoRow, presetId: string): string {
  const preset = knownPreset(presetId)
  assertReady(video)
  const { width, height, fps, video_codec: videoCodec } = video
  const recipe = recipeFor({ status: 'ready', width, height, fps, videoCodec, bitrate: bitrateOf(video) }, preset)
  if (!recipe) throw new DomainError('invalid_input', RENDITION_TEXTS.nothingToMend(preset.name))
  return recipe
}

/** What viewers' phones show without scaling, the larger one first. */
const UPRIGHT_SIDES = [1080, 720]
/** Made anew at its own bitrate a picture would lose; beyond this it gains nothing. */
const ANEW = 1.25

/** The video as large as it is, or in the frame of a look, within the plan and within what a platform takes. */
function ownRecipe(
  video: VideoRow,
  { frame }: Pick<Look, 'frame'>,
  presetId: string | undefined,
  { maxHeight, maxFps }: Pick<LibraryLimits, 'maxHeight' | 'maxFps'>,
): Recipe {
  const takes = presetId === undefined ? null : knownPreset(presetId).takes
  assertReady(video)
  const { width, height } = video
  if (!width || !height) throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
  const most = Math.min(maxHeight, takes?.shortSide ?? maxHeight)
  const size = frame ? uprightSize(Math.min(width, height, most)) : sizeUpTo({ width, height }, most)
  const fps = nearestRate(video.fps ?? 30, Math.min(maxFps, takes?.fps ?? maxFps))
  const usual = videoKbps(Math.min(size.width, size.height), fpsOf({ fps }))
  // A frame makes a picture that the video did not have.
  const own = frame ? usual : (bitrateOf(video) ?? usual) * ANEW
  return { ...size, fps, kbps: boundedKbps(Math.min(usual, own, takes?.videoKbps ?? usual)) }
}

function uprightSize(shortSide: number) {
  const side = UPRIGHT_SIDES.find((known) => known <= shortSide) ?? shortSide
  return { width: evenSide(side), height: evenSide((side * 16) / 9) }
}

function sizeUpTo({ width, height }: { width: number; height: number }, shortSide: number) {
  const scale = Math.min(1, shortSide / Math.min(width, height))
  return { width: evenSide(width * scale), height: evenSide(height * scale) }
}
