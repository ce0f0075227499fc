import { playlistIdOf } from '@siarin/contracts/playlists'
import { STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { VideoRow } from '../../library/video-row.ts'
import type { SourceBody } from './choose-source.ts'
import { sourceFilename } from './source-filename.ts'

/** The videos that a request named when it was made. Later, another video of the same name is not meant. */
export interface VideoPins {
  /** Null: it names none. */
  readonly video: string | null
  readonly fallback: string | null
}

export interface Named {
  /** What is said where there is no video of this name. */
  readonly missing?: string | undefined
  /** Its id, where that counts and not the name. */
  readonly pin?: string | null | undefined
}

/** What a request names is no video of the caller, but an address or a room elsewhere. */
export const isOnline = ({ source, accountId }: Pick<SourceBody, 'source' | 'accountId'>): boolean =>
  Boolean(accountId) || (/^https?:/i.test(source) && sourceFilename(source) === null)

/** The videos that requests name. */
export function createNamedVideos(library: Pick<LibraryService, 'find' | 'findAll' | 'outlinesNamed'>) {
  async function pinned({ workspaceId }: Caller, id: string): Promise<VideoRow> {
    const [video] = await library.findAll([id])
    if (video?.user_id === workspaceId) return video
    throw new DomainError('source_invalid', STREAM_TEXTS.sourceInvalid, { reasonCode: 'video-gone' })
  }

  async function named(caller: Caller, source: string, missing: string = STREAM_TEXTS.sourceInvalid) {
    const filename = sourceFilename(source)
    if (filename === null) throw new DomainError('source_invalid', missing)
    return library.find(caller, filename).catch((error) => {
      if (error instanceof DomainError) throw new DomainError('source_invalid', missing)
      throw error
    })
  }

  /** Its id now; empty: there is none of this name, so that none is meant later either. */
  async function idOf({ workspaceId }: Caller, source: string): Promise<string> {
    const filename = sourceFilename(source)
    const [video] = filename === null ? [] : await library.outlinesNamed(workspaceId, [filename])
    return video?.id ?? ''
  }

  return {
    /** What can go on air, now or once it has been prepared. */
    async findOwn(caller: Caller, source: string, { missing, pin = null }: Named): Promise<VideoRow> {
      const video = await (pin === null ? named(caller, source, missing) : pinned(caller, pin))
      if (video.status === 'failed') throw new DomainError('video_not_ready', VIDEO_TEXTS.failedEarlier)
      return video
    },
    /** Which videos a request means that has nothing but their names. */
    async pinsOf(caller: Caller, body: Pick<SourceBody, 'source' | 'accountId' | 'fallback'>): Promise<VideoPins> {
      if (playlistIdOf(body.source) !== null) return { video: null, fallback: null }
      if (!isOnline(body)) return { video: await idOf(caller, body.source), fallback: null }
      return { video: null, fallback: body.fallback ? await idOf(caller, body.fallback) : null }
    },
  }
}
