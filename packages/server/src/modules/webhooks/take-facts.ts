import type { WebhookEvent } from '@siarin/contracts/webhooks'
import { type Insertable, sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import type { WebhookDeliveryTable } from '../../platform/db/tables/webhooks.ts'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import { newDeliveryId } from './delivery-id.ts'
import { bodyOf, eventOf, type StreamWords, subjectOf } from './event-of.ts'
import { createQueueCaps } from './queue-caps.ts'

interface TakeFactsDeps {
  /** What people know these streams by, read through `inside`. */
  readonly streamWords: (inside: Db, streamIds: readonly string[]) => Promise<ReadonlyMap<string, StreamWords>>
  readonly now: () => number
  /** How many may wait. */
  readonly most: Parameters<typeof createQueueCaps>[0]
}

interface Listener {
  readonly id: string
  readonly userId: string
  readonly events: ReadonlySet<string>
  /** What was told before it was added may be taken only now, and is none of its news. */
  readonly afterFact: number
}

type NewDelivery = Insertable<WebhookDeliveryTable> & { fact_id: number }

interface Told {
  readonly fact: ToldFact
  readonly event: WebhookEvent
}

/** In one transaction: SQLite has one writer, and broadcasts write too. */
const ROWS_AT_ONCE = 200

/** Writes a delivery for each endpoint that wants to hear of a fact. Answers how many of the facts are done with. */
export function createTakeFacts({ streamWords, now, most }: TakeFactsDeps) {
  const keepToCaps = createQueueCaps(most)
  return async (inside: Db, facts: readonly ToldFact[]): Promise<number> => {
    const told = facts.flatMap((fact): Told[] => {
      const event = eventOf(fact)
      return event ? [{ fact, event }] : []
    })
    if (told.length === 0) return facts.length
    const listeners = await listenersOf(inside, [...new Set(told.map(({ fact }) => fact.userId))])
    const { heard, rest } = firstRows(told, listeners)
    const done = rest ? facts.indexOf(rest.fact) : facts.length
    if (heard.length === 0) return done
    const streamIds = heard.flatMap(({ fact }) => (fact.subjectKind === 'stream' ? [fact.subjectId] : []))
    const words = await streamWords(inside, [...new Set(streamIds)])
    const at = now()
    const rows = heard.flatMap(({ fact, event }): NewDelivery[] => {
      const body = bodyOrNull(fact, event, words.get(fact.subjectId) ?? null)
      if (body === null) return []
      return listeners
        .filter((each) => hears(each, fact, event))
        .map(({ id, userId }) => ({
          ...{ id: newDeliveryId(at), endpoint_id: id, user_id: userId, fact_id: fact.id },
          ...{ event, subject: subjectOf(fact), body, state: 'waiting', created_at: at, since_at: at },
        }))
    })
    if (rows.length === 0) return done
    await insertBehind(inside, rows, at)
    await keepToCaps(inside, rows, at)
    return done
  }
}

/** What somebody hears, up to as many rows as are written at once; `rest`: the first that has to wait. */
function firstRows(told: readonly Told[], listeners: readonly Listener[]): { heard: Told[]; rest: Told | null } {
  const heard: Told[] = []
  let rows = 0
  for (const each of told) {
    const count = listeners.filter((listener) => hears(listener, each.fact, each.event)).length
    if (count === 0) continue
    if (heard.length > 0 && rows + count > ROWS_AT_ONCE) return { heard, rest: each }
    heard.push(each)
    rows += count
  }
  return { heard, rest: null }
}

/** One that cannot be read must not keep everybody's news waiting. */
function bodyOrNull(...told: Parameters<typeof bodyOf>): string | null {
  try {
    return bodyOf(...told)
  } catch {
    return null
  }
}

const hears = ({ userId, events, afterFact }: Listener, fact: ToldFact, event: WebhookEvent): boolean =>
  userId === fact.userId && fact.id > afterFact && events.has(event)

/**
 * Locked in the order of their ids: two that want the same ones do not wait for each other. Also those that hear nothing now: of all of
 * them the oldest go where a user has too many.
 */
async function listenersOf(inside: Db, userIds: readonly string[]): Promise<Listener[]> {
  const rows = await inside
    .selectFrom('webhook_endpoints')
    .select(['id', 'user_id', 'events', 'after_fact', 'state'])
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .$if(isPostgres(inside), (query) => query.forUpdate())
    .execute()
  return rows
    .filter(({ state }) => state === 'active')
    .map(({ id, user_id, events, after_fact }) => ({
      ...{ id, userId: user_id, afterFact: Number(after_fact) },
      events: new Set(JSON.parse(events)),
    }))
}

/** Only where nothing waits about the same subject it is due at once. */
async function insertBehind(inside: Db, rows: readonly NewDelivery[], now: number): Promise<void> {
  const keyOf = (row: { endpoint_id: string; subject: string }): string => `${row.endpoint_id} ${row.subject}`
  const pairs = new Map(rows.map((row) => [keyOf(row), sql`(${row.endpoint_id}, ${row.subject})`]))
  // However many wait about a subject, the first of them is enough to know.
  const waiting = await sql<{ endpoint_id: string; subject: string }>`
    select pair.column1 as endpoint_id, pair.column2 as subject from (values ${sql.join([...pairs.values()])}) as pair
    where exists (select 1 from webhook_deliveries where endpoint_id = pair.column1 and subject = pair.column2
      and state = 'waiting' and in_order = 1)`.execute(inside)
  const taken = new Set(waiting.rows.map(keyOf))
  const placed = rows.map((row) => {
    const isFirst = !taken.has(keyOf(row))
    taken.add(keyOf(row))
    return { ...row, due_at: isFirst ? now : null }
  })
  await inside.insertInto('webhook_deliveries').values(placed).execute()
}
