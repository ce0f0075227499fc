import type { Events } from '../../platform/events/events.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { VideoRow } from './video-row.ts'

interface PermitDeps {
  repo: Pick<LibraryRepo, 'byId'>
  events: Events
  mayWork: (userId: string) => Promise<boolean>
  everyMs: number
}

/** The leave to work on a video, for as long as the work lasts. */
interface WorkPermit {
  /** Aborted when the video is deleted, or its owner suspended or deleted: here, on another machine or by the operator's command. */
  readonly signal: AbortSignal
  release(): void
}

/** `isWanted`: whether this very work still is, where there may be other work on the video. */
export type PermitFor = (video: Pick<VideoRow, 'id' | 'user_id'>, isWanted?: () => Promise<boolean>) => WorkPermit

export function createWorkPermits({ repo, events, mayWork, everyMs }: PermitDeps): PermitFor {
  return ({ id, user_id }, isWanted = async () => true) => {
    const withdrawn = new AbortController()
    const isGone = async (): Promise<boolean> =>
      !(await mayWork(user_id)) || !(await repo.byId(id)) || !(await isWanted())
    const ask = (): void => {
      // A database that is away now is asked again: the work may go on meanwhile.
      isGone().then(
        (gone) => gone && withdrawn.abort(),
        () => {},
      )
    }
    const timer = setInterval(ask, everyMs)
    // The event only wakes: the row says whether it is gone.
    const stopListening = events.on('video.removed', ({ videoId }) => {
      if (videoId === id) ask()
    })
    return {
      signal: withdrawn.signal,
      release() {
        clearInterval(timer)
        stopListening()
      },
    }
  }
}
