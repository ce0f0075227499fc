import {
  BRANDING_PATH,
  BrandKitAnswer,
  ChangeBrandKitBody,
  LOGO_MAX_BYTES,
  LOGO_PATH,
} from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { DomainError } from '../../errors.ts'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import { sendStored } from '../../http/send-stored.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { BrandingService } from './branding.service.ts'

interface BrandingRoutesDeps {
  service: BrandingService
  hooks: CallerHooks
}

const tags = ['branding']
const response = { 200: BrandKitAnswer }
const SVG = 'image/svg+xml'

export const brandingRoutes = (deps: BrandingRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addKitRoutes(app, deps)
    addLogoRoutes(app, deps)
  }

function addKitRoutes(app: App, { service, hooks }: BrandingRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.get(
    BRANDING_PATH,
    {
      schema: { summary: "The workspace's brand, and what the plan allows of it", tags, response },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => ({ success: true, message: BRANDING_TEXTS.kit, kit: await service.kit(callerOf(request)) }),
  )

  app.put(
    BRANDING_PATH,
    {
      schema: { summary: 'Change the line of text and the colours', tags, body: ChangeBrandKitBody, response },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // It stands on versions that are made, and on relays that schedules start, from now on.
      await hooks.assertProved(request)
      const kit = await service.change(callerOf(request), request.body)
      return { success: true, message: BRANDING_TEXTS.saved, kit }
    },
  )
}

function addLogoRoutes(app: App, { service, hooks }: BrandingRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limit = createLimiter(
    app,
    'brand-logo',
    PLATFORM_LIMITS.testPerUser,
    (request) => callerOf(request).userId,
    () => BRANDING_TEXTS.tooManyLogos,
  )
  const asItIs = { parseAs: 'buffer', bodyLimit: LOGO_MAX_BYTES } as const
  app.addContentTypeParser(['image/png', SVG], asItIs, (_request, body, done) => done(null, body))

  app.put(
    LOGO_PATH,
    {
      schema: {
        summary: 'Set the logo: the body is the file, PNG or SVG',
        tags,
        consumes: ['image/png', SVG],
        response,
      },
      preValidation,
      bodyLimit: LOGO_MAX_BYTES,
      config: { adds: true },
    },
    async (request) => {
      await hooks.assertProved(request)
      await limit(request)
      const { body } = request
      if (!Buffer.isBuffer(body)) throw new DomainError('unsupported_media_type', BRANDING_TEXTS.logoType)
      const isSvg = request.headers['content-type']?.startsWith(SVG) ?? false
      const kit = await service.setLogo(callerOf(request), body, isSvg)
      return { success: true, message: BRANDING_TEXTS.logoSaved, kit }
    },
  )

  app.get(
    LOGO_PATH,
    {
      schema: { summary: 'The logo, as a PNG', tags },
      preValidation: hooks.requireWatcher,
      config: { uncounted: true },
    },
    async (request, reply) => {
      const logo = await service.logo(callerOf(request))
      return sendStored(request, reply.header('Cache-Control', 'private, no-cache').type('image/png'), logo)
    },
  )

  app.delete(
    LOGO_PATH,
    { schema: { summary: 'Remove the logo; what was made with it keeps it', tags, response }, preValidation },
    async (request) => {
      const kit = await service.removeLogo(callerOf(request))
      return { success: true, message: BRANDING_TEXTS.logoRemoved, kit }
    },
  )
}
