import { occurrencesBetween } from '@siarin/contracts/schedules/recurrence'
import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import {
  SCHEDULES_MAX,
  type ScheduledOccurrence,
  UPCOMING_DAYS_MAX,
  type UpcomingQuery,
} from '@siarin/contracts/schedules/schedules'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { mapInSteps, nextStep } from '../../platform/small-steps.ts'
import type { OccurrencesRepo } from './occurrences.repo.ts'
import { DAY_MS } from './plan-occurrences.ts'
import { type ShownOccurrence, type TargetNames, targetIdsOf, toOccurrence, toTargets } from './schedule-views.ts'
import { ruleOf, type ScheduleRow, type SchedulesRepo } from './schedules.repo.ts'
import { openRequest } from './start-request.ts'

interface UpcomingDeps {
  repo: Pick<SchedulesRepo, 'page'>
  occurrences: Pick<OccurrencesRepo, 'between'>
  targetNames: (workspaceId: string, ids: readonly string[]) => Promise<TargetNames>
  sealer: Sealer
  clock: Clock
}

const USUAL_DAYS = 8
const OPENED_PER_STEP = 10
const MOST = 1_000
/** Each tells all targets of its schedule again: of schedules with twenty, fewer are told at once. */
const MOST_TARGETS = 5_000
/** The first step is short: where many are due each day, it has them all. Further ones are longer, for those who have few. */
const FIRST_STEP_MS = DAY_MS
const LONGEST_STEP_MS = 8 * DAY_MS
/** Within these years every date is written with four digits. */
const FIRST_MS = Date.UTC(2000, 0)
const LAST_MS = Date.UTC(2200, 0)

/** What is due in a stretch of time: by its rows as far as they are planned, and by the rules from there on. */
export function createUpcoming({ repo, occurrences, targetNames, sealer, clock }: UpcomingDeps) {
  function rangeOf({ from, to }: UpcomingQuery): [number, number] {
    const start = from === undefined ? clock.now() : Date.parse(from)
    const end = to === undefined ? start + USUAL_DAYS * DAY_MS : Date.parse(to)
    const isKnownTime = start >= FIRST_MS && end <= LAST_MS
    if (!(isKnownTime && end > start && end - start <= UPCOMING_DAYS_MAX * DAY_MS)) {
      throw new DomainError('schedule_invalid', SCHEDULE_TEXTS.rangeInvalid)
    }
    return [start, end]
  }

  /** What its occurrences tell of each schedule. */
  async function about(workspaceId: string, schedules: readonly ScheduleRow[]) {
    const opened = await mapInSteps(schedules, OPENED_PER_STEP, (row) => ({
      row,
      request: openRequest(sealer, row.request_sealed),
    }))
    const names = await targetNames(workspaceId, targetIdsOf(opened.map(({ request }) => request)))
    return new Map(
      opened.map(({ row, request }) => [row.id, { title: row.title, targets: toTargets(request, names) }] as const),
    )
  }

  return async function upcoming(workspaceId: string, query: UpcomingQuery) {
    const [from, to] = rangeOf(query)
    const schedules = await repo.page(workspaceId, null, SCHEDULES_MAX)
    const rows = await occurrences.between(workspaceId, from, to, MOST + 1)
    const isLeftOut = resting(schedules, clock.now())
    // With so many rows nothing of what the rules say beyond them would be shown.
    const beyond = rows.length > MOST ? [] : await byRules(schedules, from, to)
    // The planner may be behind with a schedule that it plans again.
    const known = new Set(rows.map(keyOf))
    const found = [...rows, ...beyond.filter((each) => !known.has(keyOf(each)))].sort(
      (one, other) => one.due_at - other.due_at,
    )
    const schedulesById = await about(workspaceId, schedules)
    const data: ScheduledOccurrence[] = []
    let targets = 0
    for (const row of found.slice(0, MOST)) {
      const schedule = schedulesById.get(row.schedule_id)
      // A row is left out where its schedule was deleted.
      if (!schedule || isLeftOut(row)) continue
      targets += schedule.targets.length
      if (targets > MOST_TARGETS) return { data, more: true }
      data.push(toOccurrence(row, schedule))
    }
    return { data, more: found.length > MOST }
  }
}

/** What is planned of a paused schedule does not come. The planner takes it away, later where many were paused together. */
function resting(schedules: readonly ScheduleRow[], now: number): (row: ShownOccurrence) => boolean {
  const paused = new Set(schedules.filter(({ paused_at }) => paused_at !== null).map(({ id }) => id))
  return ({ schedule_id, state, due_at }) =>
    paused.has(schedule_id) && (state === 'due' || (state === 'skipped' && due_at > now))
}

const keyOf = ({ schedule_id, due_at }: ShownOccurrence): string => `${schedule_id} ${due_at}`

/** A few days at a time, and each schedule in a turn of its own: somebody with hundreds of them holds up nobody. */
async function byRules(schedules: readonly ScheduleRow[], from: number, to: number): Promise<ShownOccurrence[]> {
  const found: ShownOccurrence[] = []
  const unplanned = schedules.filter(({ paused_at, planned_until }) => paused_at === null && planned_until < to)
  const rules = await mapInSteps(unplanned, OPENED_PER_STEP, (row) => ({ ...row, rule: ruleOf(row) }))
  let stepMs = FIRST_STEP_MS
  for (
    let start = from;
    start < to && found.length <= MOST;
    start += stepMs, stepMs = Math.min(2 * stepMs, LONGEST_STEP_MS)
  ) {
    for (const { id, rule, planned_until } of rules) {
      const begin = Math.max(start, planned_until)
      const end = Math.min(start + stepMs, to)
      if (begin >= end) continue
      await nextStep()
      found.push(...occurrencesBetween(rule, begin, end).map((each) => toShown(id, each)))
    }
  }
  return found
}

const toShown = (
  scheduleId: string,
  { date, dueAt, endsAt, skipped }: ReturnType<typeof occurrencesBetween>[number],
): ShownOccurrence => ({
  schedule_id: scheduleId,
  wall_date: date,
  due_at: dueAt,
  ends_at: endsAt,
  state: skipped ? 'skipped' : 'due',
  reason: skipped ? 'skipped' : null,
  warning: null,
  broadcast_id: null,
  started_at: null,
})
