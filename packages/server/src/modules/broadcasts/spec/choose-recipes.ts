import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { recipeToSend } from '@siarin/contracts/platform-fit'
import { presetOf } from '@siarin/contracts/platform-presets'
import { parseRecipe } from '@siarin/contracts/recipes'
import { DomainError } from '../../../errors.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { isWithin } from '../../library/ordered-renditions.ts'
import { bitrateOf } from '../../library/video-view.ts'
import type { PlansService } from '../../plans/index.ts'
import type { TargetSpec } from './specify-targets.ts'

interface ChooseRecipesDeps {
  library: Pick<LibraryService, 'findById' | 'renditions'>
  plans: Pick<PlansService, 'libraryLimitsOf'>
}

/** What was asked for goes to every target. Otherwise, where a platform would refuse a video or show it worse, it gets the rendition that it takes, if there is one. */
export const createChooseRecipes =
  ({ library, plans }: ChooseRecipesDeps) =>
  async (
    videoId: string | null,
    targets: readonly TargetSpec[],
    asked: string | null = null,
  ): Promise<TargetSpec[]> => {
    if (asked !== null) {
      const sent = videoId === null ? null : await library.findById(videoId)
      if (!sent) throw new DomainError('invalid_input', BRANDING_TEXTS.renditionOfVideo)
      await library.renditions.assertUsable(sent, asked)
      return targets.map((target) => ({ ...target, recipe: asked }))
    }
    if (targets.every(({ preset }) => preset === null)) return [...targets]
    const video = videoId === null ? null : await library.findById(videoId)
    const made = video && (await library.renditions.ofVideos([video])).get(video.id)
    if (!video || !made?.length) return [...targets]
    const limits = await plans.libraryLimitsOf(video.user_id)
    const renditions = made.filter(({ recipe: text }) => {
      const recipe = parseRecipe(text)
      return recipe !== null && isWithin(recipe, limits)
    })
    const { width, height, fps, video_codec: videoCodec } = video
    const sent = { status: 'ready', width, height, fps, videoCodec, bitrate: bitrateOf(video), renditions } as const
    return targets.map((target) => {
      const preset = target.preset === null ? null : presetOf(target.preset)
      return { ...target, recipe: preset && recipeToSend(sent, preset) }
    })
  }
