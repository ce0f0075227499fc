import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { LibraryRepo } from './library.repo.ts'
import { folderOf, type VideoRow } from './video-row.ts'

interface RemovalDeps {
  repo: Pick<LibraryRepo, 'remove' | 'ofUser' | 'isListed' | 'forgetLists'>
  storage: Pick<Storage, 'remove'>
  events: Events
  log: Log
  isOnAir: (videoId: string) => Promise<boolean>
}

export function createRemovals({ repo, storage, events, log, isOnAir }: RemovalDeps) {
  /** False: it is on air, or another one was quicker. Without its row it is gone, whatever becomes of its files. */
  async function erase(video: VideoRow): Promise<boolean> {
    if (!(await repo.remove(video.id))) return false
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
    },

    /** All that a user has; what is on air stays. Answers how many went. */
    async removeAllOf(userId: string): Promise<number> {
      await repo.forgetLists(userId)
      let erased = 0
      for (const video of await repo.ofUser(userId)) {
        if (await erase(video)) erased++
      }
      return erased
    },
  }
}
