import type { StreamPhase } from '@siarin/contracts/streams'
import { initialState } from '@siarin/media/stream-state'
import { sql } from 'kysely'
import { compileByColumns } from '../../../platform/db/compile-once.ts'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { ASSIGNED, assignedStreams } from './assigned-streams.repo.ts'
import { closeIfOver, holdBroadcast, ofStream } from './broadcast-end.ts'
import { broadcastReads } from './broadcast-reads.ts'
import { desiredState } from './desired-state.ts'
import { factsOfTransition } from './facts-of-transition.ts'
import { newStreams } from './new-streams.ts'
import { type RecordedEvent, recordEvents, type TimelineEvent } from './recorded-events.ts'
import { scheduledBroadcasts } from './scheduled-broadcasts.ts'
import { type StreamChange, writeChange } from './stream-change.ts'
import { type Claim, type StreamFigures, writeFigures } from './stream-figures.ts'
import { streamReads, wantedStreams } from './stream-reads.ts'
import type { StreamRow } from './stream-rows.ts'
import { noteSwap, settleVideos } from './stream-videos.ts'
import { streamsAtTargets } from './streams-at-targets.ts'
import { isWanted } from './wanted-streams.ts'

export type { BroadcastRow, PageStart } from './broadcast-reads.ts'
export type { PieceEvent } from './record-pieces.ts'
export type { RecordedEvent } from './recorded-events.ts'
export type { StreamChange } from './stream-change.ts'
export type { Claim, StreamFigures, StreamSample } from './stream-figures.ts'
export type { UnclaimedRow } from './stream-reads.ts'
export type { NamedStreamRow, NewStream, StreamRow } from './stream-rows.ts'

export type StreamsRepo = ReturnType<typeof createStreamsRepo>

const ENDED: StreamPhase = 'ended'

const claimStream = compileByColumns((db, columns: { worker: string }, id: string) =>
  db
    .updateTable('streams')
    .set({ ...columns, epoch: sql<number>`epoch + 1` })
    .where('id', '=', id)
    .where(isWanted)
    .returning('epoch'),
)

/** Only one of several workers that have seen it free in this epoch gets it. */
const claimSeenStream = compileByColumns((db, columns: { worker: string }, id: string, epoch: number) =>
  db
    .updateTable('streams')
    .set({ ...columns, handover_to: null, handover_ready: 0, standby: null, epoch: sql<number>`epoch + 1` })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where(isWanted)
    .returning('epoch'),
)

export function createStreamsRepo(db: Db) {
  const reads = streamReads(db)
  return {
    ...desiredState(db),
    ...reads,
    ...wantedStreams(db),
    ...scheduledBroadcasts(db),
    atTargets: streamsAtTargets(db),
    assigned: assignedStreams(db),
    ...newStreams(db),
    ...broadcastReads(db),
    /** Makes this worker the stream's only keeper; null when there is nothing left to keep. */
    async claim(id: string, worker: string): Promise<StreamRow | null> {
      const [claimed] = await claimStream(db, { worker }, id)
      const row = claimed && (await reads.byId(id))
      return row ? { ...row, worker, epoch: claimed.epoch } : null
    },
    /** The same where others may claim it too: null also when it is not any more as it was seen. */
    async claimSeen({ id, epoch }: Claim, worker: string): Promise<StreamRow | null> {
      const [claimed] = await claimSeenStream(db, { worker }, id, epoch)
      const row = claimed && (await reads.byId(id))
      return row ? { ...row, worker, epoch: claimed.epoch } : null
    },
    /** All that it was handed or dealt and has not claimed yet, together: of thousands, each by itself would wait for the others. */
    async claimAssigned(worker: string): Promise<StreamRow[]> {
      const claimed = await db
        .updateTable('streams')
        .set({ handover_ready: 0, epoch: sql<number>`epoch + 1` })
        .where('worker', '=', worker)
        .where('handover_ready', '=', ASSIGNED)
        .where(isWanted)
        .returning('id')
        .execute()
      return reads.byIds(claimed.map(({ id }) => id))
    },
    /** State, timeline, facts and the videos that it keeps are written together or not at all. */
    async change(claim: Claim, change: StreamChange, events: readonly RecordedEvent[] = []): Promise<boolean> {
      const { swappedTo } = change
      const isOver = change.state.at === ENDED
      if (events.length === 0 && !swappedTo && !isOver) return (await writeChange(db, claim, change)) !== null
      return atomically(db, async (inside) => {
        if (swappedTo || isOver) await holdBroadcast(inside, ofStream(claim.id))
        const row = await writeChange(inside, claim, change)
        if (!row?.broadcast_id) return row !== null
        if (swappedTo) await noteSwap(inside, claim.id, swappedTo)
        if (isOver) await closeIfOver(inside, row.broadcast_id, change.endedAt ?? Date.now())
        if (swappedTo || isOver) await settleVideos(inside, row.broadcast_id)
        if (events.length === 0) return true
        const broadcastId = row.broadcast_id
        await recordEvents(inside, { id: claim.id, broadcastId, userId: await ownerOf(inside, broadcastId) }, events)
        return true
      })
    },
    writeFigures: (figures: readonly StreamFigures[]) => writeFigures(db, figures),
    /** A stream that no worker has ever taken can be ended right away. */
    async endIfUnclaimed(
      id: string,
      change: StreamChange & { readonly endedAt: number },
      timeline: readonly TimelineEvent[] = [],
    ): Promise<boolean> {
      return atomically(db, async (inside) => {
        await holdBroadcast(inside, ofStream(id))
        const row = await inside
          .updateTable('streams')
          .set({
            phase: change.state.at,
            state: JSON.stringify(change.state),
            reason: change.reason,
            ended_at: change.endedAt,
          })
          .where('id', '=', id)
          .where('worker', 'is', null)
          .where(isWanted)
          .returning('broadcast_id')
          .executeTakeFirst()
        if (!row?.broadcast_id) return row !== undefined
        await closeIfOver(inside, row.broadcast_id, change.endedAt)
        await settleVideos(inside, row.broadcast_id)
        const facts = factsOfTransition(initialState, change.state, change.endedAt)
        const userId = await ownerOf(inside, row.broadcast_id)
        await recordEvents(inside, { id, broadcastId: row.broadcast_id, userId }, [...timeline, ...facts])
        return true
      })
    },
  }
}

async function ownerOf(inside: Db, broadcastId: string): Promise<string> {
  const row = await inside
    .selectFrom('broadcasts')
    .select('user_id')
    .where('id', '=', broadcastId)
    .executeTakeFirstOrThrow()
  return row.user_id
}
