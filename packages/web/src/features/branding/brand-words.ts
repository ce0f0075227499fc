import { type BrandingLevel, isLevelWithin, lookWords } from '@siarin/contracts/branding'
import { BRANDING_PLAN_TEXTS } from '@siarin/contracts/branding-texts'
import { PLANS, planOf } from '@siarin/contracts/plans'
import { parseRecipe, recipeWords } from '@siarin/contracts/recipes'
import type { Standing } from '@siarin/contracts/standing'
import type { Rendition } from '@siarin/contracts/videos'

/** Why the plan does not have it, with the one that does; null: it has, or nobody knows yet and the server will say. */
export function brandingRefusal(
  needed: BrandingLevel,
  allows: BrandingLevel,
  standing: Pick<Standing, 'plan'> | undefined,
): string | null {
  if (isLevelWithin(needed, allows) || !standing) return null
  const next = PLANS.find(({ limits }) => isLevelWithin(needed, limits.branding))?.name ?? null
  const nothing = needed === 'full' ? BRANDING_PLAN_TEXTS.noBrandText : BRANDING_PLAN_TEXTS.noBranding
  const says = allows === 'none' ? nothing : BRANDING_PLAN_TEXTS.onlyLogo
  return says(planOf(standing.plan).name, next)
}

/** 'logo kanan atas · 9:16 latar buram · 1080×1920'; of one without a brand its size, frame rate and bitrate. */
export function versionName({ recipe: text, look }: Pick<Rendition, 'recipe' | 'look'>): string {
  const recipe = parseRecipe(text)
  return look && recipe ? `${lookWords(look)} · ${recipe.width}×${recipe.height}` : recipeWords(text)
}
