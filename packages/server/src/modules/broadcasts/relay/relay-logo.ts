import { logoBox } from '@siarin/contracts/branding-places'
import { lookOf } from '@siarin/contracts/recipes'
import type { RelayLogo } from '@siarin/media/argv/relay'
import type { RelayPlan } from '@siarin/media/relay-plan'
import type { Log } from '../../../platform/log.ts'
import { type Storage, storedFile, withPinned } from '../../../platform/storage/storage.ts'
import type { BrandLooks } from '../../branding/brand-looks.ts'
import type { StreamRow } from '../store/streams.repo.ts'

interface RelayLogoDeps {
  looks: Pick<BrandLooks, 'of'>
  storage: Storage
  log: Log
}

export interface PlacedLogo {
  /** With its file on this machine for as long as `use` takes. */
  on<T>(size: RelayPlan['encodedSize'], use: (logo: RelayLogo) => Promise<T>): Promise<T>
}

/** The logo that the owner of an online broadcast asked for. Whatever keeps us from it, the broadcast does without. */
export const createFindLogo =
  ({ looks, storage, log }: RelayLogoDeps) =>
  async ({ id: streamId, user_id, recipe }: StreamRow): Promise<PlacedLogo | null> => {
    const lookId = recipe === null ? null : lookOf(recipe)
    if (lookId === null) return null
    try {
      const { look, logo } = (await looks.of(user_id, [lookId])).get(lookId) ?? {}
      if (!look?.logo || !logo) return null
      const place = look.logo
      const file = storedFile(storage, logo.key)
      // It is there: what fails later would end the start.
      await withPinned(file, async () => {})
      return {
        on: (size, use) =>
          withPinned(file, (path) =>
            use({ at: { ...logoBox(place, size, logo), opacity: place.opacity / 100 }, file: path }),
          ),
      }
    } catch (error) {
      log.warn({ err: error, streamId }, 'the logo of a broadcast cannot be had')
      return null
    }
  }
