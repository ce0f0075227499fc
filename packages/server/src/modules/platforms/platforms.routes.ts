import { Answer } from '@siarin/contracts/answers'
import {
  AddOnlineSourceBody,
  OnlineSourceAnswer,
  OnlineSourcesAnswer,
  OnlineStreamsAnswer,
  TikTokTargetAnswer,
  TikTokTargetBody,
} from '@siarin/contracts/online'
import { ACCOUNT_TEXTS, ONLINE_TEXTS, STREAM_TEXTS, TIKTOK_TEXTS } from '@siarin/contracts/texts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { asOwner, callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { BigoService } from './bigo.service.ts'
import type { OnlineService } from './online.service.ts'
import type { PreviewProxy } from './preview-proxy.ts'
import { PREVIEW_ROOT } from './preview-tickets.ts'
import type { TikTokService } from './tiktok.service.ts'

interface PlatformsRoutesDeps {
  bigo: BigoService
  tiktok: TikTokService
  online: OnlineService
  proxy: PreviewProxy
  hooks: CallerHooks
}

const byTicket = z.object({ ticket: z.string(), name: z.string() })
const tags = ['online']

const ofCaller = (request: FastifyRequest) => callerOf(request).userId
const words = () => ONLINE_TEXTS.tooMany

export const platformsRoutes = (deps: PlatformsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addAccountRoutes(app, deps)
    addOnlineRoutes(app, deps)
    addPreviewRoute(app, deps)
  }

/** What the accounts at Bigo and TikTok are asked for. */
function addAccountRoutes(app: App, { bigo, tiktok, hooks }: PlatformsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limitBegin = createLimiter(app, 'tiktok-begin', PLATFORM_LIMITS.beginPerUser, ofCaller, words)

  app.get(
    '/fitur/bigo/live',
    {
      schema: { summary: 'Rooms of own Bigo accounts', tags, response: { 200: OnlineStreamsAnswer } },
      preValidation,
    },
    async (request) => {
      const data = await bigo.rooms(callerOf(request))
      const live = data.filter(({ isLive }) => isLive).length
      if (data.length === 0) return { success: true, message: ACCOUNT_TEXTS.none('bigo'), data }
      return { success: true, message: live > 0 ? STREAM_TEXTS.found(live) : ONLINE_TEXTS.noneLive, data }
    },
  )

  app.post(
    '/fitur/steamlabs/start',
    {
      schema: {
        summary: 'Begin a broadcast at TikTok and get its RTMP target',
        tags,
        body: TikTokTargetBody,
        response: { 200: TikTokTargetAnswer },
      },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      if (request.body.accountId) await hooks.assertProved(request)
      await limitBegin(request)
      const stream = await tiktok.begin(callerOf(request), request.body)
      return { success: true, message: TIKTOK_TEXTS.targetGiven, stream }
    },
  )
}

function addOnlineRoutes(app: App, { online, hooks }: PlatformsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limitAdd = createLimiter(app, 'online-add', PLATFORM_LIMITS.addPerUser, ofCaller, words)

  app.post(
    '/fitur/online/add',
    {
      schema: {
        summary: 'Add an HLS address as a source',
        tags,
        body: AddOnlineSourceBody,
        response: { 200: OnlineSourceAnswer },
      },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      await limitAdd(request)
      const data = await online.add(callerOf(request), request.body)
      return { success: true, message: ONLINE_TEXTS.added, data }
    },
  )

  app.get(
    '/fitur/online',
    { schema: { summary: 'Own online sources', tags, response: { 200: OnlineSourcesAnswer } }, preValidation },
    async (request) => {
      const data = await online.list(callerOf(request))
      return { success: true, message: ONLINE_TEXTS.found(data.length), data }
    },
  )

  app.delete(
    '/fitur/online/:id',
    {
      schema: {
        summary: 'Delete an online source',
        tags,
        params: z.object({ id: z.string() }),
        response: { 200: Answer },
      },
      preValidation,
    },
    async (request) => {
      await online.remove(callerOf(request), request.params.id)
      return { success: true, message: ONLINE_TEXTS.removed }
    },
  )
}

function addPreviewRoute(app: App, { proxy }: PlatformsRoutesDeps): void {
  const limitPreview = createLimiter(app, 'preview', PLATFORM_LIMITS.previewPerUser, ofCaller, words)
  const admit = (request: FastifyRequest) => proxy.admit((request.params as z.infer<typeof byTicket>).ticket)

  // Media elements send no header: the path itself is the leave, and tells whose call it is.
  async function preValidation(request: FastifyRequest): Promise<void> {
    request.caller = asOwner(admit(request).userId)
  }
  const schema = { hide: true, params: byTicket }
  app.get(`${PREVIEW_ROOT}/:ticket/:name`, { schema, preValidation }, async (request, reply) => {
    const ticket = admit(request)
    await limitPreview(request)
    return proxy.serve(ticket, request, reply)
  })
}
