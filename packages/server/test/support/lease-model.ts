import type { Hold, Sighting } from '../../src/modules/broadcasts/lease/lease-state.ts'

export type Store = 'database' | 'witness'
interface Line {
  /** After how long a call arrives, or its answer; null: never. */
  travel(): number | null
}
export interface Lease {
  incarnation: string | null
  seq: number
  boot: string
}
export interface StreamModel {
  owner: string | null
  epoch: number
  isGiven?: boolean
}
export interface Machine {
  readonly name: string
  readonly worker: string
  boot: string
  isPaused: boolean
  /** What is to be done once it goes on. */
  readonly asleep: (() => void)[]
  /** Its event loop stands still, and what that is to do then; the thread that renews its lease goes on. */
  isStanding: boolean
  readonly waiting: (() => void)[]
  hold: Hold | null
  /** What has to be read on each of its runs: what was sent by an earlier one counts no more. */
  run: number
  readonly kept: Map<string, number>
  /** By the warden of the machine, which outlives the program. */
  fenceMs: number
  readonly rows: Map<string, Sighting>
  readonly witnesses: Map<string, Sighting>
  readonly faulty: Record<Store, 'fine' | 'cut' | 'slow' | 'deaf'>
}

export const newMachine = (name: string, worker: string): Machine => ({
  ...{
    name,
    worker,
    boot: `${name}/0`,
    isPaused: false,
    asleep: [],
    isStanding: false,
    waiting: [],
    hold: null,
    run: 0,
    kept: new Map(),
    fenceMs: 0,
  },
  ...{ rows: new Map(), witnesses: new Map(), faulty: { database: 'fine', witness: 'fine' } },
})

interface LinesDeps {
  after: (ms: number, work: () => void) => void
  below: (limit: number) => number
  isDown: Readonly<Record<Store, boolean>>
  /** A call is given up after so long. No rule depends on it. */
  callMs: number
}

/** Between machines and stores. */
export function createLines({ after, below, isDown, callMs }: LinesDeps) {
  const lineOf = (machine: Machine, store: Store): Line => ({
    travel() {
      if (isDown[store] || machine.faulty[store] === 'cut') return null
      return machine.faulty[store] === 'slow' && below(2) === 0 ? below(20_000) : 1 + below(20)
    },
  })

  /** In a thread of this machine's program, or once that goes on. */
  function inThread(machine: Machine, work: () => void): void {
    if (machine.isPaused) machine.asleep.push(work)
    else work()
  }

  /** On its event loop, or once that goes on. */
  function inLoop(machine: Machine, work: () => void): void {
    inThread(machine, () => (machine.isStanding ? machine.waiting.push(work) : work()))
  }

  function standStill(machine: Machine, forMs: number): void {
    machine.isStanding = true
    after(forMs, () =>
      inThread(machine, () => {
        machine.isStanding = false
        for (const work of machine.waiting.splice(0)) work()
      }),
    )
  }

  /** First one store is away and the other one slow, then both are away. */
  function loseBoth(machine: Machine): void {
    const [first, second]: [Store, Store] = below(2) === 0 ? ['database', 'witness'] : ['witness', 'database']
    machine.faulty[first] = 'cut'
    machine.faulty[second] = below(2) === 0 ? 'fine' : 'slow'
    after(below(10_000), () => {
      machine.faulty[second] = 'cut'
    })
    after(25_000, () => Object.assign(machine.faulty, { database: 'fine', witness: 'fine' }))
  }

  /** What the store does happens at once and once; the answer may get lost. `null`: none came in time. */
  function call<T>(
    machine: Machine,
    store: Store,
    atStore: () => T,
    answered: (answer: T | null) => void,
    where = inLoop,
  ): void {
    const { run } = machine
    let isOver = false
    const answer = (value: T | null) =>
      where(machine, () => {
        if (isOver || machine.run !== run) return
        isOver = true
        answered(value)
      })
    after(callMs, () => answer(null))
    const there = lineOf(machine, store).travel()
    if (there === null) return
    after(there, () => {
      if (isDown[store]) return
      const value = atStore()
      const back = machine.faulty[store] === 'deaf' ? null : lineOf(machine, store).travel()
      if (back !== null) after(back, () => answer(value))
    })
  }

  return { inThread, inLoop, standStill, loseBoth, call }
}

interface RefereeDeps {
  machines: readonly Machine[]
  ids: readonly string[]
  now: () => number
  /** After the fence of a machine, until its last guard has ended everything. */
  goesOnForMs: number
}

/** What each machine sends: until its warden ends it, whatever its program does. */
export function createReferee({ machines, ids, now, goesOnForMs }: RefereeDeps) {
  const overlaps: string[] = []
  const sent = new Map<Machine, Map<string, number>>(machines.map((machine) => [machine, new Map()]))
  return {
    overlaps,
    /** It was started again, and nothing of it runs any more. */
    forget: (machine: Machine): void => sent.get(machine)?.clear(),
    checkOverlaps(): void {
      for (const [machine, until] of sent) {
        for (const id of machine.kept.keys()) until.set(id, machine.fenceMs + goesOnForMs)
      }
      for (const id of ids) {
        // After each of a million events: nothing is gathered where one machine sends.
        let count = 0
        for (const until of sent.values()) if ((until.get(id) ?? 0) > now()) count++
        if (count < 2) continue
        const senders = machines.filter((machine) => (sent.get(machine)?.get(id) ?? 0) > now())
        overlaps.push(`${id} at ${now()}: ${senders.map(({ name }) => name)}`)
      }
    },
  }
}
