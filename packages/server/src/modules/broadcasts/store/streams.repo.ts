import type { StreamPhase } from '@siarin/contracts/streams'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { type Selectable, sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import type { StreamEventTable } from '../../../platform/db/tables/broadcasts.ts'
import { writeFacts } from '../../../platform/outbox.ts'
import { factsOfTransition } from './facts-of-transition.ts'
import { type RecordedEvent, type TimelineEvent, toEventRows, recordEvents } from './recorded-events.ts'
import { broadcastOf, type NamedStreamRow, type NewStream, type StreamRow, streamRows } from './stream-rows.ts'
import { keepVideosOf, noteSwap, withNames } from './stream-videos.ts'
import { desiredState } from './desired-state.ts'
import { streamsAtTargets } from './streams-at-targets.ts'
import { isWanted } from './wanted-streams.ts'

export type { RecordedEvent } from './recorded-events.ts'
export type { NamedStreamRow, NewStream, StreamRow } from './stream-rows.ts'

export type StreamsRepo = ReturnType<typeof createStreamsRepo>

/** Of which claim a write is part: a worker whose claim is old writes nothing. */
export interface Claim {
  readonly id: string
  readonly epoch: number
}

export interface StreamSample {
  readonly bitrateKbps: number | null
  readonly speed: number | null
  readonly frames: number | null
}

/** What changes all the time while a stream runs. */
export interface StreamFigures {
  readonly claim: Claim
  readonly sample: StreamSample
  readonly position: { readonly item: number; readonly ms: number; readonly fromMs: number }
}

export interface StreamChange {
  readonly state: StreamState
  readonly onAirMs?: number
  readonly position?: { readonly item: number; readonly ms: number; readonly fromMs: number }
  readonly sample?: StreamSample
  readonly reason: string | null
  readonly restarts?: number
  readonly liveSince?: number | null
  readonly endedAt?: number
  readonly onFallback?: boolean
  /** Something to know while all is well. */
  readonly notice?: string | null
  /** A video that was asked for and plays now: from here on it is the stream's own. */
  readonly swappedTo?: { readonly videoId: string; readonly filename: string } | undefined
  /** The ffmpeg that carries it, so that a later start of the program finds it. */
  readonly process?: { readonly pid: number; readonly birth: string } | null
}

const ENDED: StreamPhase = 'ended'

/** A statement takes 32,766 values at most. */
const MOST_FIGURES_AT_ONCE = 2_000

export function createStreamsRepo(db: Db) {
  return {
    ...desiredState(db),
    atTargets: streamsAtTargets(db),
    async insert(stream: NewStream): Promise<void> {
      const { id, user_id: userId, created_at: at, platform } = stream
      await atomically(db, async (inside) => {
        await inside.insertInto('broadcasts').values(broadcastOf(stream)).execute()
        await inside
          .insertInto('streams')
          .values({ ...stream, broadcast_id: id })
          .execute()
        await keepVideosOf(inside, id)
        await writeFacts(inside, { kind: 'stream', id, userId }, [
          { at, fact: 'stream.started', payload: { platform } },
        ])
      })
    },
    /** Which of the plan's places are taken, and where to each of them sends. */
    async activePlaces(workspaceId: string): Promise<{ slot: number; target_mark: string }[]> {
      return db
        .selectFrom('streams')
        .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
        .select(['broadcasts.slot', 'target_mark'])
        .where('broadcasts.user_id', '=', workspaceId)
        .where(isWanted)
        .execute()
    },
    async byId(id: string): Promise<StreamRow | null> {
      return (await streamRows(db).where('streams.id', '=', id).executeTakeFirst()) ?? null
    },
    async activeOf(workspaceId: string): Promise<NamedStreamRow[]> {
      const rows = await streamRows(db)
        .where('broadcasts.user_id', '=', workspaceId)
        .where(isWanted)
        .orderBy('streams.created_at')
        .orderBy('streams.id')
        .execute()
      return withNames(db, rows)
    },
    async activeIds(): Promise<string[]> {
      const rows = await db.selectFrom('streams').select('id').where(isWanted).orderBy('created_at').execute()
      return rows.map((row) => row.id)
    },
    /** Of every wanted stream, who claimed it last. */
    async keepers(): Promise<{ id: string; worker: string | null }[]> {
      return db.selectFrom('streams').select(['id', 'worker']).where(isWanted).execute()
    },
    async countActive(): Promise<number> {
      const row = await db
        .selectFrom('streams')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(isWanted)
        .executeTakeFirst()
      return Number(row?.count ?? 0)
    },
    async countByPhase(): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('streams')
        .select((eb) => ['phase', eb.fn.countAll<number>().as('count')])
        .where(isWanted)
        .groupBy('phase')
        .execute()
      return Object.fromEntries(rows.map(({ phase, count }) => [phase, Number(count)]))
    },
    async isAccountInUse(accountId: string): Promise<boolean> {
      const row = await db
        .selectFrom('broadcasts')
        .select('id')
        .where('source_account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Makes this worker the stream's only keeper; null when there is nothing left to keep. */
    async claim(id: string, worker: string): Promise<StreamRow | null> {
      return atomically(db, async (inside) => {
        const claimed = await inside
          .updateTable('streams')
          .set({ worker, epoch: sql<number>`epoch + 1` })
          .where('id', '=', id)
          .where(isWanted)
          .returning('epoch')
          .executeTakeFirst()
        const row = claimed && (await streamRows(inside).where('streams.id', '=', id).executeTakeFirst())
        return row ? { ...row, epoch: claimed.epoch } : null
      })
    },
    /** State, timeline, facts and the videos that it keeps are written together or not at all. */
    async change(claim: Claim, change: StreamChange, events: readonly RecordedEvent[] = []): Promise<boolean> {
      const { swappedTo } = change
      const isOver = change.state.at === ENDED
      if (events.length === 0 && !swappedTo && !isOver) return (await writeChange(db, claim, change)) !== null
      return atomically(db, async (inside) => {
        const row = await writeChange(inside, claim, change)
        if (!row?.broadcast_id) return row !== null
        if (swappedTo) await noteSwap(inside, row.broadcast_id, swappedTo)
        if (isOver) await closeIfOver(inside, row.broadcast_id, change.endedAt ?? Date.now())
        if (swappedTo || isOver) await keepVideosOf(inside, row.broadcast_id)
        await recordEvents(inside, { id: claim.id, userId: await ownerOf(inside, row.broadcast_id) }, events)
        return true
      })
    },
    /** Many in one statement; answers whose were written. */
    async writeFigures(figures: readonly StreamFigures[]): Promise<Set<string>> {
      if (figures.length > MOST_FIGURES_AT_ONCE) {
        const [first, rest] = [figures.slice(0, MOST_FIGURES_AT_ONCE), figures.slice(MOST_FIGURES_AT_ONCE)]
        return new Set([...(await this.writeFigures(first)), ...(await this.writeFigures(rest))])
      }
      const values = figures.map(
        ({ claim, sample, position }) => sql`(
          cast(${claim.id} as text), cast(${claim.epoch} as bigint),
          cast(${Math.round(position.ms)} as bigint), cast(${Math.round(position.fromMs)} as bigint),
          cast(${sample.bitrateKbps} as double precision), cast(${sample.speed} as double precision),
          cast(${sample.frames} as bigint), cast(${position.item} as integer)
        )`,
      )
      const { rows } = await sql<{ id: string }>`
        update streams
        set position_ms = figures.column3, position_from_ms = figures.column4,
          bitrate_kbps = figures.column5, speed = figures.column6, frames = figures.column7,
          position_item = figures.column8
        from (values ${sql.join(values)}) as figures
        where streams.id = figures.column1 and streams.epoch = figures.column2
        returning streams.id`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
    async note(streamId: string, event: TimelineEvent): Promise<void> {
      await db
        .insertInto('stream_events')
        .values(toEventRows(streamId, [event]))
        .execute()
    },
    async eventsOf(streamId: string, limit: number): Promise<Selectable<StreamEventTable>[]> {
      return db
        .selectFrom('stream_events')
        .selectAll()
        .where('stream_id', '=', streamId)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute()
    },
    async endedOf(workspaceId: string, limit: number): Promise<NamedStreamRow[]> {
      const rows = await streamRows(db)
        .where('broadcasts.user_id', '=', workspaceId)
        .where('phase', '=', ENDED)
        .orderBy('streams.ended_at', 'desc')
        .limit(limit)
        .execute()
      return withNames(db, rows)
    },
    /** A stream that no worker has ever taken can be ended right away. */
    async endIfUnclaimed(id: string, change: StreamChange & { readonly endedAt: number }): Promise<boolean> {
      return atomically(db, async (inside) => {
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
        await keepVideosOf(inside, row.broadcast_id)
        const facts = factsOfTransition(initialState, change.state, change.endedAt)
        await writeFacts(inside, { kind: 'stream', id, userId: await ownerOf(inside, row.broadcast_id) }, facts)
        return true
      })
    },
  }
}

/** A broadcast has ended when its last stream has. */
async function closeIfOver(inside: Db, broadcastId: string, endedAt: number): Promise<void> {
  await inside
    .updateTable('broadcasts')
    .set({ ended_at: endedAt })
    .where('id', '=', broadcastId)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not exists (select 1 from streams where broadcast_id = ${broadcastId} and phase <> 'ended')`)
    .execute()
}

async function ownerOf(inside: Db, broadcastId: string): Promise<string> {
  const row = await inside
    .selectFrom('broadcasts')
    .select('user_id')
    .where('id', '=', broadcastId)
    .executeTakeFirstOrThrow()
  return row.user_id
}

/** Null: another worker has claimed it since. */
async function writeChange(db: Db, claim: Claim, change: StreamChange) {
  const row = await db
    .updateTable('streams')
    .set({
      phase: change.state.at,
      state: JSON.stringify(change.state),
      reason: change.reason,
      ...(change.restarts === undefined ? {} : { restarts: change.restarts }),
      ...(change.liveSince === undefined ? {} : { live_since: change.liveSince }),
      ...(change.onAirMs === undefined ? {} : { on_air_ms: change.onAirMs }),
      ...(change.endedAt === undefined ? {} : { ended_at: change.endedAt }),
      ...(change.onFallback === undefined ? {} : { on_fallback: change.onFallback ? 1 : 0 }),
      ...(change.notice === undefined ? {} : { note: change.notice }),
      ...(change.process === undefined
        ? {}
        : { pid: change.process?.pid ?? null, pid_birth: change.process?.birth ?? null }),
      ...(change.position && {
        position_item: change.position.item,
        position_ms: Math.round(change.position.ms),
        position_from_ms: Math.round(change.position.fromMs),
      }),
      ...(change.sample && {
        bitrate_kbps: change.sample.bitrateKbps,
        speed: change.sample.speed,
        frames: change.sample.frames,
      }),
    })
    .where('id', '=', claim.id)
    .where('epoch', '=', claim.epoch)
    .returning('broadcast_id')
    .executeTakeFirst()
  return row ?? null
}
