import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RoomOf } from './low-room.ts'
import { readVideos, summarizeVideos } from './read-videos.repo.ts'
import { videoUses } from './video-uses.repo.ts'
import { writeVideos } from './write-videos.repo.ts'

export type LibraryRepo = ReturnType<typeof createLibraryRepo>

export const createLibraryRepo = (db: Db, clock: Clock = systemClock, roomOf: RoomOf = async () => null) => ({
  ...writeVideos(db, clock, roomOf),
  ...readVideos(db),
  ...summarizeVideos(db),
  isOnAir: videoUses(db).isOnAir,
  isListed: videoUses(db).isListed,
  forgetLists: videoUses(db).forgetLists,
})
