import { randomUUID } from 'node:crypto'
import type { StreamEventKind } from '@siarin/contracts/streams'
import type { Db } from '../../../platform/db/database.ts'
import { type StreamFact, writeFacts } from '../../../platform/outbox.ts'

/** What its owner reads in the timeline. */
export interface TimelineEvent {
  readonly at: number
  readonly kind: StreamEventKind
  readonly reason: string | null
  readonly offAirMs: number | null
}

/** For the timeline, or for the outbox: both are written with the change that they tell of, and none is ever left out. */
export type StreamHappening = TimelineEvent | StreamFact

const isFact = (happening: StreamHappening): happening is StreamFact => 'fact' in happening
const isForTimeline = (happening: StreamHappening): happening is TimelineEvent => !isFact(happening)

/** In the transaction of the change. */
export async function writeHappenings(
  transaction: Db,
  { id, userId }: { id: string; userId: string },
  happenings: readonly StreamHappening[],
): Promise<void> {
  const facts = happenings.filter(isFact)
  const timeline = happenings.filter(isForTimeline)
  if (timeline.length > 0) await transaction.insertInto('stream_events').values(toEventRows(id, timeline)).execute()
  await writeFacts(transaction, { kind: 'stream', id, userId }, facts)
}

export const toEventRows = (streamId: string, timeline: readonly TimelineEvent[]) =>
  timeline.map(({ at, kind, reason, offAirMs }) => ({
    id: randomUUID(),
    stream_id: streamId,
    at,
    kind,
    reason,
    off_air_ms: offAirMs,
  }))
