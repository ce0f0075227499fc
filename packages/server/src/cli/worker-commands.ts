import { createWorkerLeasesRepo, type WorkerLeaseRow } from '../modules/broadcasts/store/worker-leases.repo.ts'
import { createMachinesRepo } from '../modules/system/machines.repo.ts'
import { isPostgres } from '../platform/db/database.ts'
import { argOf, type CliContext, type DatabaseCommand, Refusal } from './command.ts'
import { table } from './tables.ts'

/** With when it was last heard of; null: not within the last day. */
type Worker = WorkerLeaseRow & { readonly silentMs: number | null }

/** Where one machine is all there is, it has no lease: nobody else could take anything over. */
async function workersOf({ db }: CliContext): Promise<Worker[]> {
  if (!isPostgres(db)) return []
  const [leases, machines] = await Promise.all([createWorkerLeasesRepo(db).all(), createMachinesRepo(db).all()])
  const heard = new Map(machines.flatMap(({ id, role, silentMs }) => (role === 'web' ? [] : [[id, silentMs]])))
  return leases.map((lease) => ({ ...lease, silentMs: heard.get(lease.id) ?? null }))
}

function stateWord({ isLive, state, kept }: Worker): string {
  if (!isLive) return state === 'draining' ? 'gone, draining' : 'gone'
  return state === 'draining' && kept === 0 ? 'drained' : state
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))

const toJson = (worker: Worker) => ({
  id: worker.id,
  state: worker.state,
  live: worker.isLive,
  version: worker.version,
  streams: worker.kept,
  room: worker.room,
  shortOf: worker.short_of,
  heardSecondsAgo: secondsOf(worker.silentMs),
})

const toRow = (worker: Worker): string[] => [
  worker.id,
  stateWord(worker),
  worker.version,
  String(worker.kept),
  worker.short_of ? `${worker.room} (short of ${worker.short_of})` : String(worker.room),
  worker.silentMs === null ? '-' : `${secondsOf(worker.silentMs)} s ago`,
]

export const workerList: DatabaseCommand = {
  name: 'worker list',
  args: [],
  summary: 'list the workers of all machines, with their broadcasts and their room',
  details: [
    "'up' takes broadcasts on; 'draining' hands them over to others, and is 'drained' once it has none; 'gone' does not renew its",
    'lease any more, and others have taken its broadcasts over.',
  ],
  options: {},
  examples: ['worker list', 'worker list --json | jq ".workers[] | select(.live | not)"'],
  prepare: () => async (context) => {
    const workers = await workersOf(context)
    return {
      json: { workers: workers.map(toJson) },
      text: table(
        ['ID', 'STATE', 'VERSION', 'STREAMS', 'ROOM', 'HEARD'],
        workers.map(toRow),
        'No worker runs apart from its web program.',
      ),
    }
  },
}

async function setState(context: CliContext, id: string, state: 'up' | 'draining') {
  const before = (await workersOf(context)).find((worker) => worker.id === id)
  if (!before || !(await createWorkerLeasesRepo(context.db).setState(id, state))) {
    throw new Refusal(`there is no worker '${id}'. See npm run siarin -- worker list`)
  }
  const workers = await workersOf(context)
  const worker = workers.find((each) => each.id === id) ?? before
  const takers = workers.filter((each) => each.id !== id && each.isLive && each.state === 'up' && each.room > 0)
  return { worker, takers, changed: before.state !== state }
}

const counted = (count: number): string => (count === 1 ? '1 broadcast' : `${count} broadcasts`)

export const workerDrain: DatabaseCommand = {
  name: 'worker drain',
  args: ['workerId'],
  summary: 'let a worker hand its broadcasts over to others, and take on no more',
  details: [
    'They move one by one, each once its next worker is ready. The wish outlives a restart of the worker: resume takes it back.',
  ],
  options: {},
  examples: ['worker drain jakarta-1-3fa2c1'],
  prepare: (args) => async (context) => {
    const { worker, takers, changed } = await setState(context, argOf(args, 0), 'draining')
    const moves = `${counted(worker.kept)} on it ${worker.kept === 1 ? 'moves' : 'move'} to ${takers.length === 1 ? 'the other worker' : `${takers.length} others`}`
    const note =
      worker.kept > 0 && takers.length === 0 && worker.isLive
        ? { note: 'no other worker is up with room: its broadcasts stay where they are until one is' }
        : {}
    return {
      json: { worker: toJson(worker), changed },
      text:
        `The worker '${worker.id}' ${changed ? 'takes on no more broadcasts' : 'is draining already'}.` +
        (worker.kept > 0 && takers.length > 0 ? ` ${moves}: watch 'worker list'.` : ''),
      ...note,
    }
  },
}

export const workerResume: DatabaseCommand = {
  name: 'worker resume',
  args: ['workerId'],
  summary: 'let a worker that was drained take on broadcasts again',
  details: [],
  options: {},
  examples: ['worker resume jakarta-1-3fa2c1'],
  prepare: (args) => async (context) => {
    const { worker, changed } = await setState(context, argOf(args, 0), 'up')
    return {
      json: { worker: toJson(worker), changed },
      text: `The worker '${worker.id}' ${changed ? 'takes on broadcasts again' : 'was not draining'}.`,
    }
  },
}
