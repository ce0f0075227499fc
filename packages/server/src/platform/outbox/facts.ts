import { type Insertable, sql } from 'kysely'
import { compileByColumns } from '../db/compile-once.ts'
import type { Db } from '../db/database.ts'
import type { OldRows } from '../db/old-rows.ts'
import type { OutboxTable } from '../db/tables/outbox.ts'

/** What can have happened, and what is told of it beside when and to what. Reasons and causes are codes, never sentences. */
interface FactPayloads {
  /** Somebody asked for it; nothing is on air yet. */
  'stream.started': { readonly platform: string; readonly record?: true }
  /** On air for the first time. */
  'stream.live': Record<string, never>
  /** Off air, and to come back. `planned`: a new session was needed, and the old one ended on purpose. */
  'stream.interrupted': { readonly reason: string; readonly planned: boolean }
  /** Still off air, and now for another reason than before. */
  'stream.still-off': { readonly reason: string }
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
  /** Seen ahead: as things are, it will not start. Told once for each reason. */
  'schedule.blocked': ScheduledFact
  'schedule.started': ScheduledStart
  /** What it started was never on air, and another broadcast has begun in its place. */
  'schedule.restarted': ScheduledStart
  /** `endsAt` lies ahead. Told some days ahead, and once more on the last. */
  'plan.ending': { readonly plan: string; readonly endsAt: number }
  'plan.ended': { readonly plan: string; readonly endsAt: number }
  /** What the plan has room for is nearly used up. */
  'room.low': { readonly usedBytes: number; readonly roomBytes: number }
  /** It is whole: its broadcast has ended, or the next one has begun. `streamId`: of the broadcast's first stream. */
  'recording.ready': {
    readonly streamId: string
    readonly title: string
    readonly durationMs: number
    readonly sizeBytes: number
  }
  /** It goes at `goesAt`, which is at least a day ahead. */
  'recording.expiring': { readonly title: string; readonly goesAt: number }
  /** We have switched it off: its receiver says that it is gone, or nothing has worked for days. */
  'webhook.disabled': { readonly name: string; readonly reason: 'gone' | 'failing' }
}

interface ScheduledStart {
  readonly scheduleId: string
  readonly title: string
  readonly dueAt: number
  readonly streamId: string
}

interface ScheduledFact {
  readonly scheduleId: string
  readonly title: string
  readonly dueAt: number
  readonly reason: string
}

export type FactName = keyof FactPayloads

export type Fact<Name extends FactName = FactName> = {
  [Each in Name]: { readonly at: number; readonly fact: Each; readonly payload: FactPayloads[Each] }
}[Name]

export type StreamFact = Fact<Extract<FactName, `stream.${string}`>>

interface Subject {
  /** 'workspace': about the plan or the room; the id is the workspace's own. */
  readonly kind: 'stream' | 'video' | 'schedule' | 'workspace' | 'webhook' | 'recording'
  readonly id: string
  readonly userId: string
}

/**
 * To be called in the transaction that writes the change: then a fact is told if, and only if, it came true. See fact-reader.ts for how
 * others follow.
 */
export async function writeFacts(transaction: Db, subject: Subject, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return
  const { kind, id, userId } = subject
  const subjectColumns = { user_id: userId, subject_kind: kind, subject_id: id }
  for (const { at, fact, payload } of facts) {
    await insertFact(transaction, { at, ...subjectColumns, fact, payload: JSON.stringify(payload) })
  }
}

const insertFact = compileByColumns((db, fact: Insertable<OutboxTable>) => db.insertInto('outbox').values(fact))

/** The newest that there is; 0: none. For who is to hear of what comes after it. */
export async function lastFactId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

/** A reader that has been away for longer has missed something. */
const KEPT_MS = 30 * 86_400_000

export const oldFacts = (now: number): OldRows => ({ table: 'outbox', where: sql`at < ${now - KEPT_MS}` })
