import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import { createMemory } from '../../platform/memory.ts'
import { type Awaitable, whenKnown } from '../../platform/when-known.ts'
import { createCallersRepo, type KnownCaller } from './callers.repo.ts'
import type { PlanColumns } from './plan-columns.repo.ts'

export interface RememberedCallers {
  byKeyHash(apiKeyHash: string): Awaitable<KnownCaller | null>
  byTokenHash(tokenHash: string): Awaitable<KnownCaller | null>
  planOf(userId: string): Awaitable<PlanColumns | null>
}

interface RememberedCallersDeps {
  db: Db
  changes: Pick<Changes, 'of'>
  lifeMs: number
}

const MOST_CALLERS = 5_000

const planIn = (known: KnownCaller | null): PlanColumns | null => known?.plan ?? null

/**
 * A page and a script ask many times a second: who they are and what they may is read once in that time. Any change of a user or a session
 * by this program, and on SQLite by any other, forgets it all at once; on PostgreSQL a change by another program counts within `lifeMs`.
 * Keys and tokens are known by their hash alone.
 */
export function createRememberedCallers({ db, changes, lifeMs }: RememberedCallersDeps): RememberedCallers {
  const repo = createCallersRepo(db)
  const { version } = changes.of(['users', 'sessions'])
  const memory = createMemory<KnownCaller>({ version, lifeMs, most: MOST_CALLERS })
  const ofUser = (userId: string): string => `user:${userId}`
  /** A caller who is let in is asked about right after: what they may do came with who they are. */
  const remember = (key: string, find: () => Promise<KnownCaller | null>): Awaitable<KnownCaller | null> =>
    memory.recall(key, find, ({ plan }) => [ofUser(plan.id)])

  return {
    byKeyHash: (hash) => remember(`key:${hash}`, () => repo.byKeyHash(hash)),
    byTokenHash: (hash) => remember(`token:${hash}`, () => repo.byTokenHash(hash)),
    planOf: (userId) =>
      whenKnown(
        memory.recall(ofUser(userId), () => repo.byId(userId)),
        planIn,
      ),
  }
}
