import {
  ACCOUNT_KINDS,
  AccountAnswer,
  AccountListAnswer,
  AddBigoAccountBody,
  AddTikTokAccountBody,
} from '@siarin/contracts/accounts'
import { Answer } from '@siarin/contracts/answers'
import { ACCOUNT_TEXTS, ONLINE_TEXTS } from '@siarin/contracts/texts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { AccountsService, NewAccount } from './accounts.service.ts'

export const accountsRoutes = ({ service, hooks }: { service: AccountsService; hooks: CallerHooks }) =>
  async function routes(app: App): Promise<void> {
    const preValidation = hooks.requireKeyOrSession
    const tags = ['account']

    const limit = createLimiter(
      app,
      'account-add',
      PLATFORM_LIMITS.addPerUser,
      (request) => callerOf(request).userId,
      () => ONLINE_TEXTS.tooMany,
    )

    async function add(request: FastifyRequest, account: NewAccount) {
      await limit(request)
      const { account: data, message } = await service.add(callerOf(request), account, visitorOf(request))
      return { success: true, message, data }
    }

    app.post(
      '/fitur/bigo/add',
      {
        schema: { summary: 'Add a Bigo account', tags, body: AddBigoAccountBody, response: { 200: AccountAnswer } },
        preValidation,
        config: { adds: true },
      },
      async (request) => {
        const { name, siteId } = request.body
        return add(request, { kind: 'bigo', name, credential: siteId })
      },
    )

    app.post(
      '/fitur/tiktok/add',
      {
        schema: { summary: 'Add a TikTok account', tags, body: AddTikTokAccountBody, response: { 200: AccountAnswer } },
        preValidation,
        config: { adds: true },
      },
      async (request) => {
        const { name, token } = request.body
        return add(request, { kind: 'tiktok', name, credential: token })
      },
    )

    for (const kind of ACCOUNT_KINDS) {
      app.get(
        `/fitur/${kind}/accounts`,
        {
          schema: { summary: `Own ${kind} accounts`, tags, response: { 200: AccountListAnswer } },
          preValidation,
        },
        async (request) => {
          const data = await service.list(callerOf(request), kind)
          const message = data.length > 0 ? ACCOUNT_TEXTS.found(kind, data.length) : ACCOUNT_TEXTS.none(kind)
          return { success: true, message, data }
        },
      )

      app.delete(
        `/fitur/${kind}/:accountId`,
        {
          schema: {
            summary: `Delete a ${kind} account`,
            tags,
            params: z.object({ accountId: z.string() }),
            response: { 200: Answer },
          },
          preValidation,
        },
        async (request) => {
          await service.remove(callerOf(request), kind, request.params.accountId, visitorOf(request))
          return { success: true, message: ACCOUNT_TEXTS.removed }
        },
      )
    }
  }
