import { Answer } from '@siarin/contracts/answers'
import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import {
  AddedTargetsAnswer,
  AddTargetsBody,
  BroadcastAnswer,
  BroadcastsAnswer,
  BroadcastsQuery,
  StartBroadcastBody,
  StartedBroadcastAnswer,
} from '@siarin/contracts/broadcasts'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import type { App } from '../../../http/types.ts'
import { callerOf } from '../../identity/caller.ts'
import type { CallerHooks } from '../../identity/caller-hooks.ts'
import type { BroadcastsService } from './broadcasts.service.ts'
import type { WithinStarts } from './start-limit.ts'

interface BroadcastsRoutesDeps {
  broadcasts: BroadcastsService
  hooks: CallerHooks
  withinStarts: WithinStarts
}

const TAGS = ['broadcast']
const OneBroadcast = z.object({ id: z.string().max(100) })
const OneTarget = OneBroadcast.extend({ streamId: z.string().max(100) })

/** A target that is kept here is not typed, so a stolen session could send to it. */
const areTyped = (targets: AddTargetsBody['targets']): boolean =>
  targets.every(({ targetId, rtmpStream }) => !targetId && rtmpStream)

/** Broadcasts as a resource, each with its streams. */
export function addBroadcastRoutes(app: App, deps: BroadcastsRoutesDeps): void {
  addReadingRoutes(app, deps)
  addStartAndStop(app, deps)
  addTargetRoutes(app, deps)
}

function addReadingRoutes(app: App, { broadcasts, hooks }: BroadcastsRoutesDeps): void {
  app.get(
    '/fitur/broadcast',
    {
      schema: {
        summary: 'Broadcasts on air or on their way, newest first',
        tags: TAGS,
        querystring: BroadcastsQuery,
        response: { 200: BroadcastsAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => {
      const page = await broadcasts.list(callerOf(request), request.query)
      const count = page.broadcasts.length
      return { success: true, message: count === 0 ? BROADCAST_TEXTS.none : BROADCAST_TEXTS.found(count), ...page }
    },
  )

  app.get(
    '/fitur/broadcast/:id',
    {
      schema: {
        summary: 'A broadcast with its streams, of those that have ended the last 20',
        tags: TAGS,
        params: OneBroadcast,
        response: { 200: BroadcastAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
    },
    async (request) => ({
      success: true,
      message: BROADCAST_TEXTS.shown,
      broadcast: await broadcasts.show(callerOf(request), request.params.id),
    }),
  )
}

function addStartAndStop(app: App, { broadcasts, hooks, withinStarts }: BroadcastsRoutesDeps): void {
  app.post(
    '/fitur/broadcast',
    {
      schema: {
        summary: 'Go live to one or more targets',
        tags: TAGS,
        body: StartBroadcastBody,
        response: { 200: StartedBroadcastAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
      config: { adds: true },
    },
    async (request) => {
      if (!areTyped(request.body.targets)) await hooks.assertProved(request)
      const caller = callerOf(request)
      const { broadcastId, streamIds, awaitsVideo } = await withinStarts(
        caller.userId,
        request.body.targets.length,
        () => broadcasts.start(caller, request.body),
      )
      const message = awaitsVideo ? STREAM_TEXTS.startsWhenReady : BROADCAST_TEXTS.started(streamIds.length)
      return { success: true, message, broadcastId, streamIds }
    },
  )

  app.post(
    '/fitur/broadcast/:id/stop',
    {
      schema: {
        summary: 'Stop a broadcast with all of its streams',
        tags: TAGS,
        params: OneBroadcast,
        response: { 200: Answer },
      },
      preValidation: hooks.requireKeyOrSession,
      config: { uncounted: true, urgent: true },
    },
    async (request) => {
      const outcome = await broadcasts.stop(callerOf(request), request.params.id)
      return { success: true, message: STREAM_TEXTS[outcome] }
    },
  )
}

function addTargetRoutes(app: App, { broadcasts, hooks, withinStarts }: BroadcastsRoutesDeps): void {
  app.post(
    '/fitur/broadcast/:id/targets',
    {
      schema: {
        summary: 'Send a running broadcast to further targets',
        tags: TAGS,
        params: OneBroadcast,
        body: AddTargetsBody,
        response: { 200: AddedTargetsAnswer },
      },
      preValidation: hooks.requireKeyOrSession,
      config: { adds: true },
    },
    async (request) => {
      if (!areTyped(request.body.targets)) await hooks.assertProved(request)
      const caller = callerOf(request)
      const streamIds = await withinStarts(caller.userId, request.body.targets.length, () =>
        broadcasts.addTargets(caller, request.params.id, request.body),
      )
      return { success: true, message: BROADCAST_TEXTS.added(streamIds.length), streamIds }
    },
  )

  app.delete(
    '/fitur/broadcast/:id/targets/:streamId',
    {
      schema: {
        summary: 'Take a target from a running broadcast',
        tags: TAGS,
        params: OneTarget,
        response: { 200: Answer },
      },
      preValidation: hooks.requireKeyOrSession,
      config: { uncounted: true, urgent: true },
    },
    async (request) => {
      const { id, streamId } = request.params
      const outcome = await broadcasts.removeTarget(callerOf(request), id, streamId)
      const message =
        outcome === 'stopped'
          ? BROADCAST_TEXTS.removed
          : outcome === 'stopping'
            ? BROADCAST_TEXTS.removing
            : STREAM_TEXTS[outcome]
      return { success: true, message }
    },
  )
}
