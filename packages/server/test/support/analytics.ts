import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { createLivesRepo } from '../../src/modules/analytics/lives.repo.ts'
import { streamLives } from '../../src/modules/broadcasts/store/stream-lives.ts'
import { createStreamsRepo, type NewStream } from '../../src/modules/broadcasts/store/streams.repo.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { type StreamFact, writeFacts } from '../../src/platform/outbox/facts.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A broadcast that nobody keeps: its row stands there as a test wants it. */
export async function addStream(db: Db, userId: string, change: Partial<NewStream> = {}): Promise<string> {
  const id = randomUUID()
  const state: StreamState = initialState
  await createStreamsRepo(db).insert({
    ...{ id, user_id: userId, source: 'klip.mp4', platform: 'youtube', target_sealed: 'sealed', looping: 1 },
    ...{ target_host: 'example.org', target_mark: randomUUID(), desired: 'live', phase: 'queued', created_at: 100 },
    state: JSON.stringify(state),
    slot: Math.floor(Math.random() * 1_000_000),
    ...change,
  })
  return id
}

/** Tells what happened to a stream, as its keeper does. */
export const tellStream = (db: Db, userId: string, id: string, facts: readonly StreamFact[]): Promise<void> =>
  writeFacts(db, { kind: 'stream', id, userId }, facts)

export const wentLive = (at: number): StreamFact => ({ at, fact: 'stream.live', payload: {} })
export const wasLost = (at: number, reason = 'target-closed', planned = false): StreamFact => ({
  ...{ at, fact: 'stream.interrupted', payload: { reason, planned } },
})
export const cameBack = (at: number, offAirMs: number | null = null): StreamFact => ({
  ...{ at, fact: 'stream.recovered', payload: { offAirMs } },
})
export const wasStopped = (at: number): StreamFact => ({
  ...{ at, fact: 'stream.ended', payload: { reason: 'stopped', cause: null } },
})
export const wasGivenUp = (at: number, cause: string): StreamFact => ({ at, fact: 'stream.failed', payload: { cause } })

/** The number under which the figures of a stream stand. */
export async function numberOf(db: Db, streamId: string, now = Date.now()): Promise<number> {
  return (await createLivesRepo(db, streamLives).numbersOf([streamId], now)).get(streamId) ?? -1
}
