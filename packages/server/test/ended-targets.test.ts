import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeScheduledEnd } from '../src/modules/broadcasts/store/revoke-scheduled-end.ts'
import { sentPieces } from '../src/modules/broadcasts/store/sent-pieces.ts'
import { createStreamsRepo, type NewStream } from '../src/modules/broadcasts/store/streams.repo.ts'
import { type Db, isPostgres } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { looksAt, measure } from './support/rows-read.ts'
import { sqlitePlans } from './support/statements.ts'

const FAILED: StreamState = { at: 'ended', reason: 'failed', cause: null }
const MANY = 4_000
const AT_ONCE = 400
const HOUR_MS = 3_600_000
/** A piece of work reads fewer of the many that are over. */
const MOST_READ = 1_000
/** As SQLite says it: an index of all streams of a broadcast or an account, or none. */
const READS_ALL = /\bSCAN streams\b|\bstreams_broadcast\b|\bstreams_user\b/

const newStream = (userId: string, change: Partial<NewStream> = {}): NewStream => ({
  ...{ id: randomUUID(), user_id: userId, slot: 0, source: 'klip.mp4', platform: 'lain', looping: 1, created_at: 100 },
  ...{ target_sealed: 'sealed', target_host: 'example.org', target_mark: randomUUID(), desired: 'live' },
  ...{ phase: 'queued', state: JSON.stringify(initialState) },
  ...change,
})

describe.each(REPO_DATABASES)('a broadcast whose targets come and go for years, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string
  let repo: ReturnType<typeof createStreamsRepo>
  /** Goes on with one target, and with a second one. */
  let id: string
  let second: string
  let mark: string
  let videoId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
    repo = createStreamsRepo(db)
    ;({ id, second, mark } = await begin(MANY))
    videoId = randomUUID()
    const video = { id: videoId, user_id: userId, filename: 'dua.mp4', status: 'ready', content_type: '' }
    await db
      .insertInto('videos')
      .values({ ...video, original_bytes: 0, created_at: 0 })
      .execute()
    // As it does by itself before long. SQLite is never asked to.
    if (isPostgres(db)) await sql`analyze`.execute(db)
  })
  afterAll(() => close())

  /** Two streams that are wanted, and so many that have failed, one a minute. */
  async function begin(ended: number) {
    userId = await addUser(db)
    const [first, other] = [newStream(userId), newStream(userId, { slot: 1 })]
    await repo.insert(first, [other])
    for (let from = 0; from < ended; from += AT_ONCE) {
      const rows = Array.from({ length: Math.min(AT_ONCE, ended - from) }, (_, index) => ({
        ...newStream(userId, { phase: 'ended', state: JSON.stringify(FAILED), reason: 'target-closed' }),
        ...{ broadcast_id: first.id, created_at: (from + index) * 60_000, ended_at: (from + index) * 60_000 + 1 },
      }))
      await db.insertInto('streams').values(rows).execute()
    }
    return { id: first.id, second: other.id, mark: first.target_mark }
  }

  const work: Record<string, (at: Db) => Promise<unknown>> = {
    'shows it': (at) => createStreamsRepo(at).streamsOf([id]),
    'shows what its owner has had': (at) => createStreamsRepo(at).endedOf(userId, 100),
    'shows what is on air': (at) => createStreamsRepo(at).activeOf(userId),
    'judges how it fares': (at) => createStreamsRepo(at).outlookOf(id),
    'adds a target': (at) => createStreamsRepo(at).extend(id, () => []),
    'asks for another video': (at) => createStreamsRepo(at).askSwap(second, videoId),
    'ends a stream': (at) =>
      createStreamsRepo(at).change({ id: second, epoch: 0 }, { state: FAILED, reason: null, endedAt: 7 }),
    'ends by its schedule': (at) => createStreamsRepo(at).askScheduledEnd(id, true),
    'takes that back': async (at) => {
      await createStreamsRepo(at).askScheduledEnd(id, true)
      expect(await revokeScheduledEnd(at, id, true)).toBe('goes-on')
    },
    'stops it': (at) => createStreamsRepo(at).askStopOf(id),
    'stops its last stream': (at) => createStreamsRepo(at).askStop(id),
    'looks for who goes to its target': (at) => createStreamsRepo(at).atTargets([mark], 0),
    'asks how far a recording has come': (at) => sentPieces(at).streamsOf(id, null),
    'reads its last hour': (at) => sentPieces(at).streamsOf(id, MANY * 60_000 - HOUR_MS),
    'removes what it sent': (at) => sentPieces(at).dropSome(id, null, 200),
  }

  it.each(Object.keys(work))('%s without reading all that are over', async (name) => {
    const one = work[name] ?? (async () => {})
    const rolledBack = new Error('nothing of it stays')
    await db
      .transaction()
      .execute(async (inside) => {
        if (isPostgres(inside)) {
          expect(await looksAt(inside, 'streams', () => one(inside))).toBeLessThan(MOST_READ)
        } else {
          const plans = await sqlitePlans(inside, () => one(inside))
          expect(plans.filter((plan) => READS_ALL.test(plan))).toEqual([])
        }
        const { mostRows } = await measure(() => one(inside))
        expect(mostRows).toBeLessThan(MOST_READ)
        throw rolledBack
      })
      .catch((error) => {
        if (error !== rolledBack) throw error
      })
  })

  it('shows the last of them, of each broadcast', async () => {
    const other = await begin(30)
    const shown = (await repo.streamsOf([id, other.id])).filter(({ phase }) => phase === 'ended')
    const endedOf = (broadcastId: string) =>
      shown.filter(({ broadcast_id }) => broadcast_id === broadcastId).map(({ ended_at }) => ended_at)
    const last = (count: number) => Array.from({ length: 20 }, (_, index) => (count - 20 + index) * 60_000 + 1)
    expect(endedOf(id)).toEqual(last(MANY))
    expect(endedOf(other.id)).toEqual(last(30))
    const had = await repo.endedOf(userId, 10)
    expect(had.map(({ ended_at }) => ended_at)).toEqual(Array.from({ length: 10 }, (_, i) => (29 - i) * 60_000 + 1))
  })

  it('is started again by its schedule only where it was never changed by hand', async () => {
    const end = async (broadcastId: string) => {
      await db
        .updateTable('streams')
        .set({ phase: 'ended', state: JSON.stringify(FAILED), reason: 'target-closed', ended_at: 7 })
        .where('broadcast_id', '=', broadcastId)
        .where('phase', '<>', 'ended')
        .execute()
      return repo.outlookOf(broadcastId)
    }
    expect(await end((await begin(18)).id)).toEqual({ at: 'failed', reason: 'target-closed' })
    expect(await end((await begin(120)).id)).toMatchObject({ at: 'settled' })
  })

  it('reads for a recording those that were on air in its time, and the last ones whatever the clock said', async () => {
    const endedIn = async (broadcastId: string, sinceAt: number | null) =>
      (await sentPieces(db).streamsOf(broadcastId, sinceAt)).length - 2
    // Those of the ten minutes before count too: two clocks may differ.
    expect(await endedIn(id, (MANY - 1_000) * 60_000)).toBe(1_000 + 10)
    expect(await endedIn(id, MANY * 60_000)).toBe(200)
    expect(await endedIn(id, null)).toBe(200)
    const other = await begin(30)
    expect(await endedIn(other.id, 30 * 60_000 + 365 * 24 * HOUR_MS)).toBe(30)
  })

  it('loses what it sent a few pieces at a time, whichever of its streams sent them', async () => {
    const sent = await begin(0)
    const piece = (streamId: string, number: number) => ({
      ...{ stream_id: streamId, number, broadcast_id: sent.id, user_id: userId, at: number, session: 's' },
      ...{ video_id: 'v', filename: 'v.mp4', key: 'k', tail_key: null, list: '{}', looping: 0, reason: null },
      ...{ from_ms: 0, out_from_ms: 0, ms: number < 3 ? 1 : null },
    })
    const pieces = [sent.id, sent.second].flatMap((streamId) => [1, 2, 3].map((number) => piece(streamId, number)))
    await db.insertInto('sent_pieces').values(pieces).execute()
    const drop = (beforeAt: number | null, limit: number) => sentPieces(db).dropSome(sent.id, beforeAt, limit)
    expect(await drop(9, 3)).toBe(3)
    expect(await drop(9, 3)).toBe(1)
    expect(await drop(null, 3)).toBe(2)
    expect(await drop(null, 3)).toBe(0)
  })
})
