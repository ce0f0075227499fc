import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Changes } from '../db/changes.ts'
import { type Db, isPostgres } from '../db/database.ts'
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'
import type { FactName } from './facts.ts'

/** A fact as its readers get it. */
export interface ToldFact {
  /** Rises from fact to fact, and is never given twice. */
  readonly id: number
  readonly at: number
  readonly userId: string
  readonly subjectKind: string
  readonly subjectId: string
  /** One of `FactName`; another version may have written one that this program does not know. */
  readonly fact: FactName | (string & {})
  /** JSON. */
  readonly payload: string
}

interface FactReaderDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly log: Log
  /** Keeps its place under this name. It begins with what is told from its first start on. */
  readonly name: string
  /**
   * Writes down what follows from these facts, through `inside`: that and the reader's place are written together or not at all, so each
   * fact is taken exactly once, whatever is killed. It must do nothing else, and nothing slow: calls to others come from the rows it wrote.
   * Where much follows from few facts it may answer how many of them it took, at least one: the others come again, in another transaction.
   */
  readonly take: (inside: Db, facts: readonly ToldFact[]) => Promise<number> | Promise<void>
  /** Something was taken, and is in the database. */
  readonly onTaken?: () => void
  /** False: the disk is full. Facts wait in the outbox until there is room again. */
  readonly hasDiskRoom: () => boolean
  readonly everyMs: number
}

export interface FactReader {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Few: SQLite has one writer, and broadcasts write too. */
const AT_ONCE = 100
/** Where every change is seen anyway: for what nobody thought of. */
const POLLS_UNASKED = 30

/** Follows the outbox, in the order of its ids. Several programs may run a reader of one name: they take turns. */
export function createFactReader(deps: FactReaderDeps): FactReader {
  const { db, changes, log, name, take, onTaken, hasDiskRoom, everyMs } = deps
  const settled = createSettled(db)
  const outbox = changes.of(['outbox'])
  let seen = -1
  let unasked = 0
  let hasPlace = false
  let isStopping = false
  let end = async () => {}

  /** What is new is told from the first start on. */
  async function begin(): Promise<void> {
    await db
      .insertInto('outbox_readers')
      .values(({ selectFrom }) => ({
        name,
        after_id: selectFrom('outbox').select(({ fn }) => fn.coalesce(fn.max('id'), sql<number>`0`).as('id')),
      }))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    hasPlace = true
  }

  /** Without a lock: mostly there is nothing, and then nothing is written. */
  async function hasMore(): Promise<boolean> {
    const next = await db
      .selectFrom('outbox')
      .select('id')
      .where('id', '>', (eb) => eb.selectFrom('outbox_readers').select('after_id').where('name', '=', name))
      // PostgreSQL cannot know that there is hardly ever one, and would look for it through the whole table.
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return next !== undefined
  }

  async function takeSome(): Promise<'all-taken' | 'more-waits' | 'no-room'> {
    if (!(await hasMore())) return 'all-taken'
    if (!hasDiskRoom()) return 'no-room'
    const upTo = await settled()
    const { count, more } = await db.transaction().execute(async (inside) => {
      const after = await lockPlace(inside, name)
      const facts = await readAfter(inside, after, upTo)
      if (facts.length === 0) return { count: 0, more: false }
      const taken = (await take(inside, facts)) ?? facts.length
      const after_id = facts[taken - 1]?.id ?? after
      await inside.updateTable('outbox_readers').set({ after_id }).where('name', '=', name).execute()
      return { count: taken, more: taken < facts.length || taken === AT_ONCE }
    })
    if (count > 0) onTaken?.()
    return more ? 'more-waits' : 'all-taken'
  }

  async function poll(): Promise<void> {
    const version = outbox.version()
    if (changes.seesOthers && version === seen && unasked++ < POLLS_UNASKED) return
    unasked = 0
    if (!hasPlace) await begin()
    for (let taken = await takeSome(); taken !== 'all-taken'; taken = await takeSome()) {
      // The rest waits in the outbox, for room or for the next start.
      if (taken === 'no-room' || isStopping) return
      // Everybody else gets a turn in between.
      await anotherTurn()
    }
    // Only now: after a failure the same facts still wait. What was written meanwhile has raised the number further.
    seen = version
  }

  return {
    async start() {
      // A database that is away now must not end the program: its broadcasts are on air.
      await begin().catch((error) => log.warn({ err: error }, `${name}: the outbox could not be read`))
      end = repeat({ firstAfterMs: 0, everyMs, log, complaint: `${name}: the outbox could not be read`, work: poll })
    },
    async stop() {
      isStopping = true
      await end()
    },
  }
}

/**
 * For what follows from time alone, in the same rows: until the transaction is over nobody takes facts under this name. Returns whether facts
 * of a user are to be taken first. Those of others are no reason to wait: somebody may write them without end.
 */
export async function holdPlace(inside: Db, name: string): Promise<(userId: string) => Promise<boolean>> {
  const after = await lockPlace(inside, name)
  return async (userId) => {
    const own = inside.selectFrom('outbox').select('id').where('user_id', '=', userId).where('id', '>', after)
    return (await own.limit(1).executeTakeFirst()) !== undefined
  }
}

/** For changes of others to rows that this reader changes too. Where nobody has read under this name yet, nobody does so now. */
export async function lockReader(inside: Db, name: string): Promise<void> {
  await inside.updateTable('outbox_readers').set({ name }).where('name', '=', name).execute()
}

/** Nobody else takes facts under this name until the transaction is over. */
async function lockPlace(inside: Db, name: string): Promise<number> {
  const place = await inside
    .updateTable('outbox_readers')
    .set({ name })
    .where('name', '=', name)
    .returning('after_id')
    .executeTakeFirstOrThrow()
  return Number(place.after_id)
}

async function readAfter(inside: Db, after: number, upTo: number): Promise<ToldFact[]> {
  const rows = await inside
    .selectFrom('outbox')
    .select([
      'id',
      'at',
      'user_id as userId',
      'subject_kind as subjectKind',
      'subject_id as subjectId',
      'fact',
      'payload',
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const facts = rows.map((row) => ({ ...row, id: Number(row.id), at: Number(row.at) }))
  // Beyond what is settled only as far as no number is missing: the missing one may still come.
  const gap = facts.findIndex(({ id }, index) => id > upTo && id !== (facts[index - 1]?.id ?? after) + 1)
  return gap === -1 ? facts : facts.slice(0, gap)
}

/**
 * Up to which id nothing can come any more. SQLite has one writer, so ids come in order. On PostgreSQL a row may become visible after one
 * with a higher id, whose transaction was shorter: what lies below an id is settled once all transactions have ended that ran when that id
 * was seen.
 */
function createSettled(db: Db): () => Promise<number> {
  if (!isPostgres(db)) return async () => Number.MAX_SAFE_INTEGER
  let mark: { id: number; running: bigint } | null = null
  let upTo = 0
  return async () => {
    const { rows } = await sql<{ id: string | null; oldest: string; next: string }>`
      select (select max(id) from outbox)::text as id,
        pg_snapshot_xmin(pg_current_snapshot())::text as oldest, pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(
      db,
    )
    const [now] = rows
    if (!now) return upTo
    if (mark && BigInt(now.oldest) >= mark.running) {
      upTo = mark.id
      mark = null
    }
    mark ??= { id: Number(now.id ?? 0), running: BigInt(now.next) }
    return upTo
  }
}
