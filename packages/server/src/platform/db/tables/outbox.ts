import type { Generated } from 'kysely'

/** What happened, one row per fact, written in the transaction of the change itself: see platform/outbox/facts.ts. */
export interface OutboxTable {
  /** Rises with each row, and is never given twice. */
  id: Generated<number>
  at: number
  user_id: string
  /** 'stream', 'video', 'schedule' or 'workspace', and which one. */
  subject_kind: string
  subject_id: string
  fact: string
  /** As JSON: what its readers cannot find in the rows any more. No secrets. */
  payload: string
}

/** How far each reader has come: see platform/fact-reader.ts. */
export interface OutboxReadersTable {
  name: string
  after_id: number
}
