import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { StreamRow } from '../store/streams.repo.ts'
import { type AssignmentsDeps, createAssignments } from './assignments.ts'

const given = { id: 'given', epoch: 6, worker: 'one', pid: null } as StreamRow
const own = { id: 'own', epoch: 3, worker: 'one', standby: null }

/** A worker whose lease is of the run that the test says, and that is asked for one stream: what a claim answered is in `claimed`. */
function createWorker(rows: readonly StreamRow[], whileClaiming = () => {}) {
  const claimed: (string | null)[] = []
  const lease = { run: 'first' as string | null }
  const assignments = createAssignments({
    worker: 'one',
    log: pino({ level: 'silent' }),
    lease: { incarnation: () => lease.run, isHeld: () => lease.run !== null },
    assigned: { assignedTo: async () => [own] },
    repo: {
      claimSeen: async ({ id, epoch }: { id: string; epoch: number }) => ({ ...given, id, epoch: epoch + 1 }),
      async claimAssigned() {
        whileClaiming()
        return [...rows]
      },
    },
    isWaiting: () => false,
    deadNames: async () => [],
    room: () => 10,
    mostRoom: () => 10,
    async handle(_id: string, { claim }: { claim: () => Promise<StreamRow | null> }) {
      const row = await claim()
      claimed.push(row && `${row.id}@${row.epoch}`)
      return new Promise(() => {})
    },
  } as unknown as AssignmentsDeps)
  return { assignments, claimed, lease }
}

describe('what a worker is given', () => {
  it('[MANY-02] is kept in the epoch in which all of it was claimed', async () => {
    const { assignments, claimed } = createWorker([given])
    await assignments.takeGiven()
    expect(claimed).toEqual(['given@6'])
    await assignments.takeGiven()
    expect(claimed).toEqual(['given@6'])
  })

  it('[MANY-02] is not touched where the lease was lost before the claim was answered, also if there is a new one', async () => {
    for (const run of ['second', null]) {
      const { assignments, claimed, lease } = createWorker([given], () => {
        lease.run = run
      })
      await assignments.takeGiven()
      expect(claimed).toEqual([])
    }
  })

  it('[MANY-03] is found without a mark too, as the version before hands it over', async () => {
    const { assignments, claimed } = createWorker([])
    await assignments.takeGiven()
    expect(claimed).toEqual(['own@4'])
  })
})
