import {
  AnalyticsBroadcastsAnswer,
  AnalyticsSummaryAnswer,
  BroadcastStoryAnswer,
  MonthlyReportAnswer,
  ReportMailAnswer,
  ReportMailBody,
  SeriesAnswer,
} from '@siarin/contracts/analytics'
import {
  AnalyticsBroadcastsQuery,
  AnalyticsCsvQuery,
  AnalyticsRangeQuery,
  ReportQuery,
  SeriesQuery,
} from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { AnalyticsService } from './analytics.service.ts'

interface AnalyticsRoutesDeps {
  service: AnalyticsService
  hooks: CallerHooks
}

const tags = ['analytics']

export const analyticsRoutes = (deps: AnalyticsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addOverviewRoutes(app, deps)
    addStoryRoutes(app, deps)
    addFileRoutes(app, deps)
    addReportRoutes(app, deps)
  }

function addOverviewRoutes(app: App, { service, hooks }: AnalyticsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/analytics/summary',
    {
      schema: {
        summary: 'Hours on air, per cent on air and incidents of some days',
        tags,
        querystring: AnalyticsRangeQuery,
        response: { 200: AnalyticsSummaryAnswer },
      },
      preValidation,
    },
    async (request) => {
      const data = await service.summary(callerOf(request), request.query)
      return { success: true, message: ANALYTICS_TEXTS.summary, data }
    },
  )

  app.get(
    '/fitur/analytics/broadcasts',
    {
      schema: {
        summary: 'Broadcasts of some days, newest first, with their figures',
        tags,
        querystring: AnalyticsBroadcastsQuery,
        response: { 200: AnalyticsBroadcastsAnswer },
      },
      preValidation,
    },
    async (request) => {
      const { data, nextCursor } = await service.list(callerOf(request), request.query)
      return { success: true, message: ANALYTICS_TEXTS.found(data.length), data, nextCursor }
    },
  )
}

function addStoryRoutes(app: App, { service, hooks }: AnalyticsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/analytics/broadcast/:id',
    {
      schema: {
        summary: 'All that is known of one broadcast, on one time line',
        tags,
        params: z.object({ id: z.string().max(100) }),
        response: { 200: BroadcastStoryAnswer },
      },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => {
      const data = await service.story(callerOf(request), request.params.id)
      return { success: true, message: ANALYTICS_TEXTS.story, data }
    },
  )

  app.get(
    '/fitur/analytics/series',
    {
      schema: {
        summary: 'Bitrate, frame rate, speed and unsent bytes of one stream over time',
        tags,
        querystring: SeriesQuery,
        response: { 200: SeriesAnswer },
      },
      preValidation,
    },
    async (request) => {
      const data = await service.series(callerOf(request), request.query)
      return { success: true, message: ANALYTICS_TEXTS.series(data.at.length), data }
    },
  )
}

/** What a browser loads by itself. */
function addFileRoutes(app: App, { service, hooks }: AnalyticsRoutesDeps): void {
  app.get(
    '/fitur/analytics/csv',
    {
      schema: { summary: 'Figures of some days as CSV', tags, querystring: AnalyticsCsvQuery },
      preValidation: hooks.requireWatcher,
    },
    async (request, reply) => {
      const { name, body } = await service.csv(callerOf(request), request.query)
      return reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .header('Cache-Control', 'no-store')
        .send(body)
    },
  )

  app.get(
    '/fitur/analytics/live',
    {
      schema: { summary: 'Figures of own streams as server-sent events, every five seconds', tags },
      preValidation: hooks.requireWatcher,
      config: { uncounted: true },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      await service.assertLive(caller)
      // Its head alone: a feed has no end, and without a body nobody would see one.
      if (request.method === 'HEAD') return reply.type('text/event-stream; charset=utf-8').send()
      reply.hijack()
      service.feed({
        caller,
        request: request.raw,
        response: reply.raw,
        async assertStill() {
          await hooks.assertWatcher(request)
          await service.assertLive(caller)
        },
      })
    },
  )
}

function addReportRoutes(app: App, { service, hooks }: AnalyticsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/analytics/report',
    {
      schema: {
        summary: 'The figures of one month, to print',
        tags,
        querystring: ReportQuery,
        response: { 200: MonthlyReportAnswer },
      },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => {
      const data = await service.report(callerOf(request), request.query)
      return { success: true, message: ANALYTICS_TEXTS.report, data }
    },
  )

  app.get(
    '/fitur/analytics/report-mail',
    {
      schema: { summary: 'Whether the monthly report goes out by e-mail', tags, response: { 200: ReportMailAnswer } },
      preValidation,
    },
    async (request) => {
      const data = await service.reportMail.find(callerOf(request))
      return { success: true, message: ANALYTICS_TEXTS.reportMail, data }
    },
  )

  app.put(
    '/fitur/analytics/report-mail',
    {
      schema: {
        summary: 'Switch the monthly report by e-mail on or off',
        tags,
        body: ReportMailBody,
        response: { 200: ReportMailAnswer },
      },
      preValidation,
    },
    async (request) => {
      const data = await service.reportMail.change(callerOf(request), request.body)
      const message = data.on ? ANALYTICS_TEXTS.reportMailOn : ANALYTICS_TEXTS.reportMailOff
      return { success: true, message, data }
    },
  )
}
