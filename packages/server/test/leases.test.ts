import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLease } from '../src/modules/broadcasts/lease/lease.ts'
import { openRedisWitness } from '../src/modules/broadcasts/lease/redis-witness.ts'
import { createWorkerLeasesRepo } from '../src/modules/broadcasts/store/worker-leases.repo.ts'
import { openPostgres } from '../src/platform/db/database.ts'
import { type MachineSet, openMachineSet } from './support/machine-set.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })
const TOLD = { room: 5, max_streams: 5, kept: 0, cpu: 0.1, memory: 0.9, short_of: null }
/** What is promised to others of a dead worker, and what a busy machine may make of it. */
const SILENT_MS = 7_500
const nothing = async (): Promise<void> => {}
const LATE = { timeoutMs: 60_000, everyMs: 250 }

let database: Awaited<ReturnType<typeof migratedPostgres>>
let redis: RedisServer

beforeAll(async () => {
  ;[database, redis] = await Promise.all([migratedPostgres(), startRedis()])
})
afterAll(async () => {
  await redis.stop()
  await database.drop()
})

/** A worker that does nothing but hold its lease, with connections of its own. */
function worker(id: string, runMark = `of ${id}`) {
  const db = openPostgres(new Secret(database.url), log, 'quick')
  const repo = createWorkerLeasesRepo(db)
  const witness = openRedisWitness(new Secret(redis.url), log)
  const seen = { lapsedAt: 0, extended: 0 }
  const onExtended = () => {
    seen.extended++
  }
  const onLapsed = () => {
    seen.lapsedAt = performance.now()
  }
  const fleet = { witness, onExtended, runMark }
  const lease = createLease({ worker: id, repo, fleet, told: () => TOLD, onLapsed, deal: nothing, log })
  return {
    ...{ repo, lease, seen },
    /** Its lines are cut: it can tell nobody anything. */
    async cut() {
      witness.close()
      await db.destroy()
    },
    async close() {
      await lease.stop()
      witness.close()
      await db.destroy()
    },
  }
}

const takerOf = async ({ repo }: ReturnType<typeof worker>, id: string) =>
  (await repo.all()).find((row) => row.id === id)?.incarnation ?? null

describe('a lease in PostgreSQL, with its witness in Redis', { timeout: 180_000 }, () => {
  it('[MANY-02] stays with a holder that has renewed it between the look and the taking', async () => {
    const { repo, cut } = worker('looker')
    const held = { id: 'renewing', incarnation: randomUUID() }
    await repo.register({ ...held, boot: 'its machine', version: '1' }, TOLD)
    const look = async () => {
      const row = (await repo.all()).find(({ id }) => id === held.id)
      if (!row) throw new Error('there is no such lease')
      return row
    }
    const seen = await look()
    expect(await repo.beat(held, TOLD)).toBe('up')
    expect(await repo.takeAway([seen], nothing)).toEqual([])
    expect(await repo.beat(held, TOLD)).toBe('up')
    expect(await repo.takeAway([await look()], nothing)).toHaveLength(1)
    // From here on it is nobody's, for its former holder too.
    expect(await repo.beat(held, TOLD)).toBeNull()
    expect(await repo.takeAway([await look()], nothing)).toEqual([])
    await cut()
  })

  it('[MANY-02] is taken from one that is cut off, after that has noticed, and from nobody else', async () => {
    const [first, second] = [worker('first'), worker('second')]
    await Promise.all([first.lease.start(), second.lease.start()])
    const looks = setInterval(() => void second.lease.look().catch(() => {}), 250)
    await sleep(2_000)
    // What Redis has forgotten is no sign of death.
    await redis.forgetEverything()
    redis.pause()
    await sleep(SILENT_MS + 2_000)
    redis.resume()
    await sleep(2_000)
    expect(first.lease.isHeld()).toBe(true)
    expect(await takerOf(second, 'first')).not.toBeNull()

    const cutAt = performance.now()
    await first.cut()
    await waitFor('its lease to be taken', async () => (await takerOf(second, 'first')) === null, LATE)
    const takenAt = performance.now()
    clearInterval(looks)
    expect(first.seen.lapsedAt).toBeGreaterThan(cutAt)
    expect(first.seen.lapsedAt).toBeLessThan(takenAt)
    expect(takenAt - cutAt).toBeGreaterThan(5_000)
    expect(first.lease.isHeld()).toBe(false)
    expect(second.lease.isHeld()).toBe(true)
    expect(second.seen.extended).toBeGreaterThan(5)
    await second.close()
    process.stdout.write(`a dead worker's lease was taken after ${((takenAt - cutAt) / 1000).toFixed(1)} s\n`)
  })

  it('a program that is started again on its machine goes on at once, and one that was ended leaves its lease to nobody', async () => {
    const before = worker('again')
    await before.lease.start()
    const after = worker('again')
    const begunAt = performance.now()
    await after.lease.start()
    expect(performance.now() - begunAt).toBeLessThan(5_000)
    // The earlier run finds out with its next beat.
    await waitFor('it to notice', async () => before.seen.lapsedAt > 0, LATE)
    expect(after.lease.isHeld()).toBe(true)
    await after.repo.setState('again', 'draining')
    await waitFor('it to hear its operator', async () => after.lease.state() === 'draining', LATE)
    await after.close()
    await before.close()
    const reader = worker('reader')
    expect(await takerOf(reader, 'again')).toBeNull()
    await reader.cut()
  })
})

describe('workers on machines of their own', { timeout: 600_000 }, () => {
  let set: MachineSet
  let own: Awaited<ReturnType<typeof migratedPostgres>>
  beforeAll(async () => {
    own = await migratedPostgres()
    set = await openMachineSet({ workers: 2, streams: 4, databaseUrl: own.url, redisUrl: await freshRedis() })
  }, 300_000)
  afterAll(async () => {
    await set?.[Symbol.asyncDispose]()
    await own?.drop()
  })
  const idsOf = async () => (await set.calls.active(set.apiKey)).map(({ streamId }) => streamId)

  it('[MANY-01] each stream was taken once, also by two that began together', async () => {
    const rows = await Promise.all((await idsOf()).map((id) => set.rowOf(id)))
    expect(rows.map(({ epoch }) => epoch)).toEqual([1, 1, 1, 1])
    for (const senders of set.holders().values()) expect(senders).toHaveLength(1)
  })

  it('[MANY-03] streams of one that drains go to the other, one at a time, and go on where they were', async () => {
    const victim = set.busiest()
    const keys = set.heldBy(victim)
    const rows = async () => Promise.all((await idsOf()).map((id) => set.rowOf(id)))
    await waitFor('all to have come far', async () => (await rows()).every((row) => row.position_ms > 5_000), LATE)
    const before = await rows()
    const db = openPostgres(new Secret(own.url), log)
    set.referee.begin()
    await createWorkerLeasesRepo(db).setState(victim.name, 'draining')
    await waitFor('all to have moved', async () => set.heldBy(victim).length === 0, LATE)
    await set.settled()
    const verdicts = set.referee.verdicts(keys)
    expect(verdicts.map(({ overlapMs }) => overlapMs)).toEqual(keys.map(() => 0))
    const gapMs = Math.max(...verdicts.map((each) => each.gapMs))
    process.stdout.write(
      `${keys.length} streams drained, each off air for at most ${(gapMs / 1000).toFixed(1)} s of 3\n`,
    )
    expect(gapMs).toBeLessThan(5 * 3_000)
    for (const { id, worker: formerWorker, position_ms } of before) {
      const row = await set.rowOf(id)
      expect(row).toMatchObject({ handover_to: null, handover_ready: 0 })
      expect(row.worker).not.toBe(victim.name)
      // From the key frame before it.
      if (formerWorker === victim.name) expect(row.position_ms).toBeGreaterThan(position_ms - 2_000)
    }
    await createWorkerLeasesRepo(db).setState(victim.name, 'up')
    await db.destroy()
  })

  it('[MANY-02] a stop of a stream whose machine is dead counts: nobody starts it again', async () => {
    const victim = set.busiest()
    const keys = set.heldBy(victim)
    const streams = await Promise.all((await idsOf()).map((id) => set.rowOf(id)))
    const { id = '' } = streams.find(({ worker: keeper }) => keeper === victim.name) ?? {}
    await victim.switchOff()
    set.referee.begin()
    await set.calls.stop(set.apiKey, id)
    await waitFor('its end', async () => (await set.rowOf(id)).phase === 'ended', LATE)
    const arrived = () => set.referee.verdicts(set.keys).flatMap(({ key, arrivals }) => (arrivals > 0 ? [key] : []))
    await waitFor('the others to be back', async () => arrived().length >= keys.length - 1, LATE)
    // Longer than it takes to find that nobody keeps it.
    await sleep(3_000)
    expect(arrived()).toHaveLength(keys.length - 1)
    expect((await set.rowOf(id)).phase).toBe('ended')
  })
})
