import { Answer } from '@siarin/contracts/answers'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import {
  AddTargetBody,
  ChangedTargetAnswer,
  ChangeTargetBody,
  ListTargetsQuery,
  TargetAnswer,
  TargetListAnswer,
  TargetTestAnswer,
} from '@siarin/contracts/targets'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import { createLimiter, PLATFORM_LIMITS } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { TargetTests } from './target-tests.ts'
import { changesWhereTo, type TargetsService } from './targets.service.ts'

interface TargetsRoutesDeps {
  service: TargetsService
  tests: Pick<TargetTests, 'test'>
  hooks: CallerHooks
}

const tags = ['target']
const params = z.object({ id: z.string() })

export const targetsRoutes = (deps: TargetsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addListRoutes(app, deps)
    addOneRoutes(app, deps)
    addTestRoute(app, deps)
  }

function addListRoutes(app: App, { service, hooks }: TargetsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  const limit = createLimiter(
    app,
    'target-add',
    PLATFORM_LIMITS.addPerUser,
    (request) => callerOf(request).userId,
    () => ONLINE_TEXTS.tooMany,
  )

  app.get(
    '/fitur/target',
    {
      schema: {
        summary: 'Stored targets, by name',
        tags,
        querystring: ListTargetsQuery,
        response: { 200: TargetListAnswer },
      },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => {
      const { targets, nextCursor } = await service.list(callerOf(request), request.query)
      const message = targets.length > 0 ? TARGET_TEXTS.found(targets.length) : TARGET_TEXTS.none
      return { success: true, message, data: targets, nextCursor }
    },
  )

  app.post(
    '/fitur/target',
    {
      schema: { summary: 'Store a target', tags, body: AddTargetBody, response: { 200: TargetAnswer } },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      await limit(request)
      const data = await service.add(callerOf(request), request.body, visitorOf(request))
      return { success: true, message: TARGET_TEXTS.added, data }
    },
  )
}

function addOneRoutes(app: App, { service, hooks }: TargetsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession

  app.get(
    '/fitur/target/:id',
    { schema: { summary: 'A stored target', tags, params, response: { 200: TargetAnswer } }, preValidation },
    async (request) => {
      const data = await service.get(callerOf(request), request.params.id)
      return { success: true, message: TARGET_TEXTS.one, data }
    },
  )

  app.patch(
    '/fitur/target/:id',
    {
      schema: {
        summary: 'Change a stored target',
        tags,
        params,
        body: ChangeTargetBody,
        response: { 200: ChangedTargetAnswer },
      },
      preValidation,
    },
    async (request) => {
      // A stolen session could send the stored key, or the owner's next broadcast, elsewhere.
      if (changesWhereTo(request.body)) await hooks.assertProved(request)
      const changed = await service.change(callerOf(request), request.params.id, request.body, visitorOf(request))
      const message = changed.usedOnAir ? TARGET_TEXTS.changedOnAir : TARGET_TEXTS.changed
      return { success: true, message, ...changed }
    },
  )

  app.delete(
    '/fitur/target/:id',
    { schema: { summary: 'Delete a stored target', tags, params, response: { 200: Answer } }, preValidation },
    async (request) => {
      await service.remove(callerOf(request), request.params.id, visitorOf(request))
      return { success: true, message: TARGET_TEXTS.removed }
    },
  )
}

function addTestRoute(app: App, { tests, hooks }: TargetsRoutesDeps): void {
  const limit = createLimiter(
    app,
    'target-test',
    PLATFORM_LIMITS.testPerUser,
    (request) => callerOf(request).userId,
    () => TARGET_TEXTS.tooManyTests,
  )

  app.post(
    '/fitur/target/:id/test',
    {
      schema: {
        summary: 'Send a few seconds of a test picture to a stored target',
        tags,
        params,
        response: { 200: TargetTestAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      // Nobody types this key.
      await hooks.assertProved(request)
      await limit(request)
      const data = await tests.test(callerOf(request), request.params.id, visitorOf(request))
      return { success: true, message: data.message, data }
    },
  )
}
