import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import {
  AddDiscordBody,
  AddPushBody,
  AlertChannelAnswer,
  AlertChannelListAnswer,
  AlertTestAnswer,
  ChangeAlertChannelBody,
  RemovePushBody,
} from '@siarin/contracts/alerts'
import { Answer } from '@siarin/contracts/answers'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { ChannelsService } from './channels.service.ts'
import type { createTestChannel } from './test-channel.ts'

interface ChannelsRoutesDeps {
  service: ChannelsService
  test: ReturnType<typeof createTestChannel>
  hooks: CallerHooks
}

const tags = ['alert']
const byId = z.object({ id: z.string().max(100) })

export const channelsRoutes = (deps: ChannelsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addListRoute(app, deps)
    addAddingRoutes(app, deps)
    addChangingRoutes(app, deps)
    addTestRoute(app, deps)
  }

function addListRoute(app: App, { service, hooks }: ChannelsRoutesDeps): void {
  app.get(
    '/fitur/alert/channel',
    {
      schema: { summary: 'Where alerts go, and where they could', tags, response: { 200: AlertChannelListAnswer } },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const caller = callerOf(request)
      const data = await service.list(caller)
      return {
        success: true,
        message: ALERT_TEXTS.channels(data.length),
        data,
        offered: await service.offered(caller),
      }
    },
  )
}

function addAddingRoutes(app: App, { service, hooks }: ChannelsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limit = createLimiter(
    app,
    'alert-channel-add',
    PLATFORM_LIMITS.addPerUser,
    (request) => callerOf(request).userId,
    () => ONLINE_TEXTS.tooMany,
  )
  const added = { success: true, message: ALERT_TEXTS.channelAdded }
  const response = { 200: AlertChannelAnswer }

  app.post(
    '/fitur/alert/channel/discord',
    {
      schema: { summary: 'Send alerts to a Discord webhook', tags, body: AddDiscordBody, response },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // A stolen session would go on listening long after it has ended.
      await hooks.assertProved(request)
      await limit(request)
      return { ...added, data: await service.addDiscord(callerOf(request), request.body, visitorOf(request)) }
    },
  )

  app.post(
    '/fitur/alert/channel/push',
    {
      schema: { summary: 'Send alerts to a browser', tags, body: AddPushBody, response },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // Its address may be anybody's, as that of a webhook.
      await hooks.assertProved(request)
      await limit(request)
      const sessionId = request.sessionCaller?.sessionId ?? null
      const data = await service.addPush(callerOf(request), { ...request.body, sessionId }, visitorOf(request))
      return { ...added, data }
    },
  )

  app.post(
    '/fitur/alert/channel/push/remove',
    {
      schema: { summary: 'Send no more to a browser', tags, body: RemovePushBody, response: { 200: Answer } },
      preValidation,
    },
    async (request) => {
      await service.removePush(callerOf(request), request.body.endpoint, visitorOf(request))
      return { success: true, message: ALERT_TEXTS.channelRemoved }
    },
  )

  app.post(
    '/fitur/alert/channel/email',
    {
      schema: { summary: "Send alerts to the account's own address", tags, response },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // No proof: the account's own address gets these letters, and nobody changes that without the password.
      await limit(request)
      return { ...added, data: await service.addEmail(callerOf(request), visitorOf(request)) }
    },
  )
}

function addChangingRoutes(app: App, { service, hooks }: ChannelsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.patch(
    '/fitur/alert/channel/:id',
    {
      schema: {
        summary: 'Name a channel, switch it on or off',
        tags,
        params: byId,
        body: ChangeAlertChannelBody,
        response: { 200: AlertChannelAnswer },
      },
      preValidation,
    },
    async (request) => {
      const data = await service.change(callerOf(request), request.params.id, request.body)
      return { success: true, message: ALERT_TEXTS.channelChanged, data }
    },
  )

  app.delete(
    '/fitur/alert/channel/:id',
    { schema: { summary: 'Remove a channel', tags, params: byId, response: { 200: Answer } }, preValidation },
    async (request) => {
      await service.remove(callerOf(request), request.params.id, visitorOf(request))
      return { success: true, message: ALERT_TEXTS.channelRemoved }
    },
  )
}

function addTestRoute(app: App, { test, hooks }: ChannelsRoutesDeps): void {
  const limit = createLimiter(
    app,
    'alert-channel-test',
    PLATFORM_LIMITS.testPerUser,
    (request) => callerOf(request).userId,
    () => ALERT_TEXTS.tooManyTests,
  )
  app.post(
    '/fitur/alert/channel/:id/test',
    {
      schema: {
        summary: 'Send a test message, and answer what the other side said',
        tags,
        params: byId,
        response: { 200: AlertTestAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      await limit(request)
      const data = await test(callerOf(request), request.params.id)
      return { success: true, message: ALERT_TEXTS.tested[data.outcome], data }
    },
  )
}
