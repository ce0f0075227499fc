import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import {
  AlertListAnswer,
  AlertSettings,
  AlertSettingsAnswer,
  ListAlertsQuery,
  ReadAllBody,
  UnreadAnswer,
} from '@siarin/contracts/alerts'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { AlertsService } from './alerts.service.ts'

interface AlertsRoutesDeps {
  service: AlertsService
  hooks: CallerHooks
}

const tags = ['alert']
const byId = z.object({
  id: z.string({ error: ALERT_TEXTS.idInvalid }).regex(/^\d{1,15}$/, ALERT_TEXTS.idInvalid),
})

export const alertsRoutes = (deps: AlertsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addBellRoutes(app, deps)
    addReadRoutes(app, deps)
    addSettingsRoutes(app, deps)
  }

function addBellRoutes(app: App, { service, hooks }: AlertsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/alert',
    {
      schema: {
        summary: 'Own alerts, newest first',
        tags,
        querystring: ListAlertsQuery,
        response: { 200: AlertListAnswer },
      },
      preValidation,
    },
    async (request) => {
      const found = await service.list(callerOf(request), request.query)
      return { success: true, message: ALERT_TEXTS.found(found.data.length), ...found }
    },
  )

  app.get(
    '/fitur/alert/unread',
    { schema: { summary: 'How many alerts are unread', tags, response: { 200: UnreadAnswer } }, preValidation },
    async (request) => {
      const data = await service.unread(callerOf(request))
      return { success: true, message: ALERT_TEXTS.unread(data.unread), data }
    },
  )
}

function addReadRoutes(app: App, { service, hooks }: AlertsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.post(
    '/fitur/alert/:id/read',
    {
      schema: { summary: 'Mark an alert as read', tags, params: byId, response: { 200: UnreadAnswer } },
      preValidation,
    },
    async (request) => {
      const data = await service.read(callerOf(request), request.params.id)
      return { success: true, message: ALERT_TEXTS.unread(data.unread), data }
    },
  )

  app.post(
    '/fitur/alert/read-all',
    {
      schema: { summary: 'Mark alerts as read up to one', tags, body: ReadAllBody, response: { 200: UnreadAnswer } },
      preValidation,
    },
    async (request) => {
      const data = await service.readAll(callerOf(request), request.body.upTo)
      return { success: true, message: ALERT_TEXTS.unread(data.unread), data }
    },
  )
}

function addSettingsRoutes(app: App, { service, hooks }: AlertsRoutesDeps): void {
  const preValidation = hooks.requireKeyOrSession
  app.get(
    '/fitur/alert/settings',
    {
      schema: { summary: 'What is told, where and when', tags, response: { 200: AlertSettingsAnswer } },
      preValidation,
    },
    async (request) => {
      const { data, saved } = await service.settings(callerOf(request))
      return { success: true, message: ALERT_TEXTS.settings, data, saved }
    },
  )

  app.put(
    '/fitur/alert/settings',
    {
      schema: {
        summary: 'Set what is told, where and when',
        tags,
        body: AlertSettings,
        response: { 200: AlertSettingsAnswer },
      },
      preValidation,
    },
    async (request) => {
      await service.saveSettings(callerOf(request), request.body)
      return { success: true, message: ALERT_TEXTS.settingsSaved, data: request.body, saved: true }
    },
  )
}
