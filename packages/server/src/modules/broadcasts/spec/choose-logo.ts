import type { LogoLook } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { onlineRecipe } from '@siarin/contracts/recipes'
import { DomainError } from '../../../errors.ts'
import type { BrandLooks } from '../../branding/brand-looks.ts'
import type { Caller } from '../../identity/caller.ts'
import type { SourceColumns } from './choose-source.ts'

/** The recipe of an online source with a logo, as the brand kit has it now. A video gets a version of its own instead. */
export const createChooseLogo =
  ({ looks }: { looks: Pick<BrandLooks, 'freeze'> }) =>
  async ({ workspaceId }: Caller, source: SourceColumns, logo: LogoLook): Promise<string> => {
    if (source.source_kind === 'video') throw new DomainError('invalid_input', BRANDING_TEXTS.logoOfOnline)
    return onlineRecipe(await looks.freeze(workspaceId, { logo, lowerThird: null, frame: null }))
  }
