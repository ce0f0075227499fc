import {
  BRANDING_PATH,
  type BrandKit,
  type BrandKitAnswer,
  type ChangeBrandKitBody,
  LOGO_PATH,
  type Look,
} from '@siarin/contracts/branding'
import { type OrderRenditionBody, type RenditionAnswer, renditionPath } from '@siarin/contracts/videos'
import { queryOptions } from '@tanstack/react-query'
import {
  featureDelete,
  featureGet,
  featurePost,
  featurePut,
  featurePutFile,
  featureUrl,
} from '../../../lib/feature-calls.ts'
import { ensurePageTicket } from '../../../lib/page-ticket.ts'
import { type LogoFile, logoTypeOf } from '../logo-file.ts'

export const brandKitQuery = () =>
  queryOptions({
    queryKey: ['brand-kit'],
    queryFn: async ({ signal }): Promise<BrandKit> => {
      const [{ kit }] = await Promise.all([featureGet<BrandKitAnswer>(BRANDING_PATH, signal), ensurePageTicket()])
      return kit
    },
    refetchOnMount: 'always',
  })

/** Another logo has another address, so that no browser shows the one from before. */
export const logoUrl = ({ version }: NonNullable<BrandKit['logo']>): string =>
  `${featureUrl(LOGO_PATH)}&v=${encodeURIComponent(version)}`

export const changeKit = (change: ChangeBrandKitBody): Promise<BrandKitAnswer> =>
  featurePut<BrandKitAnswer>(BRANDING_PATH, change)

export const putLogo = (file: LogoFile & Blob): Promise<BrandKitAnswer> =>
  featurePutFile<BrandKitAnswer>(LOGO_PATH, file, logoTypeOf(file) ?? file.type)

export const removeLogo = (): Promise<BrandKitAnswer> => featureDelete<BrandKitAnswer>(LOGO_PATH)

/** A version of the video with this on it; answers what the server says. */
export async function orderBranded(filename: string, look: Look): Promise<string> {
  const body: OrderRenditionBody = { look }
  return (await featurePost<RenditionAnswer>(renditionPath(filename), body)).message
}
