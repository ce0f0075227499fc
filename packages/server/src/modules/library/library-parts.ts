import { join } from 'node:path'
import type { PlanId } from '@siarin/contracts/plans'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { KeepWritten } from '../../platform/db/keep-written.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Timings } from '../../platform/timings.ts'
import type { BrandLooks } from '../branding/brand-looks.ts'
import { createArrivalInspector, createInspector } from './inspect-video.ts'
import { createIntake } from './intake.ts'
import { createLibraryRepo } from './library.repo.ts'
import { createLibraryService } from './library.service.ts'
import type { RoomOf } from './low-room.ts'
import { createOrderedRenditions } from './ordered-renditions.ts'
import { createPreparationWaits } from './preparation-waits.ts'
import type { RecordingsPort } from './recordings-port.ts'
import { createRenditionOrdersRepo } from './rendition-orders.repo.ts'
import { createRenditionStore } from './rendition-store.ts'
import { createRenditionsRepo } from './renditions.repo.ts'
import { createReservationsRepo } from './reservations.repo.ts'
import { createResumableUploads, type RemoteUploads } from './resumable/resumable-uploads.ts'
import { createRoom, type LibraryLimits } from './room.ts'

export interface LibraryDeps {
  db: Db
  storage: Storage
  queue: Queue
  clock: Clock
  trust: ClockTrust
  events: Events
  log: Log
  sealer: Sealer
  dataDir: string
  ffmpegPath: string
  ffprobePath: string
  egress: Egress
  diskReserveBytes: () => number
  limitsOf: (userId: string) => Promise<LibraryLimits>
  /** Named where there is no room; null where no plan is at fault. */
  roomPlanOf: (userId: string) => Promise<PlanId | null>
  toBeCleared: (owners: readonly string[]) => Promise<string[]>
  noteStillEnded: (userId: string) => Promise<void>
  noteCleared: (userId: string) => Promise<void>
  timings: Pick<
    Timings,
    'imports' | 'finishedUploads' | 'clearance' | 'copies' | 'refillMs' | 'desiredStateMs' | 'mediaTools'
  >
  /** Videos that take long to prepare: how many this program works on at once. */
  maxLongPreparations: number
  keepWritten: KeepWritten
  /** The name of this machine among the workers. */
  worker: string
  /** No other program works on this folder: what lies half-done at its start is nobody else's. */
  isAlone: boolean
  /** No other machine sees this folder: what an earlier run left in it is this one's to take up, however soon. */
  hasOwnFolder: boolean
  /** Whether a broadcast plays a video as a recipe makes it, or a list that is on air. */
  isPlayed: (videoId: string, recipe: string) => Promise<boolean>
  /** Takes a video out of every list, in small batches. */
  leaveLists: (videoId: string) => Promise<void>
  /** The same of every broadcast that has ended. */
  leaveEnded: (videoId: string) => Promise<void>
  recordings: RecordingsPort
  /** Null: resumable uploads lie in this machine's folder. */
  remoteUploads: RemoteUploads | null
  /** What stands on videos beside their own picture. */
  looks: BrandLooks
  /** False while a user is suspended or being deleted: what is under way for them ends. */
  mayWork: (userId: string) => Promise<boolean>
}

export type LibraryParts = ReturnType<typeof createLibraryParts>

const createRoomOf =
  ({ limitsOf }: Pick<LibraryDeps, 'limitsOf'>): RoomOf =>
  async (userId) => {
    try {
      return (await limitsOf(userId)).storageBytes
    } catch (error) {
      // The account went meanwhile: there is nobody to be told.
      if (error instanceof DomainError) return null
      throw error
    }
  }

/** What both roles are made of. */
export function createLibraryParts(deps: LibraryDeps) {
  const { dataDir } = deps
  const roomOf = createRoomOf(deps)
  const repo = createLibraryRepo(deps.db, deps.clock, roomOf, deps.recordings.bytesOf)
  const { isOnAir } = repo
  const renditions = createRenditionsRepo(deps.db, deps.clock, roomOf, deps.recordings.bytesOf)
  const orders = createRenditionOrdersRepo(deps.db, deps.recordings.bytesOf)
  const masters = createRenditionStore({ ...deps, renditions, isOnAir })
  const uploadDir = join(dataDir, 'uploads')
  const resumableDir = join(dataDir, 'resumable')
  const inspect = createInspector(deps.ffprobePath, deps.timings.mediaTools.inspectMs)
  const reservations = createReservationsRepo(deps.db, deps.recordings.bytesOf)
  const room = createRoom({ ...deps, repo, reservations, reserveBytes: deps.diskReserveBytes })
  const intake = createIntake({ ...deps, repo, room, inspect: createArrivalInspector(inspect), uploadDir })
  const resumable = createResumableUploads({ ...deps, repo, reservations, intake, room, directory: resumableDir })
  const waits = createPreparationWaits({ ...deps, repo, orders })
  const ordered = createOrderedRenditions({ ...deps, orders, masters, room, isOnAir, waits })
  const using = { repo, room, intake, isOnAir, waits, orders, renditions: ordered }
  const service = createLibraryService({ ...deps, ...using })
  return {
    ...{ repo, isOnAir, renditions, masters, orders, uploadDir, resumableDir, inspect },
    ...{ reservations, room, intake, resumable, service },
  }
}
