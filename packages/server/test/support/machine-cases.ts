import { setTimeout as sleep } from 'node:timers/promises'
import type { LineMode } from '@siarin/testkit/faulty-line'
import type { Part } from '@siarin/testkit/machine'
import { waitFor } from '@siarin/testkit/wait-for'
import type { MachineSet, Store, WorkerMachine } from './machine-set.ts'
import type { Promised } from './machine-table.ts'

export interface MachineCase {
  readonly name: string
  readonly promised: Promised
  /** Does harm to a machine that sends `keys`, and ends once there is no more of it to see. It may turn out that more is promised. */
  run(set: MachineSet, victim: WorkerMachine, keys: readonly string[], promise: (more: Promised) => void): Promise<void>
}

/** Longer than anybody waits before taking over what is not looked after. */
const AWAY_MS = 20_000
/** A machine that is back by then takes up what still runs. */
const BACK_IN_TIME_MS = 4_000
/** There and back it is twice as long, and below any bound on a question. */
const DELAY_MS = 400
const HOUR_MS = 3_600_000

/** Until others send what this machine sent. */
export const takenOver = (set: MachineSet, victim: WorkerMachine, keys: readonly string[]): Promise<boolean> =>
  waitFor(`the broadcasts of ${victim.name} at others`, async () => {
    const holders = set.holders()
    const areElsewhere = keys.every((key) => holders.get(key)?.some((name) => name !== victim.name))
    return areElsewhere && keys.every((key) => set.referee.sending(key).length === 1)
  })

const killed = (part: Part): MachineCase => ({
  name: `kill -9 of ${part === 'both' ? 'program and warden' : `the ${part}`}`,
  promised: 'fault',
  async run(set, victim, keys) {
    await victim.signal(part, 'SIGKILL')
    if (part !== 'warden') await takenOver(set, victim, keys)
    await set.settled()
    if (part !== 'warden') await victim.startProgram()
    await set.settled()
  },
})

const stopped = (part: Part): MachineCase => ({
  name: `SIGSTOP of ${part === 'both' ? 'program and warden' : `the ${part}`}, SIGCONT after ${AWAY_MS / 1000} s`,
  promised: 'fault',
  async run(set, victim, keys) {
    await victim.signal(part, 'SIGSTOP')
    const since = performance.now()
    if (part !== 'warden') await takenOver(set, victim, keys)
    await sleep(Math.max(0, AWAY_MS - (performance.now() - since)))
    // A warden that hung may have been replaced since.
    await victim.signal(part === 'both' && !victim.warden() ? 'program' : part, 'SIGCONT')
    await sleep(3_000)
    await set.settled()
  },
})

const PROCESSES: readonly MachineCase[] = [
  killed('program'),
  killed('warden'),
  killed('both'),
  {
    name: 'kill -9 of the program, which is started again at once',
    promised: 'fault',
    async run(set, victim, _, promise) {
      const killedAt = performance.now()
      await victim.signal('program', 'SIGKILL')
      await victim.startProgram()
      if (performance.now() - killedAt < BACK_IN_TIME_MS) promise('nothing')
      await sleep(AWAY_MS / 2)
      await set.settled()
    },
  },
  stopped('program'),
  stopped('warden'),
  stopped('both'),
  {
    name: 'the machine is switched off',
    promised: 'fault',
    async run(set, victim, keys) {
      // Nobody says farewell to a store, as where a cable is pulled: its connections stand on.
      set.setLines(['postgres', 'redis', 's3'], 'silent', [victim])
      await victim.switchOff()
      await takenOver(set, victim, keys)
      await set.settled()
      for (const line of Object.values(victim.lines)) line.renew()
      await victim.switchOn()
      await set.settled()
    },
  },
]

/** For as long as support/stand-still.ts has it stand: later there is nothing left to see. */
const STAND_MS = 10_000

const isAnswering = (victim: WorkerMachine): Promise<boolean> =>
  fetch(`${victim.url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )

/** Somebody's dear call: all that the program does waits, but its lease does not. */
export const loopStands: MachineCase = {
  name: 'the event loop stands still for 10 s',
  promised: 'nothing',
  async run(set, victim) {
    const before = await set.incarnationOf(victim.name)
    await victim.signal('program', 'SIGPWR')
    // On a busy machine a question may reach it before the signal does.
    await waitFor('it to stand still', async () => !(await isAnswering(victim)), { timeoutMs: STAND_MS })
    await waitFor('it to go on', () => isAnswering(victim), { timeoutMs: 60_000 })
    await sleep(5_000)
    await set.settled()
    if ((await set.incarnationOf(victim.name)) !== before) throw new Error('the lease lapsed')
  },
}

/** Nobody but its watchdog ends it; what it sent goes on until then, and then elsewhere. */
const loopHangs: MachineCase = {
  name: 'the event loop stands still for good',
  promised: 'fault',
  async run(set, victim, keys) {
    await victim.signal('program', 'SIGUSR2')
    await waitFor('its watchdog to end it', async () => !victim.isRunning(), { timeoutMs: 60_000 })
    await takenOver(set, victim, keys)
    await set.settled()
    await victim.startProgram()
    await set.settled()
  },
}

const MODES: readonly (readonly [words: string, mode: LineMode])[] = [
  ['resets', 'reset'],
  ['says nothing', 'silent'],
  [`is ${DELAY_MS} ms late each way`, { delayMs: DELAY_MS }],
  ['carries no answer', 'requests-only'],
  ['carries no request', 'answers-only'],
]

const WAYS: readonly (readonly [name: string, stores: readonly Store[]])[] = [
  ['PostgreSQL', ['postgres']],
  ['Redis', ['redis']],
  ['PostgreSQL and Redis', ['postgres', 'redis']],
  ['S3', ['s3']],
]

/** A machine that still reaches one store keeps what it has; one that reaches none has lost it, in time for the others. */
const LINES: readonly MachineCase[] = WAYS.flatMap(([to, stores]) =>
  MODES.map(([words, mode]): MachineCase => {
    const isCutOff = stores.length > 1 && typeof mode === 'string'
    return {
      name: `the line to ${to} ${words} for ${AWAY_MS / 1000} s`,
      promised: isCutOff ? 'fault' : 'nothing',
      async run(set, victim, keys) {
        set.setLines(stores, mode, [victim])
        const since = performance.now()
        if (isCutOff) await takenOver(set, victim, keys)
        await sleep(Math.max(0, AWAY_MS - (performance.now() - since)))
        set.setLines(stores, 'pass', [victim])
        await sleep(5_000)
        await set.settled()
      },
    }
  }),
)

/** One store that is away for everybody. */
const away = (name: string, stores: readonly Store[], mode: LineMode): MachineCase => ({
  name: `${name} for all, for ${AWAY_MS / 1000} s`,
  promised: 'nothing',
  async run(set) {
    set.setLines(stores, mode)
    await sleep(AWAY_MS)
    set.setLines(stores, 'pass')
    await sleep(5_000)
    await set.settled()
  },
})

const clockBy = (ms: number): MachineCase => ({
  name: `the clock of one machine is ${ms > 0 ? 'an hour ahead' : 'an hour behind'}`,
  promised: 'nothing',
  async run(set, victim) {
    await victim.setClock(ms)
    await sleep(AWAY_MS)
    await victim.setClock(0)
    await sleep(5_000)
    await set.settled()
  },
})

/** The moment between a claim and the first byte: a machine that is cut off then must not begin later. */
const cutWhileStarting: MachineCase = {
  name: 'cut off from both stores while it starts a broadcast',
  promised: 'fault',
  async run(set) {
    const key = `begins-${Math.round(performance.now())}`
    const streamId = await set.start(key)
    const starter = await waitFor(
      'somebody to begin it',
      async () => {
        const row = (await set.rowOf(streamId)).worker
        return set.machines.find(({ name }) => row?.startsWith(name))
      },
      { everyMs: 5 },
    )
    set.setLines(['postgres', 'redis'], 'silent', [starter])
    const had = set.heldBy(starter)
    await takenOver(set, starter, [...had, key])
    set.setLines(['postgres', 'redis'], 'pass', [starter])
    await sleep(5_000)
    const [verdict] = set.referee.verdicts([key])
    if (verdict?.overlapMs !== 0) throw new Error(`two publishers of what was just begun: ${verdict?.overlapMs} ms`)
    await set.calls.stop(set.apiKey, streamId)
    await set.settled()
  },
}

const STORES: readonly MachineCase[] = [
  away('PostgreSQL says nothing', ['postgres'], 'silent'),
  away('Redis says nothing', ['redis'], 'silent'),
  away('Redis resets', ['redis'], 'reset'),
  away('S3 says nothing', ['s3'], 'silent'),
  {
    name: 'FLUSHALL',
    promised: 'nothing',
    async run(set) {
      await set.redis?.forgetEverything()
      await sleep(AWAY_MS)
      await set.settled()
    },
  },
  {
    name: 'PostgreSQL restarts at once',
    promised: 'nothing',
    async run(set) {
      await set.postgres?.restartAtOnce()
      await sleep(AWAY_MS)
      await set.settled()
    },
  },
  clockBy(HOUR_MS),
  clockBy(-HOUR_MS),
  cutWhileStarting,
]

const HAND_OVERS: readonly MachineCase[] = [
  {
    name: 'worker drain, then resume',
    promised: 'hand-over',
    async run(set, victim, keys) {
      await set.operator.json('worker', 'drain', victim.name)
      await takenOver(set, victim, keys)
      await set.settled()
      await set.operator.json('worker', 'resume', victim.name)
    },
  },
  {
    name: 'SIGTERM with other workers about',
    promised: 'hand-over',
    async run(set, victim, keys) {
      await victim.stopProgram()
      await takenOver(set, victim, keys)
      await set.settled()
      await victim.startProgram()
      await set.settled()
    },
  },
  {
    name: 'a rolling upgrade: each in turn',
    promised: 'hand-over',
    async run(set) {
      for (const machine of set.machines) {
        await machine.stopProgram()
        await machine.startProgram()
        await set.settled()
      }
    },
  },
]

export const MACHINE_CASES: readonly MachineCase[] = [
  ...[...PROCESSES, loopStands, loopHangs],
  ...[...LINES, ...STORES, ...HAND_OVERS],
]
