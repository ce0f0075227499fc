import { Answer } from '@siarin/contracts/answers'
import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import {
  ChangeScheduleBody,
  CreateScheduleBody,
  ScheduleAnswer,
  ScheduleListAnswer,
  ScheduleListQuery,
  SkipDateBody,
  UpcomingAnswer,
  UpcomingQuery,
} from '@siarin/contracts/schedules/schedules'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { PagePlace } from './schedules.repo.ts'
import type { SchedulesService } from './schedules.service.ts'
import type { createUpcoming } from './upcoming.ts'

interface SchedulesRoutesDeps {
  service: SchedulesService
  upcoming: ReturnType<typeof createUpcoming>
  hooks: CallerHooks
}

const tags = ['schedule']
const byId = z.object({ id: z.string().max(100) })

export const schedulesRoutes = (deps: SchedulesRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addReadingRoutes(app, deps)
    addChangingRoutes(app, deps)
    addPausingRoutes(app, deps)
  }

/** All but its name: a stolen session could have something else go on air, or at another time. */
const changesWhatIsSeen = ({ rule, endAtPass, broadcast }: ChangeScheduleBody): boolean =>
  [rule, endAtPass, broadcast].some((value) => value !== undefined)

const cursorOf = ({ createdAt, id }: PagePlace): string => Buffer.from(`${createdAt} ${id}`).toString('base64url')

function placeOf(cursor: string): PagePlace {
  const [, at, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new DomainError('schedule_invalid', SCHEDULE_TEXTS.cursorInvalid)
  return { createdAt: Number(at), id }
}

function addReadingRoutes(app: App, { service, upcoming, hooks }: SchedulesRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/schedule',
    {
      schema: {
        summary: 'Own schedules, newest first',
        tags,
        querystring: ScheduleListQuery,
        response: { 200: ScheduleListAnswer },
      },
      preValidation,
    },
    async (request) => {
      const { cursor, limit } = request.query
      const { data, next } = await service.list(callerOf(request), cursor ? placeOf(cursor) : null, limit)
      return { success: true, message: SCHEDULE_TEXTS.found(data.length), data, nextCursor: next && cursorOf(next) }
    },
  )

  app.get(
    '/fitur/schedule/upcoming',
    {
      schema: {
        summary: 'What is due in a stretch of time, of all own schedules',
        tags,
        querystring: UpcomingQuery,
        response: { 200: UpcomingAnswer },
      },
      preValidation,
    },
    async (request) => {
      const { data, more } = await upcoming(callerOf(request).workspaceId, request.query)
      return { success: true, message: SCHEDULE_TEXTS.upcoming(data.length), data, more }
    },
  )

  app.get(
    '/fitur/schedule/:id',
    { schema: { summary: 'One schedule', tags, params: byId, response: { 200: ScheduleAnswer } }, preValidation },
    async (request) => {
      const data = await service.find(callerOf(request), request.params.id)
      return { success: true, message: SCHEDULE_TEXTS.one, data }
    },
  )
}

function addChangingRoutes(app: App, { service, hooks }: SchedulesRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.post(
    '/fitur/schedule',
    {
      schema: { summary: 'Schedule a broadcast', tags, body: CreateScheduleBody, response: { 200: ScheduleAnswer } },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // It starts long after a stolen session has ended, also where its key was typed.
      await hooks.assertProved(request)
      const data = await service.create(callerOf(request), request.body)
      return { success: true, message: SCHEDULE_TEXTS.created, data }
    },
  )

  app.patch(
    '/fitur/schedule/:id',
    {
      schema: {
        summary: 'Change a schedule',
        tags,
        params: byId,
        body: ChangeScheduleBody,
        response: { 200: ScheduleAnswer },
      },
      preValidation,
    },
    async (request) => {
      if (changesWhatIsSeen(request.body)) await hooks.assertProved(request)
      const data = await service.change(callerOf(request), request.params.id, request.body)
      return { success: true, message: SCHEDULE_TEXTS.changed, data }
    },
  )

  app.delete(
    '/fitur/schedule/:id',
    { schema: { summary: 'Delete a schedule', tags, params: byId, response: { 200: Answer } }, preValidation },
    async (request) => {
      await service.remove(callerOf(request), request.params.id)
      return { success: true, message: SCHEDULE_TEXTS.deleted }
    },
  )
}

function addPausingRoutes(app: App, { service, hooks }: SchedulesRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.post(
    '/fitur/schedule/:id/skip',
    {
      schema: {
        summary: 'Skip one date of a schedule',
        tags,
        params: byId,
        body: SkipDateBody,
        response: { 200: ScheduleAnswer },
      },
      preValidation,
    },
    async (request) => {
      // To leave a date out needs no proof, as no stop does.
      if (!request.body.skip) await hooks.assertProved(request)
      const data = await service.skip(callerOf(request), request.params.id, request.body)
      const message = request.body.skip ? SCHEDULE_TEXTS.skipped : SCHEDULE_TEXTS.unskipped
      return { success: true, message, data }
    },
  )

  app.post(
    '/fitur/schedule/:id/pause',
    { schema: { summary: 'Pause a schedule', tags, params: byId, response: { 200: ScheduleAnswer } }, preValidation },
    async (request) => {
      const data = await service.pause(callerOf(request), request.params.id)
      return { success: true, message: SCHEDULE_TEXTS.paused, data }
    },
  )

  app.post(
    '/fitur/schedule/:id/resume',
    { schema: { summary: 'Resume a schedule', tags, params: byId, response: { 200: ScheduleAnswer } }, preValidation },
    async (request) => {
      await hooks.assertProved(request)
      const data = await service.resume(callerOf(request), request.params.id)
      return { success: true, message: SCHEDULE_TEXTS.resumed, data }
    },
  )
}
