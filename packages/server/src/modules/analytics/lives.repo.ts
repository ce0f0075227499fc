import type { Insertable, Selectable } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import type { StatStreamTable } from '../../platform/db/tables/analytics.ts'
import { listBroadcasts } from './list-broadcasts.ts'
import { addSpans, type NumberedLife, type SpanRow, saveLives, spanOf, spanRow } from './save-lives.ts'
import { type KnownLife, type Life, lifeOf } from './spans.ts'

/** A stream as those tell who keep it. */
interface NamedLife extends KnownLife {
  readonly streamId: string
  readonly broadcastId: string
  readonly userId: string
  readonly title: string
  readonly platform: string
  readonly targetName: string | null
}

/** These, or all that are wanted. Those that are gone are left out. */
export type LivesOf = (db: Db, which: readonly string[] | 'wanted') => Promise<readonly NamedLife[]>

/** What is told of a stream first, among facts that are taken together. */
export interface FirstTold {
  readonly isBeginning: boolean
  readonly earliestAt: number
}

/** A statement takes a bounded number of values, and one of SQLite keeps all other writers waiting. */
const ROWS_AT_ONCE = 100

export type LivesRepo = ReturnType<typeof createLivesRepo>

/** Which of these are known already, with their numbers. */
async function known(inside: Db, streamIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inside
    .selectFrom('stat_streams')
    .select(['id', 'stream_id'])
    .where('stream_id', 'in', [...streamIds])
    .execute()
  return new Map(rows.map(({ id, stream_id }) => [stream_id, id]))
}

function* chunks<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

const streamRow = (named: NamedLife, life: Life): Insertable<StatStreamTable> => ({
  stream_id: named.streamId,
  broadcast_id: named.broadcastId,
  user_id: named.userId,
  title: named.title,
  platform: named.platform,
  target_name: named.targetName,
  asked_at: named.askedAt,
  known_from: life.knownFrom,
  first_live_at: life.firstLiveAt,
  listed: 1,
})

/** In a transaction, all at once: when a crowd starts there is no time for each. One that is known already stays as it is. */
async function add(inside: Db, named: readonly NamedLife[], lifeOfNamed: (one: NamedLife) => Life): Promise<void> {
  for (const some of chunks(named, ROWS_AT_ONCE)) {
    const lives = new Map(some.map((one) => [one.streamId, { one, life: lifeOfNamed(one) }]))
    const added = await inside
      .insertInto('stat_streams')
      .values([...lives.values()].map(({ one, life }) => streamRow(one, life)))
      .onConflict((conflict) => conflict.column('stream_id').doNothing())
      .returning(['id', 'stream_id', 'broadcast_id', 'user_id', 'asked_at'])
      .execute()
    await listBroadcasts(inside, added)
    await addSpans(
      inside,
      added.flatMap(({ id, stream_id }) => {
        const { one, life } = lives.get(stream_id) ?? {}
        return one && life ? life.spans.map((span) => spanRow(id, one.userId, span)) : []
      }),
    )
  }
}

const isNew = ({ askedAt }: NamedLife): Life => ({
  ...{ knownFrom: askedAt, firstLiveAt: null, endedAt: null, endReason: null, endCause: null, spans: [] },
})

/** One that was on air before anybody followed it is known from what is told of it first: what was before counts as nothing. */
const isNewAt = (named: NamedLife, first: FirstTold | undefined): Life =>
  !first || first.isBeginning || named.firstLiveAt === null
    ? isNew(named)
    : { ...isNew(named), knownFrom: first.earliestAt, firstLiveAt: named.firstLiveAt }

/** The lives of streams, as they are written. */
export function createLivesRepo(db: Db, livesOf: LivesOf) {
  /** What is on air when analytics begins, as far as the rows tell of it. Once, in a transaction. */
  async function seed(inside: Db, now: number): Promise<void> {
    const begun = await inside
      .insertInto('stat_places')
      .values({ name: 'seeded', at: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    if (!begun) return
    await add(inside, await livesOf(inside, 'wanted'), (named) => lifeOf(named, now))
  }

  return {
    /** Makes those known that are not yet. One that nobody keeps any more has no number. */
    async numbersOf(streamIds: readonly string[], now: number): Promise<Map<string, number>> {
      const before = await known(db, streamIds)
      const missing = streamIds.filter((id) => !before.has(id))
      if (missing.length === 0) return before
      return atomically(db, async (inside) => {
        // The start may have failed to: what is on air already would begin without its run.
        await seed(inside, now)
        await add(inside, await livesOf(inside, missing), isNew)
        return known(inside, streamIds)
      })
    },
    seed,
    /** With their last stretches. Those that are not known yet begin here. */
    async load(inside: Db, firsts: ReadonlyMap<string, FirstTold>): Promise<Map<string, NumberedLife>> {
      const streamIds = [...firsts.keys()]
      if (streamIds.length === 0) return new Map()
      const before = await known(inside, streamIds)
      const missing = streamIds.filter((id) => !before.has(id))
      if (missing.length > 0) {
        await add(inside, await livesOf(inside, missing), (named) => isNewAt(named, firsts.get(named.streamId)))
      }
      const rows = await inside.selectFrom('stat_streams').selectAll().where('stream_id', 'in', streamIds).execute()
      const lastOf = await lastSpans(
        inside,
        rows.map(({ id }) => id),
      )
      const lives = new Map<string, NumberedLife>()
      for (const row of rows) {
        const earliestAt = firsts.get(row.stream_id)?.earliestAt ?? row.asked_at
        lives.set(row.stream_id, numberedLife(row, await spansUpTo(inside, lastOf.get(row.id), earliestAt)))
      }
      return lives
    },
    save: saveLives,
    noteSchedule,
  }
}

const numberedLife = (row: Selectable<StatStreamTable>, last: readonly SpanRow[]): NumberedLife => ({
  streamNo: row.id,
  userId: row.user_id,
  platform: row.platform,
  seenAt: row.seen_at,
  knownFrom: row.known_from,
  firstLiveAt: row.first_live_at,
  endedAt: row.ended_at,
  endReason: row.end_reason,
  endCause: row.end_cause,
  spans: last.map(spanOf),
})

async function noteSchedule(
  inside: Db,
  broadcastId: string,
  schedule: { scheduleId: string; title: string; dueAt: number },
): Promise<void> {
  await inside
    .updateTable('stat_streams')
    .set({
      schedule_id: schedule.scheduleId,
      schedule_title: schedule.title,
      schedule_due_at: schedule.dueAt,
    })
    .where('broadcast_id', '=', broadcastId)
    .execute()
}

/** The last one of each, by the stream's number. */
async function lastSpans(inside: Db, streamNos: readonly number[]): Promise<Map<number, SpanRow>> {
  if (streamNos.length === 0) return new Map()
  const rows = await inside
    .selectFrom('stat_streams')
    .innerJoin('stat_spans', (join) =>
      join.on('stat_spans.id', '=', ({ selectFrom }) =>
        selectFrom('stat_spans as newest')
          .select('newest.id')
          .whereRef('newest.stream_no', '=', 'stat_streams.id')
          .orderBy('newest.began_at', 'desc')
          .orderBy('newest.id', 'desc')
          .limit(1),
      ),
    )
    .selectAll('stat_spans')
    .where('stat_streams.id', 'in', [...streamNos])
    .execute()
  return new Map(rows.map((row) => [row.stream_no, row]))
}

/** The last one, with those that end after this moment: the clock was ahead then, and they are many only then. In order of time. */
async function spansUpTo(inside: Db, last: SpanRow | undefined, at: number): Promise<SpanRow[]> {
  if (!last) return []
  if ((last.ended_at ?? last.began_at) <= at) return [last]
  const ahead = await inside
    .selectFrom('stat_spans')
    .selectAll()
    .where('stream_no', '=', last.stream_no)
    .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', at)]))
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return ahead.reverse()
}
