import { VIDEOS_PAGE_MAX } from '@siarin/contracts/limits'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { VideoPlace } from './read-videos.repo.ts'
import { keptByRecording, type RecordingsPort } from './recordings-port.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface RemovalDeps {
  repo: Pick<LibraryRepo, 'remove' | 'pageOf' | 'isUsed' | 'isListed' | 'isRecorded' | 'forgetLists'>
  storage: Pick<Storage, 'remove'>
  events: Events
  log: Log
  isOnAir: (videoId: string) => Promise<boolean>
  recordings: Pick<RecordingsPort, 'isKeyKept'>
  /** Takes it out of every list, in small batches. */
  leaveLists: (videoId: string) => Promise<void>
  /** Takes it out of every broadcast that has ended, in small batches. */
  leaveEnded: (videoId: string) => Promise<void>
}

export function createRemovals(deps: RemovalDeps) {
  const { repo, storage, events, log, isOnAir, recordings, leaveLists, leaveEnded } = deps
  /** A recording that is being made writes its uses a little later than what was sent. */
  const isKept = async ({ master }: VideoRow): Promise<boolean> => master !== null && recordings.isKeyKept(master.key)

  /** False: it is on air, a recording needs it, or another one was quicker. Without its row it is gone, whatever becomes of its files. */
  async function erase(video: VideoRow): Promise<boolean> {
    if ((await isKept(video)) || (await repo.isUsed(video.id))) return false
    await leaveEnded(video.id)
    // That may have taken seconds.
    if ((await isKept(video)) || !(await repo.remove(video.id))) return false
    events.emit('video.removed', { videoId: video.id })
    await storage.remove(folderOf(video)).catch((error) => {
      log.error({ err: error, videoId: video.id }, 'the files of a deleted video could not be removed')
    })
    return true
  }

  return {
    async removeVideo(video: VideoRow): Promise<void> {
      if (await erase(video)) return
      if (await isOnAir(video.id)) throw new DomainError('video_on_air', VIDEO_TEXTS.onAir)
      if (await repo.isListed(video.id)) throw new DomainError('video_in_playlist', VIDEO_TEXTS.inPlaylist)
      if ((await repo.isRecorded(video.id)) || (await isKept(video))) throw keptByRecording()
    },

    /** All that a user has; what is on air stays. Answers how many went. */
    async removeAllOf(userId: string): Promise<number> {
      await repo.forgetLists(userId)
      let erased = 0
      let behind: VideoPlace | null = null
      for (;;) {
        const videos: VideoRow[] = await repo.pageOf(userId, behind, VIDEOS_PAGE_MAX)
        for (const video of videos) {
          // With the video itself, a hundred thousand items would go in one statement.
          if (!(await repo.isUsed(video.id))) await leaveLists(video.id)
          if (await erase(video)) erased++
        }
        const last = videos.at(-1)
        if (!last) return erased
        behind = { createdAt: last.created_at, id: last.id }
      }
    },
  }
}
