import type { Readable } from 'node:stream'
import type { RecordingEndCode } from '@siarin/contracts/recordings'
import type { Routes } from '../../http/types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { createFactReader } from '../../platform/outbox/fact-reader.ts'
import { repeat } from '../../platform/repeat.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import { asOwner } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { LibraryService } from '../library/library.service.ts'
import { createCutter } from './cutter.ts'
import { createDownloads } from './downloads.ts'
import { createFileFactsRepo } from './file-facts.repo.ts'
import { createFileFacts } from './file-facts.ts'
import { createFollow } from './follow.ts'
import { createGate } from './gate.ts'
import { createOwnersTurns } from './growing.ts'
import { createJoins } from './joins.ts'
import { createLineReader } from './line-reader.ts'
import { createLinesRepo } from './lines.repo.ts'
import { createLines } from './lines.ts'
import { createMake } from './make.ts'
import { createMaterial } from './material.ts'
import { createPicture } from './picture.ts'
import { createPlayer } from './player.ts'
import { createRecordingsRepo } from './recordings.repo.ts'
import { recordingsRoutes } from './recordings.routes.ts'
import { createRecordingsService } from './recordings.service.ts'
import { createRemove } from './remove.ts'
import { createRetention } from './retention.ts'
import type { Sent } from './sent.ts'
import { createTakeFacts } from './take-facts.ts'
import { watchRoutes } from './watch.routes.ts'

export interface RecordingsDeps {
  readonly db: Db
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly storage: Storage
  readonly clock: Clock
  readonly trust: ClockTrust
  readonly log: Log
  readonly timings: Pick<Timings, 'recordings'>
  readonly ffmpegPath: string
  readonly ffprobePath: string
  readonly sent: Sent
  readonly steps: SmallSteps
  readonly library: Pick<LibraryService, 'findById' | 'thumbnail' | 'importRecording'>
  readonly plans: {
    readonly recordingDaysOf: (userId: string) => Promise<{ days: number; hasEnded: boolean }>
    readonly mayWork: (userId: string) => Promise<boolean>
  }
  /** False: the disk is full, and what is left is for broadcasts. */
  readonly hasDiskRoom: () => boolean
}

/** What was sent can be seen and had. */
export function createRecordings(deps: RecordingsDeps) {
  const { db, changes, log, clock, sent, hasDiskRoom, plans } = deps
  const timings = deps.timings.recordings
  const repo = createRecordingsRepo(db, sent)
  const factsRepo = createFileFactsRepo(db)
  const facts = createFileFacts({ ...deps, repo: factsRepo })
  const linesRepo = createLinesRepo(db)
  const reader = createLineReader(deps)
  const inTurn = createOwnersTurns()
  const material = createMaterial({ ...deps, reader, repo, lines: linesRepo, inTurn })
  const cutter = createCutter({ facts })
  const lines = createLines({ ...deps, reader, cutter, repo: linesRepo, inTurn })
  const make = createMake(deps)
  const gate = createGate()
  const joins = createJoins({ ...deps, lines, cutter, material, facts, make })
  const downloads = createDownloads({ gate, clock })
  const remove = createRemove({ ...deps, repo, facts: factsRepo, isKeyKept: sent(db).isKeyKept })
  const picture = createPicture({ ...deps, repo, material })
  const { importRecording } = deps.library
  const service = createRecordingsService({ repo, material, joins, gate, picture, remove, importRecording })
  const player = createPlayer({ ...deps, lines, cutter, material, repo, make, gate })
  const { recordingDaysOf: daysOf, mayWork } = plans
  const follow = createFollow({ ...deps, repo, material, lines, daysOf, maxMs: timings.maxMs })
  const retention = createRetention({ ...deps, daysOf, mayWork, remove })
  const complaint = 'recordings could not be looked after'
  let following: Promise<void> = Promise.resolve()
  /** One round at a time. */
  const followAll = (): Promise<void> => {
    following = following.then(follow.all).catch((error) => log.warn({ err: error }, complaint))
    return following
  }
  const factReader = createFactReader({
    ...{ db, changes, log, hasDiskRoom, name: 'recordings', everyMs: timings.factsMs },
    take: createTakeFacts({ repo, sent }),
    onTaken: () => void followAll(),
  })
  let stopFollowing = async () => {}
  let stopKeeping = async () => {}

  return {
    /** Before an account goes, and before its files do. */
    removeAllOf: repo.removeAllOf,
    /** After the end of a plan, whose videos go. */
    expireAllOf: retention.expireAllOf,
    idsOf: repo.idsOf,
    /** Before its broadcast does: there is no room for it, or nobody writes it any more. */
    async endEarly(recordingId: string, at: number, why: RecordingEndCode): Promise<void> {
      const row = await repo.openById(recordingId)
      if (row) await follow.end(row, at, { goesOn: false, why })
    },
    /** For the library, which makes a video of it. */
    async open(userId: string, address: URL, signal: AbortSignal): Promise<{ body: Readable; sizeBytes: null }> {
      const row = await service.ownRow(asOwner(userId), address.pathname)
      const to = address.searchParams.get('to')
      const part = { from: Number(address.searchParams.get('from') ?? 0), to: to === null ? null : Number(to) }
      const joined = await joins.of(row, part, signal)
      return { body: await downloads.bodyOf(row, joined, { signal, isPatient: true }), sizeBytes: null }
    },
    routes:
      (hooks: CallerHooks): Routes =>
      async (app) => {
        await app.register(recordingsRoutes({ service, hooks }))
        await app.register(watchRoutes({ service, player, downloads, hooks }))
      },
    async start() {
      await follow.restoreKept()
      await factReader.start()
      stopFollowing = repeat({ firstAfterMs: 0, everyMs: timings.followMs, log, complaint, work: followAll })
      const work = retention.round
      stopKeeping = repeat({ firstAfterMs: timings.keepMs, everyMs: timings.keepMs, log, complaint, work })
    },
    async stop() {
      await factReader.stop()
      await stopFollowing()
      await following
      await stopKeeping()
    },
  }
}
