import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import type { OldRows } from './db/old-rows.ts'

/** What can have happened, and what is told of it beside when and to what. Reasons and causes are codes, never sentences. */
interface FactPayloads {
  /** Somebody asked for it; nothing is on air yet. */
  'stream.started': { readonly platform: string }
  /** On air for the first time. */
  'stream.live': Record<string, never>
  /** Off air, and to come back. `planned`: a new session was needed, and the old one ended on purpose. */
  'stream.interrupted': { readonly reason: string; readonly planned: boolean }
  /** On air again. `offAirMs`: null where nobody saw when it went. */
  'stream.recovered': { readonly offAirMs: number | null }
  /** Given up: the target never took it. */
  'stream.failed': { readonly cause: string | null }
  /** `cause`: where it was not its owner who wanted it. */
  'stream.ended': { readonly reason: 'stopped' | 'finished'; readonly cause: string | null }
  'video.ready': { readonly filename: string }
  'video.failed': { readonly filename: string; readonly reason: string | null }
  /** It was due while nobody could start it, and its window is over. */
  'schedule.missed': ScheduledFact
  /** It was due, and could not be started as long as its window lasted. */
  'schedule.failed': ScheduledFact
}

interface ScheduledFact {
  readonly scheduleId: string
  readonly title: string
  readonly dueAt: number
  readonly reason: string
}

type FactName = keyof FactPayloads

export type Fact<Name extends FactName = FactName> = {
  [Each in Name]: { readonly at: number; readonly fact: Each; readonly payload: FactPayloads[Each] }
}[Name]

export type StreamFact = Fact<Extract<FactName, `stream.${string}`>>

interface Subject {
  readonly kind: 'stream' | 'video' | 'schedule'
  readonly id: string
  readonly userId: string
}

/**
 * To be called in the transaction that writes the change: then a fact is told if, and only if, it came true. Readers follow the ids. On
 * PostgreSQL a row may become visible a moment after one with a higher id, whose transaction was shorter: a reader that keeps only the
 * last id has to look back by some seconds.
 */
export async function writeFacts(transaction: Db, subject: Subject, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return
  const { kind, id, userId } = subject
  const rows = facts.map(({ at, fact, payload }) => ({
    at,
    user_id: userId,
    subject_kind: kind,
    subject_id: id,
    fact,
    payload: JSON.stringify(payload),
  }))
  await transaction.insertInto('outbox').values(rows).execute()
}

/** A reader that has been away for longer has missed something. */
const KEPT_MS = 30 * 86_400_000

export const oldFacts = (now: number): OldRows => ({ table: 'outbox', where: sql`at < ${now - KEPT_MS}` })
