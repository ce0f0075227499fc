import { randomUUID } from 'node:crypto'
import type { StreamEventKind } from '@siarin/contracts/streams'
import type { Insertable } from 'kysely'
import { compileByColumns } from '../../../platform/db/compile-once.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { StreamEventTable } from '../../../platform/db/tables/broadcasts.ts'
import { type StreamFact, writeFacts } from '../../../platform/outbox/facts.ts'
import { type PieceEvent, recordPieces } from './record-pieces.ts'

/** What its owner reads in the timeline. */
export interface TimelineEvent {
  readonly at: number
  readonly kind: StreamEventKind
  readonly reason: string | null
  readonly offAirMs: number | null
}

/** For the timeline, the outbox or a recording: written with the change that they tell of, and none is ever left out. */
export type RecordedEvent = TimelineEvent | StreamFact | PieceEvent

const isFact = (event: RecordedEvent): event is StreamFact => 'fact' in event
const isPiece = (event: RecordedEvent): event is PieceEvent => 'piece' in event
const isForTimeline = (event: RecordedEvent): event is TimelineEvent => !isFact(event) && !isPiece(event)

/** In the transaction of the change. */
export async function recordEvents(
  transaction: Db,
  { id, broadcastId, userId }: { id: string; broadcastId: string; userId: string },
  events: readonly RecordedEvent[],
): Promise<void> {
  const facts = events.filter(isFact)
  const timeline = events.filter(isForTimeline)
  for (const event of timeline) await insertEvent(transaction, toEventRow(id, event))
  await writeFacts(transaction, { kind: 'stream', id, userId }, facts)
  await recordPieces(transaction, { id, broadcastId, userId }, events.filter(isPiece))
}

const insertEvent = compileByColumns((db, event: Insertable<StreamEventTable>) =>
  db.insertInto('stream_events').values(event),
)

const toEventRow = (streamId: string, { at, kind, reason, offAirMs }: TimelineEvent) => ({
  id: randomUUID(),
  stream_id: streamId,
  at,
  kind,
  reason,
  off_air_ms: offAirMs,
})
