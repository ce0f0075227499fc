import { steadyMs } from '../../../platform/clock.ts'
import type { ToldLoad, WorkerLeasesRepo, WorkerState } from '../store/worker-leases.repo.ts'
import { BEAT_MS } from './lease-state.ts'
import { monotonicDeadline } from './monotonic-deadline.ts'
import type { Witness } from './redis-witness.ts'
import type { SharedHold } from './shared-hold.ts'

/** Renews what it was given to keep, each second, at both stores. */
export interface Beats {
  /** Resolves once it can renew. */
  ready(): Promise<void>
  /** From now on it renews this one, and no other. */
  keep(hold: SharedHold, told: ToldLoad): void
  /** What the next beats tell of this worker. It is also the sign that the program still works. */
  tell(told: ToldLoad): void
  stop(): Promise<void>
}

export interface BeatsOf {
  readonly worker: string
  /** What the operator wants of the worker, as a beat of this run has read it. */
  readonly onState: (incarnation: string, state: WorkerState) => void
}

interface BeatsDeps extends BeatsOf {
  readonly repo: Pick<WorkerLeasesRepo, 'beat'>
  readonly witness: Pick<Witness, 'beat'>
  /** All ffmpegs of this machine may run until then, by `process.hrtime`. */
  readonly extend: (untilMonotonicMs: bigint) => void
  /** After so many beats without a sign the program is taken for dead, and its lease lapses. */
  readonly mostUnheard: number
  readonly log: { debug(fields: object, text: string): void }
}

/** A program that stands still takes on nothing: others see no room here. */
const UNHEARD_WITHOUT_ROOM = 3

export function createBeats({ worker, repo, witness, extend, mostUnheard, onState, log }: BeatsDeps): Beats {
  const underWay = new Set<'row' | 'witness'>()
  let hold: SharedHold | null = null
  let told: ToldLoad | null = null
  let unheard = 0
  let beats = 0

  /** One call to each store at a time; one that is away holds up only itself. */
  async function renew(store: 'row' | 'witness', call: (incarnation: string) => Promise<boolean>): Promise<void> {
    const of = hold
    if (underWay.has(store) || of?.judge().at !== 'held') return
    const begunMs = steadyMs()
    underWay.add(store)
    try {
      const isOurs = await call(of.incarnation)
      const next = isOurs ? of.renew(begunMs) : of.lapse()
      if (next.at === 'held' && hold === of) extend(BigInt(monotonicDeadline(next.deadlineMs)))
    } catch (error) {
      log.debug({ err: (error as Error).message, store }, 'a lease could not be renewed')
    } finally {
      underWay.delete(store)
    }
  }

  const beatRow = (load: ToldLoad) =>
    renew('row', async (incarnation) => {
      const state = await repo.beat({ id: worker, incarnation }, load)
      if (state) onState(incarnation, state)
      return state !== null
    })
  const beatWitness = () =>
    renew('witness', async (incarnation) => {
      await witness.beat(worker, `${incarnation}:${beats++}`)
      return true
    })

  const timer = setInterval(() => {
    if (!told || ++unheard > mostUnheard) return
    void beatRow(unheard > UNHEARD_WITHOUT_ROOM ? { ...told, room: 0 } : told)
    void beatWitness()
  }, BEAT_MS)

  function tell(load: ToldLoad): void {
    told = load
    unheard = 0
  }

  return {
    ready: async () => {},
    keep(next, load) {
      hold = next
      tell(load)
      void beatWitness()
    },
    tell,
    async stop() {
      clearInterval(timer)
      hold = null
    },
  }
}
