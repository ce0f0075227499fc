import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { type RedisServer, startRedis } from '@siarin/testkit/redis'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Beats, BeatsOf } from '../src/modules/broadcasts/lease/beats.ts'
import { createLease } from '../src/modules/broadcasts/lease/lease.ts'
import { openRedisWitness } from '../src/modules/broadcasts/lease/redis-witness.ts'
import { startBeatThread } from '../src/modules/broadcasts/lease/start-beat-thread.ts'
import { createWorkerLeasesRepo } from '../src/modules/broadcasts/store/worker-leases.repo.ts'
import { openPostgres } from '../src/platform/db/database.ts'
import { machineTime, openDeadlineFile, overdueMs } from '../src/platform/process/warden/deadline.ts'
import { migratedPostgres } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })
const TOLD = { room: 5, max_streams: 5, kept: 0, cpu: 0.1, memory: 0.9, short_of: null }
/** What is promised to others of a dead worker, and what a busy machine may make of it. */
const SILENT_MS = 7_500
const nothing = async (): Promise<void> => {}
const LATE = { timeoutMs: 60_000, everyMs: 250 }

let database: Awaited<ReturnType<typeof migratedPostgres>>
let redis: RedisServer
let folder: TempDir

beforeAll(async () => {
  ;[database, redis, folder] = await Promise.all([migratedPostgres(), startRedis(), tempDir('leases')])
})
afterAll(async () => {
  await folder.remove()
  await redis.stop()
  await database.drop()
})

/** A worker that does nothing but hold its lease, with connections of its own. */
function worker(id: string, runMark = `of ${id}`) {
  const db = openPostgres(new Secret(database.url), log, 'quick')
  const repo = createWorkerLeasesRepo(db)
  const witness = openRedisWitness(new Secret(redis.url), log)
  const seen = { lapsedAt: 0 }
  const onLapsed = () => {
    seen.lapsedAt = performance.now()
  }
  const deadlinePath = join(folder.path, `${id}-${randomUUID()}`)
  const stores = { databaseUrl: new Secret(database.url), redisUrl: new Secret(redis.url), deadlinePath }
  const deadline = openDeadlineFile(deadlinePath)
  let beats: Beats | null = null
  const startBeats = (of: BeatsOf): Beats => {
    beats = startBeatThread({ ...of, ...stores, watchdogMs: 20_000, log })
    return beats
  }
  const onExtended = (untilMs: bigint) => deadline.extend(Number(untilMs))
  const fleet = { witness, onExtended, runMark, startBeats }
  const lease = createLease({ worker: id, repo, fleet, told: () => TOLD, onLapsed, deal: nothing, log })
  return {
    ...{ repo, lease, seen },
    /** How long its ffmpegs may still run, by what the warden would read. */
    leftMs: () => -overdueMs(deadline.read(), machineTime()),
    /** Its lines are cut: it can tell nobody anything. */
    async cut() {
      await beats?.stop()
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
    const checks = setInterval(() => void second.lease.checkFleet().catch(() => {}), 250)
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
    clearInterval(checks)
    expect(first.seen.lapsedAt).toBeGreaterThan(cutAt)
    expect(first.seen.lapsedAt).toBeLessThan(takenAt)
    expect(takenAt - cutAt).toBeGreaterThan(5_000)
    expect(first.lease.isHeld()).toBe(false)
    expect(second.lease.isHeld()).toBe(true)
    expect(first.leftMs()).toBeLessThan(0)
    expect(second.leftMs()).toBeGreaterThan(0)
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

  it('[MANY-02] is renewed while the loop stands still, and the loop knows the truth as soon as it goes on', async () => {
    const one = worker('standing')
    await one.lease.start()
    const before = one.lease.incarnation()
    expect(before).not.toBeNull()
    // This loop itself, for longer than an unrenewed lease holds: nothing of ours runs meanwhile but the thread.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SILENT_MS)
    expect([one.lease.incarnation(), one.seen.lapsedAt]).toEqual([before, 0])
    expect(one.leftMs()).toBeGreaterThan(0)
    expect((await one.repo.all()).find(({ id }) => id === 'standing')?.isLive).toBe(true)
    await one.close()
  })
})
