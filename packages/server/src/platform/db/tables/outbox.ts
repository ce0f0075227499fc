import type { Generated } from 'kysely'

/** What happened, one row per fact, written in the transaction of the change itself: see platform/outbox.ts. */
export interface OutboxTable {
  /** Rises with each row, and is never given twice. */
  id: Generated<number>
  at: number
  user_id: string
  /** 'stream', 'video' or 'schedule', and which one. */
  subject_kind: string
  subject_id: string
  fact: string
  /** As JSON: what its readers cannot find in the rows any more. No secrets. */
  payload: string
}
