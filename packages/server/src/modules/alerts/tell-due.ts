import { steadyMs, watchForSteps } from '../../platform/clock.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import { type DueRows, dueRows } from '../../platform/due-rows.ts'
import { holdPlace } from '../../platform/outbox/fact-reader.ts'
import type { Timings } from '../../platform/timings.ts'
import { decideStream, type StreamIncident } from './alert-rules.ts'
import { createDueGate } from './due-gate.ts'
import { incidentsRepo } from './incidents.repo.ts'
import { settingsRepo } from './settings.repo.ts'
import { type TellDeps, tellFound } from './take-facts.ts'

interface TellDueDeps extends TellDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly timings: Pick<Timings, 'alerts'>
  /** Under which name facts are read: they come first. */
  readonly readerName: string
  readonly onTold: () => void
  /** No other program tells alerts of this database, so this one may correct times when the clock is set. */
  readonly isAlone: boolean
  readonly hasDiskRoom: () => boolean
}

const AT_ONCE = 4
const AGAIN_MS = 200
const LONGEST_MS = 10_000

/** Tells what follows from time alone: that a broadcast has been off air for too long. When, is in the incident's row. */
export function createTellDue(deps: TellDueDeps): DueRows {
  const { db, clock, log, readerName, onTold, isAlone, hasDiskRoom } = deps
  const gate = createDueGate({ ...deps, tables: ['alert_incidents'] })
  const clockStep = watchForSteps(clock, steadyMs)

  async function claim(most: number): Promise<{ id: string }[]> {
    const byMs = isAlone ? clockStep() : 0
    if (byMs !== 0) await shiftAll(byMs)
    if (gate.isClosed() || !hasDiskRoom()) return []
    const version = gate.version()
    const due = await incidentsRepo.due(db, clock.now(), most)
    if (due.length === 0) gate.looked(version, await incidentsRepo.nextAt(db))
    return due
  }

  const shiftAll = (byMs: number) =>
    db.transaction().execute(async (inside) => {
      await holdPlace(inside, readerName)
      await incidentsRepo.shift(inside, byMs)
    })

  /** False: there are facts of its owner to be taken first, and one of them may say that it is over. */
  async function handle({ id }: { id: string }): Promise<boolean> {
    const done = await db.transaction().execute(async (inside) => {
      const factsWaitOf = await holdPlace(inside, readerName)
      const incident = (await incidentsRepo.byIds(inside, [id])).get(id)
      // Somebody else was quicker.
      if (!incident || incident.dueAt === null || incident.dueAt > clock.now()) return true
      if (await factsWaitOf(incident.userId)) return false
      const settingsOf = await settingsRepo.of(inside, [incident.userId])
      const passed = { type: 'time-passed', at: clock.now() } as const
      const before = incident.state as StreamIncident
      const { state, tell, dueAt } = decideStream(before, passed, settingsOf(incident.userId))
      await incidentsRepo.save(inside, { ...incident, state, dueAt }, clock.now())
      const subject = { userId: incident.userId, subjectKind: 'stream', subjectId: id.slice('stream:'.length) }
      await tellFound(
        inside,
        tell.map((telling) => ({ ...subject, telling })),
        settingsOf,
        deps,
      )
      return true
    })
    if (done) onTold()
    return done
  }

  return dueRows({
    ...{ claim, handle, clock, log },
    idOf: ({ id }) => id,
    backoff: { firstMs: AGAIN_MS, longestMs: LONGEST_MS },
    atOnce: AT_ONCE,
    everyMs: deps.timings.alerts.everyMs,
    complaint: 'alerts could not be told at their time',
  })
}
