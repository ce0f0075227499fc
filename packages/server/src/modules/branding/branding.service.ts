import { randomUUID } from 'node:crypto'
import type { BrandKit, ChangeBrandKitBody } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { Caller } from '../identity/caller.ts'
import type { PlansService } from '../plans/index.ts'
import type { BrandRepo } from './brand.repo.ts'
import { coloursOf } from './brand-looks.ts'
import type { createLogoMaker } from './make-logo.ts'

interface BrandingServiceDeps {
  repo: BrandRepo
  storage: Storage
  plans: Pick<PlansService, 'assertBranding' | 'limitsOf'>
  withLogo: ReturnType<typeof createLogoMaker>
  clock: Clock
}

export type BrandingService = ReturnType<typeof createBrandingService>

const NO_LOGO = { logo_key: null, logo_hash: null, logo_width: null, logo_height: null }

/** The brand of a workspace. What it is changed to stands on what is made from then on. */
export function createBrandingService({ repo, storage, plans, withLogo, clock }: BrandingServiceDeps) {
  async function kit({ workspaceId }: Caller): Promise<BrandKit> {
    const [row, { branding: allows }] = await Promise.all([repo.kitOf(workspaceId), plans.limitsOf(workspaceId)])
    const { logo_hash: version, logo_width: width, logo_height: height } = row ?? {}
    const logo = version && width && height ? { width, height, version } : null
    return { logo, text: row?.text ?? '', colours: coloursOf(row), allows }
  }

  async function replaceLogo(userId: string, columns: Parameters<BrandRepo['setLogo']>[1]): Promise<void> {
    const unneeded = await repo.setLogo(userId, columns, clock.now())
    if (unneeded !== null) await storage.remove(unneeded)
  }

  return {
    kit,

    async change(caller: Caller, { text, colours }: ChangeBrandKitBody): Promise<BrandKit> {
      if (text) await plans.assertBranding(caller.workspaceId, 'full')
      const change = {
        ...(text !== undefined && { text }),
        ...(colours !== undefined && { colours: JSON.stringify(colours) }),
      }
      await repo.save(caller.workspaceId, change, clock.now())
      return kit(caller)
    },

    async setLogo(caller: Caller, sent: Buffer, isSvg: boolean): Promise<BrandKit> {
      const { workspaceId: userId } = caller
      await plans.assertBranding(userId, 'logo')
      await withLogo({ owner: userId, sent, isSvg }, async ({ path, width, height, hash }) => {
        const key = `${userId}/brand/logo-${randomUUID()}.png`
        await storage.put(key, path)
        await replaceLogo(userId, { logo_key: key, logo_hash: hash, logo_width: width, logo_height: height })
      })
      return kit(caller)
    },

    async removeLogo(caller: Caller): Promise<BrandKit> {
      await replaceLogo(caller.workspaceId, NO_LOGO)
      return kit(caller)
    },

    async logo({ workspaceId }: Caller): Promise<StoredFile> {
      const key = (await repo.kitOf(workspaceId))?.logo_key
      if (!key) throw new DomainError('not_found', BRANDING_TEXTS.noLogo)
      return storedFile(storage, key)
    },
  }
}
