import { Answer } from '@siarin/contracts/answers'
import { SECOND_FACTOR_TEXTS } from '@siarin/contracts/auth-texts'
import {
  CodeBody,
  NewRecoveryCodesBody,
  ProposedSecondFactorAnswer,
  RecoveryCodesAnswer,
  SecondFactorAnswer,
  TurnOffSecondFactorBody,
} from '@siarin/contracts/second-factor'
import { AUTH_LIMITS, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { OwnAccountService } from './own-account.service.ts'
import { judgedUnder } from './own-account-limits.ts'
import type { SecondFactor } from './second-factor.service.ts'

interface SecondFactorRoutesDeps {
  service: SecondFactor
  ownAccount: Pick<OwnAccountService, 'assertOwnPassword'>
  hooks: CallerHooks
}

const tags = ['auth']

/** Who asks, and how often they may. */
type Guards = ReturnType<typeof createGuards>

export const secondFactorRoutes = (deps: SecondFactorRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const guards = createGuards(app, deps.hooks)
    addTurningOn(app, deps, guards)
    addPasswordRoutes(app, deps, guards)
  }

function createGuards(app: App, hooks: CallerHooks) {
  const preHandler = createLimiter(
    app,
    'second-factor',
    AUTH_LIMITS.loginPerAccount,
    (request) => sessionCallerOf(request).userId,
  )
  return { preValidation: hooks.requireSession, preHandler, judged: judgedUnder([preHandler]) }
}

function addTurningOn(
  app: App,
  { service, hooks }: SecondFactorRoutesDeps,
  { preValidation, preHandler }: Guards,
): void {
  app.get(
    '/auth/second-factor',
    {
      schema: { summary: 'Whether a second factor is on', tags, response: { 200: SecondFactorAnswer } },
      preValidation,
    },
    async (request) => {
      const data = await service.status(sessionCallerOf(request))
      return { success: true, message: data.enabled ? SECOND_FACTOR_TEXTS.on : SECOND_FACTOR_TEXTS.notOn, data }
    },
  )

  app.post(
    '/auth/second-factor',
    {
      schema: {
        summary: 'A secret for an authenticator app, not in force yet',
        tags,
        response: { 200: ProposedSecondFactorAnswer },
      },
      preValidation,
      preHandler,
    },
    async (request, reply) => {
      await hooks.assertProved(request)
      reply.header('Cache-Control', 'no-store')
      const data = await service.propose(sessionCallerOf(request))
      return { success: true, message: SECOND_FACTOR_TEXTS.proposed, data }
    },
  )

  app.post(
    '/auth/second-factor/confirm',
    {
      schema: {
        summary: 'Put the second factor in force with a code of the app',
        tags,
        body: CodeBody,
        response: { 200: RecoveryCodesAnswer },
      },
      preValidation,
      preHandler,
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const recoveryCodes = await service.confirm(sessionCallerOf(request), request.body.code, visitorOf(request))
      return { success: true, message: SECOND_FACTOR_TEXTS.turnedOn, data: { recoveryCodes } }
    },
  )
}

/** What asks for the password beside the code. */
function addPasswordRoutes(
  app: App,
  { service, ownAccount }: SecondFactorRoutesDeps,
  { preValidation, preHandler, judged }: Guards,
): void {
  app.post(
    '/auth/second-factor/codes',
    {
      schema: {
        summary: 'Make new recovery codes; the old ones no longer count',
        tags,
        body: NewRecoveryCodesBody,
        response: { 200: RecoveryCodesAnswer },
      },
      preValidation,
      preHandler,
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const [caller, visitor] = [sessionCallerOf(request), visitorOf(request)]
      await judged(request, () => ownAccount.assertOwnPassword(caller, request.body.password, visitor))
      const recoveryCodes = await service.renewCodes(caller, request.body.code, visitor)
      return { success: true, message: SECOND_FACTOR_TEXTS.codesRenewed, data: { recoveryCodes } }
    },
  )

  app.post(
    '/auth/second-factor/off',
    {
      schema: {
        summary: 'Turn the second factor off',
        tags,
        body: TurnOffSecondFactorBody,
        response: { 200: Answer },
      },
      preValidation,
      preHandler,
    },
    async (request) => {
      const [caller, visitor] = [sessionCallerOf(request), visitorOf(request)]
      await judged(request, () => ownAccount.assertOwnPassword(caller, request.body.password, visitor))
      await service.turnOff(caller, request.body.code, visitor)
      return { success: true, message: SECOND_FACTOR_TEXTS.turnedOff }
    },
  )
}
