import { z } from 'zod'
import { BROADCAST_TEXTS } from '../broadcast-texts.ts'
import { AddTargetsBody, MOST_TARGETS, TargetBody } from '../broadcasts.ts'
import { PLATFORMS } from '../platforms.ts'
import { StartStreamBody } from '../streams.ts'
import { STREAM_TEXTS } from '../texts.ts'
import { SCHEDULE_TEXTS } from './schedule-texts.ts'

const { platform, ...oneTarget } = StartStreamBody.shape
const BOTH = { error: SCHEDULE_TEXTS.targetsTwice, path: ['targets'] }

interface WhereTo {
  readonly platform?: unknown
  readonly rtmpStream: string
  readonly targetOf?: string | undefined
  readonly targets?: unknown
}

/** Two ways to say where to: mixed, nobody would know which one counts. */
const isOneWay = ({ platform, rtmpStream, targetOf, targets }: WhereTo): boolean =>
  targets === undefined || (platform === undefined && !rtmpStream && !targetOf)

/** What is started: one target as `POST /fitur/steam/start` takes it, or `targets` as `POST /fitur/broadcast` does. */
export const ScheduledStartBody = z
  .object(
    { ...oneTarget, platform: platform.optional(), targets: AddTargetsBody.shape.targets.optional() },
    { error: SCHEDULE_TEXTS.broadcastInvalid },
  )
  .refine(isOneWay, BOTH)
  .refine(({ platform, targets }) => platform || targets, { error: STREAM_TEXTS.platformUnknown, path: ['platform'] })
  .refine(({ rtmpStream, targetOf, targets }) => rtmpStream || targetOf || targets, {
    error: STREAM_TEXTS.keyRequired,
    path: ['rtmpStream'],
  })
export type ScheduledStartBody = z.infer<typeof ScheduledStartBody>

/** The same for a schedule that has its keys already: what is left out stays as it is. */
export const ScheduledStartChange = z
  .object(
    {
      ...oneTarget,
      platform: platform.optional(),
      targets: z
        .array(
          z
            .object(TargetBody.shape, { error: BROADCAST_TEXTS.targetInvalid })
            .refine(({ targetId, platform }) => targetId || platform, {
              error: STREAM_TEXTS.platformUnknown,
              path: ['platform'],
            }),
          { error: BROADCAST_TEXTS.targetsRequired },
        )
        .min(1, BROADCAST_TEXTS.targetsRequired)
        .max(MOST_TARGETS, BROADCAST_TEXTS.targetsTooMany(MOST_TARGETS))
        .optional(),
    },
    { error: SCHEDULE_TEXTS.broadcastInvalid },
  )
  .refine(isOneWay, BOTH)
  .refine(({ platform, rtmpStream, targetOf }) => platform || !(rtmpStream || targetOf), {
    error: STREAM_TEXTS.platformUnknown,
    path: ['platform'],
  })
export type ScheduledStartChange = z.infer<typeof ScheduledStartChange>

/** Where a scheduled broadcast goes, without its key. */
export const ScheduledTarget = z.object({
  /** Null: it was typed. */
  targetId: z.string().nullable(),
  name: z.string().nullable(),
  platform: z.enum(PLATFORMS),
  /** It was stored, and its owner has deleted it since: nothing starts until the schedule names another. */
  deleted: z.boolean(),
})
export type ScheduledTarget = z.infer<typeof ScheduledTarget>
