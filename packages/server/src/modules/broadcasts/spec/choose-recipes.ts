import { recipeToSend } from '@siarin/contracts/platform-fit'
import { presetOf } from '@siarin/contracts/platform-presets'
import { parseRecipe } from '@siarin/contracts/recipes'
import type { LibraryService } from '../../library/library.service.ts'
import { isWithin } from '../../library/ordered-renditions.ts'
import { bitrateOf } from '../../library/video-view.ts'
import type { PlansService } from '../../plans/index.ts'
import type { TargetSpec } from './specify-targets.ts'

interface ChooseRecipesDeps {
  library: Pick<LibraryService, 'findById' | 'renditions'>
  plans: Pick<PlansService, 'libraryLimitsOf'>
}

/** Where a platform would refuse a video or show it worse, it gets the rendition that it takes, if there is one. */
export const createChooseRecipes =
  ({ library, plans }: ChooseRecipesDeps) =>
  async (videoId: string | null, targets: readonly TargetSpec[]): Promise<TargetSpec[]> => {
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
