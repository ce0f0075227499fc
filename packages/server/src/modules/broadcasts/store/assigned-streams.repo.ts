import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Claim } from './stream-figures.ts'
import { isWanted } from './wanted-streams.ts'

/** A wanted stream as a sweep sees it. Each change names the epoch: only one of two succeeds. */
export interface AssignableStream extends Claim {
  readonly worker: string | null
  readonly standby: string | null
}

export interface HandedStream extends Claim {
  readonly handover_to: string | null
  readonly handover_ready: number
}

export type AssignedStreamsRepo = ReturnType<typeof assignedStreams>

/** Which channel of PostgreSQL tells workers that there may be something for them. A hint: the rows are the truth. */
export const STREAMS_CHANNEL = 'siarin_streams'

/** Any number that nothing else in this database locks: deals come one after the other. */
const DEAL_LOCK = 7_420_020
const MOST_DEALT = 5_000
/** A value of `handover_ready`: the stream was given to its worker, who has not claimed it yet. */
export const ASSIGNED = 2

/** Which worker gets which stream, by what it has told of its room. */
type DealtTo = (streams: readonly AssignableStream[]) => Iterable<readonly [id: string, to: string]>

const keptBy = (db: Db, workers: readonly string[]) =>
  db
    .selectFrom('streams')
    .select(['id', 'epoch', 'worker', 'standby'])
    .where('worker', 'in', [...workers])
    .where(isWanted)

const wantedOnes = (db: Db) => db.selectFrom('streams').select(['id', 'epoch', 'worker', 'standby']).where(isWanted)

/**
 * What was on air stands first, and each kind has a limit of its own: many that wait for their video hide none that has to come back. Two questions,
 * since each has an index of its own: as one, it would be answered by reading all streams.
 */
async function freeStreams(db: Db, formerWorkers: readonly string[], limit: number): Promise<AssignableStream[]> {
  const oldest = <T extends ReturnType<typeof wantedOnes>>(some: T) =>
    some.orderBy('created_at').orderBy('id').limit(limit).execute()
  const left = formerWorkers.length === 0 ? [] : await oldest(wantedOnes(db).where('worker', 'in', [...formerWorkers]))
  return [...left, ...(await oldest(wantedOnes(db).where('worker', 'is', null)))]
}

/**
 * Many in one statement: if each worker claimed them one by one, the last of thousands would be off air for half a minute. What a worker was
 * given since it told its room counts too: beyond its places it gets nothing.
 */
async function dealOut(inside: Db, streams: readonly AssignableStream[], choose: DealtTo): Promise<void> {
  const epochOf = new Map(streams.map(({ id, epoch }) => [id, epoch]))
  const dealt = [...choose(streams)]
  if (dealt.length === 0) return
  const ids = dealt.map(([id]) => id)
  const epochs = ids.map((id) => epochOf.get(id) ?? 0)
  const workers = dealt.map(([, to]) => to)
  await sql`select pg_advisory_xact_lock(${DEAL_LOCK})`.execute(inside)
  // A process of a dead machine may have the number of one of the next.
  await sql`
    with given as (
      select id, epoch, worker, row_number() over (partition by worker) as place
      from unnest(${ids}::text[], ${epochs}::bigint[], ${workers}::text[]) as given (id, epoch, worker)
    ), kept as (
      select worker, count(*) as count from streams where phase <> 'ended' group by worker
    ), fitting as (
      select given.id, given.epoch, given.worker from given
      join worker_leases on worker_leases.id = given.worker
      left join kept on kept.worker = given.worker
      where given.place + coalesce(kept.count, 0) <= worker_leases.max_streams
    ), dealt as (
      update streams set worker = fitting.worker, pid = null, pid_birth = null, handover_to = null,
        handover_ready = ${ASSIGNED}, standby = null, epoch = streams.epoch + 1
      from fitting where streams.id = fitting.id and streams.epoch = fitting.epoch and streams.phase <> 'ended'
      returning fitting.worker
    )
    select pg_notify(${STREAMS_CHANNEL}, worker) from (select distinct worker from dealt) as workers`.execute(inside)
}

/** Whose streams are whose, where there are several machines. */
export const assignedStreams = (db: Db) => ({
  ...handovers(db),
  /** Wanted and kept by nobody: of these workers, then those that were never taken, at most `limit` of each. */
  free: (formerWorkers: readonly string[], limit: number): Promise<AssignableStream[]> =>
    freeStreams(db, formerWorkers, limit),
  /** False: somebody else is about it. */
  async dealFree(formerWorkers: readonly string[], choose: DealtTo): Promise<boolean> {
    return db.transaction().execute(async (inside) => {
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(${DEAL_LOCK}) as "isOurs"`.execute(inside)
      if (!rows[0]?.isOurs) return false
      await dealOut(inside, await freeStreams(inside, formerWorkers, MOST_DEALT), choose)
      return true
    })
  },
  /** Deals the streams of dead workers, in the transaction that takes their leases away. */
  async dealOf(dead: readonly string[], choose: DealtTo): Promise<void> {
    await dealOut(db, await keptBy(db, dead).limit(MOST_DEALT).execute(), choose)
  },
  assignedTo: (worker: string): Promise<AssignableStream[]> => keptBy(db, [worker]).execute(),
  /** Every name that a wanted stream is kept under. */
  async keeperNames(): Promise<string[]> {
    // From each name to the next one by the index: reading all streams would take as long as there are many.
    const { rows } = await sql<{ worker: string }>`
      with recursive names (worker) as (
        (select min(worker) from streams where ${isWanted})
        union all
        select (select min(streams.worker) from streams where streams.worker > names.worker and ${isWanted})
        from names where names.worker is not null
      )
      select worker from names where worker is not null`.execute(db)
    return rows.map(({ worker }) => worker)
  },
  /** Which worker is to have the video of a stream at hand: many in one statement. */
  async setStandbys(standbys: readonly { claim: Claim; standby: string | null }[]): Promise<void> {
    if (standbys.length === 0) return
    const values = standbys.map(
      ({ claim, standby }) => sql`(${claim.id}::text, ${claim.epoch}::bigint, ${standby}::text)`,
    )
    await sql`
      update streams set standby = given.column3 from (values ${sql.join(values)}) as given
      where streams.id = given.column1 and streams.epoch = given.column2`.execute(db)
  },
  /** What this worker may have to send next, of the streams that it stands by for: their videos, then those that stand in for a source. */
  async videosToStandBy(worker: string): Promise<{ videoId: string; recipe: string | null }[]> {
    const rows = await db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select(['streams.video_id', 'position_recipe', 'streams.recipe', 'broadcasts.fallback_video_id'])
      .where('standby', '=', worker)
      .where(isWanted)
      .execute()
    const own = rows.flatMap(({ video_id, position_recipe, recipe }) =>
      video_id === null ? [] : [{ videoId: video_id, recipe: position_recipe ?? recipe }],
    )
    // They are sent as they are.
    const standIns = rows.flatMap(({ fallback_video_id: videoId }) => (videoId ? [{ videoId, recipe: null }] : []))
    return [...own, ...standIns]
  },
  async hint(): Promise<void> {
    await sql`select pg_notify(${STREAMS_CHANNEL}, '')`.execute(db)
  },
})

/** A stream goes from a worker that is about to end to one that is ready for it. */
const handovers = (db: Db) => ({
  /** Offers a stream that this worker keeps; null: it stays here after all. */
  async offer({ id, epoch }: Claim, to: string | null): Promise<void> {
    await db
      .updateTable('streams')
      .set({ handover_to: to, handover_ready: 0 })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .execute()
  },
  async offeredTo(worker: string): Promise<HandedStream[]> {
    return db
      .selectFrom('streams')
      .select(['id', 'epoch', 'handover_to', 'handover_ready'])
      .where('handover_to', '=', worker)
      .where(isWanted)
      .execute()
  },
  async offeredBy(worker: string): Promise<HandedStream[]> {
    return db
      .selectFrom('streams')
      .select(['id', 'epoch', 'handover_to', 'handover_ready'])
      .where('worker', '=', worker)
      .where('handover_to', 'is not', null)
      .where(isWanted)
      .execute()
  },
  /** By the next worker: it has the file, and would start at once. */
  async acceptOffer({ id, epoch }: Claim, worker: string): Promise<void> {
    await db
      .updateTable('streams')
      .set({ handover_ready: 1 })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('handover_to', '=', worker)
      .execute()
  },
  /** By the worker that had it, once its ffmpeg has ended and its position is written. False: somebody else has it. */
  async handOver({ id, epoch }: Claim, to: string): Promise<boolean> {
    const { rows } = await sql<{ id: string }>`
      with handed as (
        update streams set worker = ${to}, handover_to = null, handover_ready = ${ASSIGNED}, standby = null, epoch = epoch + 1
        where id = ${id} and epoch = ${epoch} and phase <> 'ended' returning id)
      select id, pg_notify(${STREAMS_CHANNEL}, ${to}) from handed`.execute(db)
    return rows.length > 0
  },
})
