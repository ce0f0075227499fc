import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { forgetLowRoom, type RecordedOf, type RoomOf } from './low-room.ts'
import { readVideos, readWaitingVideos, summarizeVideos } from './read-videos.repo.ts'
import { videoUses } from './video-uses.repo.ts'
import { writeVideos } from './write-videos.repo.ts'

export type LibraryRepo = ReturnType<typeof createLibraryRepo>

export const createLibraryRepo = (
  db: Db,
  clock: Clock = systemClock,
  roomOf: RoomOf = async () => null,
  recordedOf: RecordedOf = async () => 0,
) => ({
  ...writeVideos(db, { clock, roomOf, recordedOf }),
  ...readVideos(db),
  ...readWaitingVideos(db),
  ...summarizeVideos(db, recordedOf),
  isOnAir: videoUses(db).isOnAir,
  isUsed: videoUses(db).isUsed,
  isListed: videoUses(db).isListed,
  isRecorded: videoUses(db).isRecorded,
  forgetLists: videoUses(db).forgetLists,
  forgetLowRoom: (userId: string): Promise<void> => forgetLowRoom(db, userId),
})
