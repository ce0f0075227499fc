import { randomUUID } from 'node:crypto'
import { hasOverlaps } from '@siarin/contracts/schedules/overlapping-windows'
import { nextOccurrence, occurrencesBetween } from '@siarin/contracts/schedules/recurrence'
import { EXCEPTIONS_MAX, type ScheduleRule, WINDOW_MINUTES_MAX } from '@siarin/contracts/schedules/schedule-rule'
import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import type { ScheduledStartChange } from '@siarin/contracts/schedules/scheduled-start'
import {
  type ChangeScheduleBody,
  type CreateScheduleBody,
  SCHEDULES_MAX,
  type Schedule,
  type SkipDateBody,
} from '@siarin/contracts/schedules/schedules'
import { dayNumber } from '@siarin/contracts/schedules/wall-time'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { mapInSteps } from '../../platform/small-steps.ts'
import type { Caller } from '../identity/caller.ts'
import type { ScheduledBroadcasts } from './fire-occurrence.ts'
import { DAY_MS } from './plan-occurrences.ts'
import { type TargetNames, targetIdsOf, toSchedule } from './schedule-views.ts'
import { type PagePlace, ruleOf, type ScheduleRow, type SchedulesRepo, UNCHANGED } from './schedules.repo.ts'
import type { createStartPermit } from './start-permit.ts'
import {
  openRequest,
  replaceRequest,
  requestOf,
  type ScheduledRequest,
  sealRequest,
  withNames,
  withPins,
} from './start-request.ts'

interface SchedulesServiceDeps {
  repo: SchedulesRepo
  broadcasts: Pick<ScheduledBroadcasts, 'specify'>
  permit: ReturnType<typeof createStartPermit>
  /** What those of these stored targets are called that are still there. */
  targetNames: (workspaceId: string, ids: readonly string[]) => Promise<TargetNames>
  sealer: Sealer
  clock: Clock
  /** There may be something to do now. */
  wake: () => void
}

export type SchedulesService = ReturnType<typeof createSchedulesService>

const notFound = (): DomainError => new DomainError('not_found', SCHEDULE_TEXTS.notFound)
const changedMeanwhile = (): DomainError => new DomainError('schedule_changed', SCHEDULE_TEXTS.changedMeanwhile)
const invalid = (message: string): DomainError => new DomainError('schedule_invalid', message)

export function createSchedulesService(deps: SchedulesServiceDeps) {
  const { repo, broadcasts, permit, sealer, clock, wake } = deps
  const { view, viewOne } = createViews(deps)

  async function own(caller: Caller, id: string): Promise<ScheduleRow> {
    const row = await repo.ofWorkspace(id, caller.workspaceId)
    if (!row) throw notFound()
    return row
  }

  async function assertGood(caller: Caller, rule: ScheduleRule, isDueFrom: typeof nextOccurrence | typeof isOpen) {
    await permit.assertPlanHas(caller.workspaceId, rule)
    if (hasOverlaps(rule)) throw invalid(SCHEDULE_TEXTS.overlaps)
    if (!isDueFrom(rule, clock.now())) throw invalid(SCHEDULE_TEXTS.neverDue)
  }

  /** Refuses what could not be started even now, but for a video that is still being prepared. */
  const specify = (caller: Caller, request: ScheduledRequest) =>
    broadcasts.specify(caller, { ...request, whenReady: true })

  async function change(caller: Caller, id: string, wanted: Parameters<SchedulesRepo['change']>[2]): Promise<Schedule> {
    const row = await repo.change(id, caller.workspaceId, wanted, clock.now())
    if (!row) throw notFound()
    wake()
    return viewOne(row)
  }

  async function changedRequest(caller: Caller, row: ScheduleRow, given: ScheduledStartChange): Promise<string> {
    const request = replaceRequest(openRequest(sealer, row.request_sealed), given)
    const spec = await specify(caller, request)
    return sealRequest(sealer, withPins(withNames(request, spec.targets), spec.source))
  }

  return {
    async list(caller: Caller, behind: PagePlace | null, most: number) {
      const rows = await repo.page(caller.workspaceId, behind, most + 1)
      const shown = rows.slice(0, most)
      const last = rows.length > most ? shown.at(-1) : undefined
      return {
        data: await view(caller.workspaceId, shown),
        next: last ? { createdAt: last.created_at, id: last.id } : null,
      }
    },
    async find(caller: Caller, id: string): Promise<Schedule> {
      return viewOne(await own(caller, id))
    },
    async create(caller: Caller, { title, rule, endAtPass, broadcast }: CreateScheduleBody): Promise<Schedule> {
      await assertGood(caller, rule, nextOccurrence)
      const request = requestOf(broadcast)
      const spec = await specify(caller, request)
      const now = clock.now()
      const row = {
        id: randomUUID(),
        user_id: caller.workspaceId,
        title: title || spec.title || spec.source.source,
        rule: JSON.stringify(rule),
        end_at_pass: endAtPass ? 1 : 0,
        request_sealed: sealRequest(sealer, withPins(withNames(request, spec.targets), spec.source)),
        planned_until: now,
        created_at: now,
      }
      if (!(await repo.insert(row, now))) {
        throw new DomainError('schedule_limit_reached', SCHEDULE_TEXTS.tooMany(SCHEDULES_MAX))
      }
      wake()
      return viewOne({ ...row, ...UNCHANGED })
    },
    async change(caller: Caller, id: string, body: ChangeScheduleBody): Promise<Schedule> {
      const seen = await own(caller, id)
      const { title, rule, endAtPass, broadcast, version } = body
      if (rule) await assertGood(caller, rule, isOpen)
      const request_sealed = broadcast ? await changedRequest(caller, seen, broadcast) : null
      return change(caller, id, (row) => {
        // Without a version, what others have changed meanwhile stays; but a request is made out of the one that was seen.
        const isStale = request_sealed !== null && row.request_sealed !== seen.request_sealed
        if (isStale || (version !== undefined && row.revision !== version)) throw changedMeanwhile()
        return {
          ...(title && { title }),
          ...(rule && { rule: JSON.stringify(rule) }),
          ...(endAtPass !== undefined && { end_at_pass: endAtPass ? 1 : 0 }),
          ...(request_sealed && { request_sealed }),
        }
      })
    },
    /** One date on the wall of the schedule's zone. */
    async skip(caller: Caller, id: string, body: SkipDateBody): Promise<Schedule> {
      return change(caller, id, (row) => ({ rule: JSON.stringify(withException(ruleOf(row), body)) }))
    },
    async pause(caller: Caller, id: string): Promise<Schedule> {
      return change(caller, id, { paused_at: clock.now() })
    },
    async resume(caller: Caller, id: string): Promise<Schedule> {
      await permit.assertPlanHas(caller.workspaceId, ruleOf(await own(caller, id)))
      return change(caller, id, { paused_at: null })
    },
    async remove(caller: Caller, id: string): Promise<void> {
      if (!(await repo.remove(id, caller.workspaceId, clock.now()))) throw notFound()
    },
  }
}

const TOLD_PER_STEP = 10

/** What is told of schedules, with the names that their targets have now. */
function createViews({ targetNames, sealer, clock }: Pick<SchedulesServiceDeps, 'targetNames' | 'sealer' | 'clock'>) {
  async function view(workspaceId: string, rows: readonly ScheduleRow[]): Promise<Schedule[]> {
    const opened = await mapInSteps(rows, TOLD_PER_STEP, (row) => ({
      row,
      request: openRequest(sealer, row.request_sealed),
    }))
    const names = await targetNames(workspaceId, targetIdsOf(opened.map(({ request }) => request)))
    return mapInSteps(opened, TOLD_PER_STEP, ({ row, request }) =>
      toSchedule(row, request, { now: clock.now(), names }),
    )
  }
  return {
    view,
    async viewOne(row: ScheduleRow): Promise<Schedule> {
      const [shown] = await view(row.user_id, [row])
      if (!shown) throw notFound()
      return shown
    },
  }
}

/** One that is on air, and never due again, can still get another end. */
const isOpen = (rule: ScheduleRule, now: number): boolean =>
  nextOccurrence(rule, now) !== null ||
  occurrencesBetween(rule, now - WINDOW_MINUTES_MAX * 60_000, now).some(({ endsAt }) => endsAt === null || endsAt > now)

/** The rule without this date, or with it after all. */
function withException(rule: ScheduleRule, { date, skip }: SkipDateBody): ScheduleRule {
  const around = dayNumber(date) * DAY_MS
  const those = occurrencesBetween(rule, around - 2 * DAY_MS, around + 3 * DAY_MS)
  if (!those.some((each) => each.date === date)) throw invalid(SCHEDULE_TEXTS.notThatDay)
  const others = rule.exceptions.filter((each) => each !== date)
  if (skip && others.length >= EXCEPTIONS_MAX) throw invalid(SCHEDULE_TEXTS.tooManyExceptions)
  return { ...rule, exceptions: skip ? [...others, date].sort() : others }
}
