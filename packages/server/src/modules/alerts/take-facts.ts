import type { AlertSettings } from '@siarin/contracts/alerts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import { type Decision, decideOnce, decideStream, type StreamIncident, type Telling, type Told } from './alert-rules.ts'
import { type AlertFact, readAlertFact } from './fact-events.ts'
import { incidentIdOf, incidentsRepo } from './incidents.repo.ts'
import { settingsRepo } from './settings.repo.ts'
import { type NewAlert, writeAlerts } from './write-alerts.ts'

/** What people know a stream by. */
interface StreamLabel {
  readonly title: string
  readonly platform: string
  readonly targetName: string | null
}

export interface TellDeps {
  /** Asks through `inside`: the transaction holds the database. One that is gone is left out. */
  readonly labelsOf: (inside: Db, streamIds: readonly string[]) => Promise<ReadonlyMap<string, StreamLabel>>
  readonly clock: Clock
  readonly log: Log
}

/** Something to tell, and about what. */
export interface Found {
  readonly userId: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly telling: Telling
}

/** For the reader of facts: what follows from them, written in its transaction. */
export const createTakeFacts = (deps: TellDeps) =>
  async function takeFacts(inside: Db, facts: readonly ToldFact[]): Promise<void> {
    const known = facts.flatMap((fact) => {
      const meaning = readOrSkip(fact, deps.log)
      return meaning ? [{ fact, meaning, id: incidentIdOf(fact.subjectKind, fact.subjectId) }] : []
    })
    if (known.length === 0) return
    const now = deps.clock.now()
    const settingsOf = await settingsRepo.of(
      inside,
      known.map(({ fact }) => fact.userId),
    )
    const incidents = await incidentsRepo.byIds(inside, [...new Set(known.map(({ id }) => id))])
    const changed = new Set<string>()
    const found: Found[] = []
    for (const { fact, meaning, id } of known) {
      const before = incidents.get(id)
      const { state, tell, dueAt } = decide(meaning, before?.state ?? null, settingsOf(fact.userId))
      incidents.set(id, { id, userId: fact.userId, state, dueAt })
      if (state !== null || before) changed.add(id)
      found.push(...tell.map((telling) => ({ ...fact, telling })))
    }
    for (const id of changed) {
      const incident = incidents.get(id)
      if (incident) await incidentsRepo.save(inside, incident, now)
    }
    await tellFound(inside, found, settingsOf, deps)
  }

/** One fact that cannot be read must not hold up all that come after it. */
function readOrSkip(fact: ToldFact, log: Log): AlertFact | null {
  try {
    return readAlertFact(fact)
  } catch (error) {
    log.warn({ err: error, fact: fact.id, name: fact.fact }, 'alerts: a fact could not be read')
    return null
  }
}

function decide(meaning: AlertFact, state: unknown, settings: AlertSettings): Decision<unknown> {
  return meaning.type === 'stream'
    ? decideStream(state as StreamIncident | null, meaning.event, settings)
    : decideOnce(state as Told | null, meaning.telling, meaning.once)
}

/** Puts names to what is told, and writes it. */
export async function tellFound(
  inside: Db,
  found: readonly Found[],
  settingsOf: (userId: string) => AlertSettings,
  { labelsOf, clock }: Pick<TellDeps, 'labelsOf' | 'clock'>,
): Promise<void> {
  if (found.length === 0) return
  const streams = found.filter(({ subjectKind }) => subjectKind === 'stream').map(({ subjectId }) => subjectId)
  const labels = await labelsOf(inside, [...new Set(streams)])
  const alerts = found.map((each) => toAlert(each, labels.get(each.subjectId)))
  await writeAlerts(inside, alerts, { now: clock.now(), settingsOf })
}

function toAlert({ userId, subjectKind, subjectId, telling }: Found, label: StreamLabel | undefined): NewAlert {
  const { kind } = telling
  const named = label && { name: label.title, platform: label.platform, targetName: label.targetName }
  const isWorkspace = subjectKind === 'workspace'
  return {
    ...{ userId, kind },
    subjectId: isWorkspace ? null : subjectId,
    // Two things about one workspace have nothing to do with each other.
    topic: isWorkspace ? (kind.split('.')[0] ?? kind) : incidentIdOf(subjectKind, subjectId),
    details: { ...telling.details, ...named },
  }
}
