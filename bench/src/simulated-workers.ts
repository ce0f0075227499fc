import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { createSampleWriter } from '../../packages/server/src/modules/broadcasts/keeper/sample-writer.ts'
import { type BeatsOf, createBeats } from '../../packages/server/src/modules/broadcasts/lease/beats.ts'
import { SAFE_MS } from '../../packages/server/src/modules/broadcasts/lease/lease-state.ts'
import { openRedisWitness } from '../../packages/server/src/modules/broadcasts/lease/redis-witness.ts'
import { STREAMS_CHANNEL } from '../../packages/server/src/modules/broadcasts/store/assigned-streams.repo.ts'
import { createStreamsRepo } from '../../packages/server/src/modules/broadcasts/store/streams.repo.ts'
import { createWorkerLeasesRepo } from '../../packages/server/src/modules/broadcasts/store/worker-leases.repo.ts'
import { createWorkersRepo } from '../../packages/server/src/modules/broadcasts/store/workers.repo.ts'
import { createFleetWorker } from '../../packages/server/src/modules/broadcasts/worker/fleet-worker.ts'
import { openPostgres } from '../../packages/server/src/platform/db/database.ts'
import { listenPostgres } from '../../packages/server/src/platform/db/listen.ts'

/**
 * Workers that hold real leases and take real rows, without any ffmpeg: what they keep only tells its figures. Several in one process, which
 * a bench starts with their names and ends by a signal. Tells how long beats took since it was asked last, and how many streams it keeps.
 */
const { databaseUrl, redisUrl, names, maxStreams } = JSON.parse(process.argv[2] ?? '{}') as {
  databaseUrl: string
  redisUrl: string
  names: string[]
  maxStreams: number
}
const log = pino({ level: 'fatal' })
const url = new Secret(databaseUrl)
const beatsMs: number[] = []
let keptHere = 0
const TOLD_EVERY_MS = 1_000

async function startWorker(worker: string): Promise<void> {
  const repo = createStreamsRepo(openPostgres(url, log))
  const kept = new Map<string, number>()
  const samples = createSampleWriter({ log, write: (figures) => repo.writeFigures(figures) })
  samples.start()
  let seconds = 0
  setInterval(() => {
    seconds++
    for (const [id, epoch] of kept) {
      const position = { item: 0, ms: seconds * 1000, fromMs: 0 }
      const sample = { bitrateKbps: 2_500, speed: 1, frames: seconds * 25 }
      samples.put({ claim: { id, epoch }, sample, position, sentMs: seconds * 1000 }, () => {})
    }
  }, TOLD_EVERY_MS)

  const db = openPostgres(url, log, 'quick')
  const witness = openRedisWitness(new Secret(redisUrl), log)
  const onExtended = (untilMs: bigint): void => {
    const leftMs = Number(untilMs - process.hrtime.bigint() / 1_000_000n)
    beatsMs.push(SAFE_MS - leftMs)
  }
  const beatsTo = { repo: createWorkerLeasesRepo(db), witness, extend: onExtended, log }
  const fleet = {
    ...{ db, witness, onExtended },
    // Not a thread for each of so many: nothing here stands still for long.
    startBeats: (of: BeatsOf) => createBeats({ ...of, ...beatsTo, mostUnheard: Number.POSITIVE_INFINITY }),
    hear: (onHint: (told: string) => void) => listenPostgres(url, STREAMS_CHANNEL, onHint, log),
  }
  const one = createFleetWorker({
    ...{ fleet, worker, repo, maxStreams, log },
    workers: createWorkersRepo(fleet.db),
    isWaiting: () => false,
    machineShortage: () => null,
    machineLoad: () => ({ cpu: 0.3, memory: 0.7 }),
    prepare: async () => () => {},
    // No video is fetched ahead: there is none.
    library: { findById: async () => null } as never,
    storage: {} as never,
    async handle(id, { signal, claim }) {
      const row = await claim()
      if (!row) return 'done'
      kept.set(id, row.epoch)
      keptHere++
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      kept.delete(id)
      keptHere--
      return 'again'
    },
  })
  await one.hold()
  one.start()
}

process.on('message', () => void process.send?.({ beatsMs: beatsMs.splice(0), kept: keptHere }))
// With the bench, in whatever way that ends.
process.on('disconnect', () => process.exit())
await Promise.all(names.map(startWorker))
