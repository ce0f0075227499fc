import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { dueRows } from '../../platform/due-rows.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import { createStreamsRepo } from '../broadcasts/store/streams.repo.ts'
import type { IdentityRepo } from '../identity/identity.repo.ts'

/** What a user has in other modules. */
interface OwnedResources {
  /** False: something is still on its way off air. */
  stopStreams(userId: string): Promise<boolean>
  /** False: something is not ended at its platform yet. */
  endBroadcasts(userId: string): Promise<boolean>
  eraseFiles(userId: string): Promise<void>
  removeWebhooks(userId: string): Promise<void>
  /** All rows of the user but those of what is wanted, in small batches: with the row of the user they would go in one piece. */
  eraseRows(userId: string, isOver: () => boolean): Promise<void>
}

interface AccountRemovalDeps {
  users: Pick<IdentityRepo, 'markDeleting' | 'beingDeleted' | 'userById' | 'removeUser'>
  owned: OwnedResources
  clock: Clock
  log: Log
  timings: Pick<Timings, 'accountRemoval'>
}

const AGAIN_MS = 250
/** An account with many rows takes minutes: others go meanwhile. The rows of each go in small batches, so they take turns at the database. */
const LARGE_ACCOUNTS = { afterMs: 5_000, most: 4 } as const
/** For a platform that does not answer: nothing is sent there any more, so it ends the broadcast itself. */
const PLATFORM_PATIENCE_MS = 10 * 60_000

export type AccountRemoval = ReturnType<typeof createAccountRemoval>

/**
 * Takes an account away with everything that belongs to it. The mark in the row comes first: a program that finds it, after a crash or on
 * another machine, goes on, and each step can be done twice.
 */
export function createAccountRemoval({ users, owned, clock, log, timings }: AccountRemovalDeps) {
  let isStopping = false

  /** The owner's own call and the worker would get into each other's way: the second one waits for the first. */
  const underWay = new Map<string, Promise<boolean>>()
  function finish(userId: string, since: number): Promise<boolean> {
    const finishing = underWay.get(userId) ?? finishOne(userId, since).finally(() => underWay.delete(userId))
    underWay.set(userId, finishing)
    return finishing
  }

  /** False: not everything has let go yet. */
  async function finishOne(userId: string, since: number): Promise<boolean> {
    if (!(await users.userById(userId))) return true
    if (!(await owned.stopStreams(userId))) return false
    const ended = await owned.endBroadcasts(userId)
    if (!ended && clock.now() - since < PLATFORM_PATIENCE_MS) return false
    await owned.eraseFiles(userId)
    await owned.removeWebhooks(userId)
    await owned.eraseRows(userId, () => isStopping)
    if (isStopping) return false
    // A broadcast that was asked for at the last moment has to be ended first.
    if (!(await users.removeUser(userId, (inside) => createStreamsRepo(inside).hasWanted(userId)))) return false
    // What an upload on its way has put there meanwhile.
    await owned.eraseFiles(userId)
    log.info({ userId }, 'account deleted')
    return true
  }

  const { everyMs } = timings.accountRemoval
  const marked = dueRows({
    claim: () => users.beingDeleted(),
    idOf: ({ userId }) => userId,
    handle: ({ userId, since }) => finish(userId, since),
    // Others let go of it meanwhile, so there is nothing to be gained by waiting longer.
    backoff: { firstMs: everyMs, longestMs: everyMs },
    atOnce: 1,
    slow: LARGE_ACCOUNTS,
    everyMs,
    clock,
    log,
    complaint: 'an account could not be deleted',
  })

  return {
    /** False: it is marked, and goes as soon as everything has let go of it. */
    async remove(userId: string): Promise<boolean> {
      const since = clock.now()
      await users.markDeleting(userId, since)
      for (const until = Date.now() + timings.accountRemoval.answerMs; Date.now() < until; await sleep(AGAIN_MS)) {
        const finishing = finish(userId, since)
        // A large account takes minutes: its owner need not wait for that, and the worker would go on with it.
        finishing.catch((error) => log.warn({ err: error }, 'an account could not be deleted yet'))
        const late = sleep(Math.max(0, until - Date.now()), false, { ref: false })
        if (await Promise.race([finishing, late])) return true
      }
      return false
    },
    /** In the worker role. */
    start: marked.start,
    async stop(): Promise<void> {
      isStopping = true
      await marked.stop()
    },
  }
}
