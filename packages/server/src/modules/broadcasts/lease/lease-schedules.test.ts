import { describe, expect, it } from 'vitest'
import {
  createLines,
  createReferee,
  type Lease,
  type Machine,
  newMachine,
  type Store,
  type StreamModel,
} from '../../../../test/support/lease-model.ts'
import { createTimers, randomOf } from '../../../../test/support/simulated-time.ts'
import { BEAT_MS, type Hold, held, judged, KILL_AFTER_MS, lapsed, mayTake, renewed, sighted } from './lease-state.ts'

/*
 * Machines, a database, a witness and the lines between them, for the test of the rules: only time is simulated, the transitions are the
 * real ones. Everything that happens follows from the seed.
 */

const RUN_MS = 120_000
const STREAMS = 6
/** What the last guard of a machine may need beyond KILL_AFTER_MS. */
const GUARD_MS = 850

function runSchedule(seed: number) {
  const random = randomOf(seed)
  const { now, after, runUntil } = createTimers()
  const below = (limit: number): number => Math.floor(random() * limit)
  const oneOf = <T>(things: readonly T[]): T => things[below(things.length)] as T

  const leases = new Map<string, Lease>()
  const streams = new Map<string, StreamModel>()
  for (let index = 0; index < STREAMS; index++) streams.set(`s${index}`, { owner: null, epoch: 0 })
  let witness = { runId: 'r0', era: null as string | null, beats: new Map<string, string>() }
  let snapshot = witness
  /** A call is given up after so long. No rule depends on it. */
  const callMs = seed % 2 === 0 ? 1_500 : 30_000
  const isDown: Record<Store, boolean> = { database: false, witness: false }
  const counted = { taken: 0, dealt: 0, claims: 0, givenClaims: 0 }
  let names = 0

  // The last one is a copy of the first, as of a disk that somebody has cloned.
  const machines = [newMachine('m0', 'w0'), newMachine('m1', 'w1'), newMachine('m2', 'w2')]
  if (seed % 3 === 0) machines.push(newMachine('m3', 'w0'))

  const { inThread, inLoop, standStill, loseBoth, call } = createLines({ after, below, isDown, callMs })

  function setHold(machine: Machine, hold: Hold): void {
    machine.hold = hold
    if (hold.at === 'held') machine.fenceMs = Math.max(machine.fenceMs, hold.deadlineMs)
    // A loop that stands still finds it out later: until then its warden ends what it keeps.
    else if (!machine.isStanding) machine.kept.clear()
  }

  function register(machine: Machine): void {
    const incarnation = `i${names++}`
    const begunMs = now()
    const { boot, worker } = machine
    const atStore = (): boolean => {
      const row = leases.get(worker)
      if (row && row.incarnation !== null && row.boot !== boot) return false
      leases.set(worker, { incarnation, boot, seq: (row?.seq ?? 0) + 1 })
      return true
    }
    call(machine, 'database', atStore, (isOurs) => {
      const hold = judged(held(incarnation, begunMs), now())
      if (isOurs && hold.at === 'held') setHold(machine, hold)
    })
  }

  function goOnAfterLapse(machine: Machine): void {
    const hold = machine.hold && judged(machine.hold, now())
    if (hold?.at === 'held') return
    if (hold) setHold(machine, hold)
    register(machine)
  }

  /** Not on the event loop. */
  function beat(machine: Machine): void {
    const hold = machine.hold && judged(machine.hold, now())
    if (!hold || hold.at === 'lapsed') {
      inLoop(machine, () => goOnAfterLapse(machine))
      return
    }
    const begunMs = now()
    const { worker } = machine
    const count = (isOurs: boolean | null) => {
      const { hold: before } = machine
      if (isOurs === null || before?.incarnation !== hold.incarnation) return
      setHold(machine, isOurs ? renewed(before, begunMs, now()) : lapsed(before))
    }
    const atDatabase = (): boolean => {
      const row = leases.get(worker)
      if (row?.incarnation !== hold.incarnation) return false
      row.seq++
      return true
    }
    call(machine, 'database', atDatabase, count, inThread)
    const atWitness = () => Boolean(witness.beats.set(worker, `${hold.incarnation}:${names++}`))
    call(machine, 'witness', atWitness, count, inThread)
  }

  /** With the lease, what the dead one kept goes to others; now and then there is nobody with room, and it is left to the sweeps. */
  function deal(dead: string): void {
    const takers = [...leases].filter(([, { incarnation }]) => incarnation !== null)
    for (const [id, { owner, epoch }] of streams) {
      if (owner !== dead || takers.length === 0 || below(4) === 0) continue
      streams.set(id, { owner: oneOf(takers)[0], epoch: epoch + 1, isGiven: true })
      counted.dealt++
    }
  }

  function take(machine: Machine, id: string, seen: Lease): void {
    const atStore = (): void => {
      const row = leases.get(id)
      if (!row || row.incarnation !== seen.incarnation || row.seq !== seen.seq) return
      leases.set(id, { ...row, incarnation: null, seq: row.seq + 1 })
      counted.taken++
      deal(id)
    }
    call(machine, 'database', atStore, () => claimSome(machine))
  }

  function sweep(machine: Machine): void {
    const rowAskedMs = now()
    const readRows = () => new Map([...leases].map(([id, row]) => [id, { ...row }]))
    call(machine, 'database', readRows, (rows) => {
      if (!rows) return
      for (const [id, { incarnation, seq }] of rows) {
        machine.rows.set(id, sighted(machine.rows.get(id), `${incarnation}:${seq}`, now()))
      }
      const witnessAskedMs = now()
      const eraOf = () => (witness.era ??= `e${names++}`)
      const look = () => ({ of: `${witness.runId}:${eraOf()}`, beats: new Map(witness.beats) })
      call(machine, 'witness', look, (seen) => {
        if (!seen) return
        for (const [id, row] of rows) {
          const shown = `${seen.of}:${seen.beats.get(id) ?? ''}`
          machine.witnesses.set(id, sighted(machine.witnesses.get(id), shown, now()))
          const isOwn = id === machine.worker && (machine.hold?.at === 'held' || row.boot === machine.boot)
          const sightings = { row: machine.rows.get(id), witness: machine.witnesses.get(id) }
          if (row.incarnation !== null && !isOwn && mayTake({ ...sightings, rowAskedMs, witnessAskedMs })) {
            take(machine, id, row)
          }
        }
      })
    })
    claimSome(machine)
  }

  const heldRun = ({ hold }: Machine): string | null =>
    hold && judged(hold, now()).at === 'held' ? hold.incarnation : null

  /** All that it was dealt, in one call that answers which those were. */
  function claimAssigned(machine: Machine): void {
    const run = heldRun(machine)
    if (run === null) return
    const { worker } = machine
    const claim = () =>
      [...streams].flatMap(([id, { owner, epoch, isGiven }]) => {
        if (owner !== worker || !isGiven) return []
        streams.set(id, { owner, epoch: epoch + 1 })
        return [[id, epoch + 1] as const]
      })
    call(machine, 'database', claim, (claimed) => {
      for (const [id, epoch] of (heldRun(machine) === run && claimed) || []) {
        if (!machine.kept.has(id)) counted.givenClaims++
        machine.kept.set(id, machine.kept.get(id) ?? epoch)
      }
    })
  }

  function claimSome(machine: Machine): void {
    const run = heldRun(machine)
    if (run === null) return
    const { worker } = machine
    const isFree = ({ owner }: StreamModel): boolean => owner === null || leases.get(owner)?.incarnation === null
    const readFree = () =>
      [...streams].flatMap(([id, stream]) =>
        isFree(stream) || stream.owner === worker ? [[id, stream.epoch] as const] : [],
      )
    call(machine, 'database', readFree, (found) => {
      for (const [id, epoch] of found ?? []) {
        if (machine.kept.has(id)) continue
        const claim = (): boolean => {
          const stream = streams.get(id)
          if (stream?.epoch !== epoch) return false
          streams.set(id, { owner: worker, epoch: epoch + 1 })
          counted.claims++
          return true
        }
        call(machine, 'database', claim, (isOurs) => {
          // Asked right before a process is started.
          if (isOurs && heldRun(machine) === run) machine.kept.set(id, epoch + 1)
        })
      }
    })
  }

  const { checkOverlaps, overlaps, forget } = createReferee({
    machines,
    ids: [...streams.keys()],
    now,
    goesOnForMs: KILL_AFTER_MS + GUARD_MS,
  })

  const flush = (): void => {
    witness = { ...witness, era: null, beats: new Map() }
  }

  /** The witness forgets what it was told between two times of forgetting, just before nobody can be told anything any more. */
  function loseTwice(machine: Machine): void {
    machine.faulty.database = 'cut'
    after(7_000 + below(2_000), flush)
    after(14_000 + below(2_000), () => {
      flush()
      machine.faulty.witness = 'cut'
    })
    after(30_000, () => Object.assign(machine.faulty, { database: 'fine', witness: 'fine' }))
  }

  function fault(): void {
    after(500 + below(6_000), fault)
    const machine = oneOf(machines)
    const store = oneOf<Store>(['database', 'witness'])
    const forMs = 200 + below(20_000)
    const kind = below(12)
    if (kind === 9) loseTwice(machine)
    else if (kind === 10) loseBoth(machine)
    else if (kind === 11) standStill(machine, forMs)
    else if (kind <= 2) {
      machine.faulty[store] = oneOf(['cut', 'slow', 'deaf'])
      after(forMs, () => {
        machine.faulty[store] = 'fine'
      })
    } else if (kind === 3) {
      machine.isPaused = true
      after(forMs, () => {
        machine.isPaused = false
        for (const work of machine.asleep.splice(0)) work()
      })
    } else if (kind === 4) {
      isDown[store] = true
      after(forMs, () => {
        isDown[store] = false
      })
    } else if (kind === 5) flush()
    else if (kind === 6) {
      // Started anew with what was on its disk, perhaps from long ago.
      witness = { ...snapshot, runId: `r${names++}`, beats: new Map(snapshot.beats) }
      if (below(2) === 0) snapshot = { ...witness, beats: new Map(witness.beats) }
    } else {
      // The program is started again: with it the machine, or alone, so that what runs there is taken up again.
      machine.run++
      machine.isStanding = false
      machine.waiting.length = 0
      machine.hold = null
      machine.rows.clear()
      machine.witnesses.clear()
      machine.kept.clear()
      if (kind === 8) {
        machine.boot = `${machine.name}/${machine.run}`
        forget(machine)
        machine.fenceMs = 0
      }
    }
  }

  for (const machine of machines) {
    const every = (work: (machine: Machine) => void, where: typeof inLoop) => {
      // No rule depends on how often it is done.
      after(BEAT_MS * (0.3 + random()), () => every(work, where))
      where(machine, () => work(machine))
    }
    after(below(BEAT_MS), () => every(beat, inThread))
    after(below(BEAT_MS), () => every(sweep, inLoop))
    after(below(BEAT_MS), () => every(claimAssigned, inLoop))
  }
  after(3_000 + below(3_000), fault)
  after(15_000, () => {
    snapshot = { ...witness, beats: new Map(witness.beats) }
  })
  runUntil(RUN_MS, checkOverlaps)
  return { overlaps, ...counted }
}

describe('[MANY-01] machines, stores and lines that fail in any order', () => {
  it('never let two machines send one stream, and still take over what a dead one kept', { timeout: 120_000 }, () => {
    const totals = { taken: 0, dealt: 0, claims: 0, givenClaims: 0 }
    for (let seed = 1; seed <= 400; seed++) {
      const { overlaps, ...counted } = runSchedule(seed)
      expect({ seed, overlaps }).toEqual({ seed, overlaps: [] })
      for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += counted[key]
    }
    // Schedules in which nobody ever takes anything prove nothing.
    expect(totals.taken).toBeGreaterThan(400)
    expect(totals.dealt).toBeGreaterThan(400)
    expect(totals.claims).toBeGreaterThan(4_000)
    expect(totals.givenClaims).toBeGreaterThan(400)
  })
})
