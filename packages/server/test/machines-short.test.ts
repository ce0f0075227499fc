import { setTimeout as sleep } from 'node:timers/promises'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopStands, MACHINE_CASES, takenOver } from './support/machine-cases.ts'
import { type MachineSet, openMachineSet } from './support/machine-set.ts'
import { openMachineTable } from './support/machine-table.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { tryCase } from './support/try-case.ts'

const STREAMS = 3
const LATE = { timeoutMs: 60_000, everyMs: 250 }

/** One of the cases: `npm run test:machines` has them all. */
const KILLED = 'kill -9 of the program'

const table = openMachineTable('Two workers on machines of their own, three broadcasts, as the ingest saw it')
let database: Awaited<ReturnType<typeof migratedPostgres>>
let s3: S3Server
let set: MachineSet

beforeAll(async () => {
  ;[database, s3] = await Promise.all([migratedPostgres(), startS3Server()])
  const stores = { databaseUrl: database.url, redisUrl: await freshRedis(), s3: s3.env }
  set = await openMachineSet({ workers: 2, streams: STREAMS, ...stores })
})
afterAll(async () => {
  table.print()
  await set?.[Symbol.asyncDispose]()
  await Promise.all([database?.drop(), s3?.stop()])
})

const rows = async () => Promise.all((await set.calls.active(set.apiKey)).map(({ streamId }) => set.rowOf(streamId)))
const workers = async (): Promise<{ id: string; state: string; streams: number; live: boolean }[]> =>
  (await set.operator.json('worker', 'list')).workers
const streamsOf = async (id: string) => (await workers()).find((worker) => worker.id === id)?.streams

describe('one keeper, always', { timeout: 300_000 }, () => {
  it('[MANY-01] each stream was taken once, also by two that began together', async () => {
    expect((await rows()).map(({ epoch }) => epoch)).toEqual(Array(STREAMS).fill(1))
    for (const senders of set.holders().values()) expect(senders).toHaveLength(1)
  })

  it(`[MANY-02] ${KILLED}`, async () => {
    const killed = MACHINE_CASES.find(({ name }) => name === KILLED)
    if (!killed) throw new Error(`there is no case '${KILLED}'`)
    await tryCase(set, table, killed)
  })

  it(`[MANY-03] ${loopStands.name}`, () => tryCase(set, table, loopStands))

  it('[MANY-03] streams of one that the operator drains go to the other, one at a time, and go on where they were', async () => {
    const kept = await waitFor('all to be counted', async () => {
      const now = await workers()
      return now.reduce((sum, { streams }) => sum + streams, 0) === STREAMS && now
    })
    expect(kept.map(({ live }) => live)).toEqual([true, true])
    const victim = set.busiest()
    const keys = set.heldBy(victim)
    const other = set.machines.find((machine) => machine !== victim)?.name ?? ''
    await waitFor('all to have come far', async () => (await rows()).every((row) => row.position_ms > 5_000), LATE)
    const before = await rows()
    set.referee.begin()
    expect((await set.operator.run('worker', 'drain', victim.name)).out).toContain('takes on no more broadcasts')
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

    await waitFor('it to be drained', async () => (await streamsOf(victim.name)) === 0, LATE)
    await waitFor('the other to have all', async () => (await streamsOf(other)) === STREAMS, LATE)
    expect((await set.operator.run('worker', 'list')).out).toMatch(new RegExp(`^${victim.name} +drained `, 'm'))
    const machines: { id: string; role: string; streams: number }[] = await waitFor('the figures of all', async () => {
      const stats = await set.operator.json('stats')
      return stats.machines.find(({ id }: { id: string }) => id === other)?.streams === STREAMS && stats.machines
    })
    expect(machines.map(({ id, role }) => `${id} ${role}`).sort()).toEqual([
      ...['machine-1 worker', 'machine-2 worker', 'web-1 web'],
    ])
    expect((await set.operator.run('worker', 'resume', victim.name)).out).toContain('takes on broadcasts again')
  })

  it.runIf(isWholeRun)(
    '[MANY-02] the machine is switched off, and a stop of one of its streams counts: nobody starts it again',
    async () => {
      await set.restore()
      const victim = set.busiest()
      const keys = set.heldBy(victim)
      const { id = '' } = (await rows()).find(({ worker }) => worker === victim.name) ?? {}
      const arrived = () => set.referee.verdicts(set.keys).flatMap(({ key, arrivals }) => (arrivals > 0 ? [key] : []))
      set.referee.begin()
      // Nobody says farewell to a store, as where a cable is pulled: its connections stand on.
      set.setLines(['postgres', 'redis', 's3'], 'silent', [victim])
      await victim.switchOff()
      await set.calls.stop(set.apiKey, id)
      await waitFor('its end', async () => (await set.rowOf(id)).phase === 'ended', LATE)
      await waitFor('the others to be back', async () => arrived().length >= keys.length - 1, LATE)
      await takenOver(set, victim, arrived())
      // Longer than it takes to find that nobody keeps it.
      await sleep(3_000)
      for (const line of Object.values(victim.lines)) line.renew()
      await victim.switchOn()
      expect(arrived()).toHaveLength(keys.length - 1)
      expect((await set.rowOf(id)).phase).toBe('ended')
      const others = set.keys.filter((key) => !keys.includes(key) || arrived().includes(key))
      const verdicts = set.referee.verdicts(others)
      table.add({ name: 'the machine is switched off', promised: 'fault', verdicts, moved: keys.length - 1 })
    },
  )
})
