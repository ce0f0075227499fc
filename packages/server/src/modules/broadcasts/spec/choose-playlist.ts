import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import { PLAYLIST_ITEM_MIN_MS } from '@siarin/contracts/playlists'
import { DomainError } from '../../../errors.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { VideoOutline } from '../../library/read-videos.repo.ts'
import { firstPlace } from '../../playlists/next-item.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import type { SourceColumns } from './choose-source.ts'

interface ChoosePlaylistDeps {
  playlists: Pick<PlaylistsRepo, 'contents'>
  library: Pick<LibraryService, 'outlinesOf'>
  /** Refuses what is larger than the plan allows. */
  assertFits: (workspaceId: string, video: VideoOutline) => Promise<void>
}

interface ChosenPlaylist {
  readonly id: string
  readonly itemId: string | null
  /** The id of the broadcast that is to be: its rounds follow from it. */
  readonly broadcastId: string
}

/** A playlist as the source of a broadcast. Every item has to be ready, or it is said which one is not. */
export const createChoosePlaylist =
  ({ playlists, library, assertFits }: ChoosePlaylistDeps) =>
  async ({ workspaceId }: Caller, { id, itemId, broadcastId }: ChosenPlaylist): Promise<SourceColumns> => {
    const content = (await playlists.contents([id])).get(id)
    if (content?.playlist.user_id !== workspaceId) throw new DomainError('source_invalid', PLAYLIST_TEXTS.notFound)
    const { playlist, items } = content
    if (itemId !== null && !items.some((item) => item.id === itemId))
      throw new DomainError('source_invalid', PLAYLIST_TEXTS.itemNotFound)
    const ordering = { shuffle: playlist.shuffle === 1, seed: broadcastId, startItemId: itemId }
    const first = items.find((item) => item.id === firstPlace(items, ordering)?.itemId)
    if (!first) throw new DomainError('source_invalid', PLAYLIST_TEXTS.empty)
    for (const video of await library.outlinesOf([...new Set(items.map(({ video_id }) => video_id))])) {
      if (video.status !== 'ready')
        throw new DomainError('video_not_ready', PLAYLIST_TEXTS.itemNotReady(video.filename))
      if ((video.duration_ms ?? PLAYLIST_ITEM_MIN_MS) < PLAYLIST_ITEM_MIN_MS)
        throw new DomainError('source_invalid', PLAYLIST_TEXTS.tooShort(video.filename))
      await assertFits(workspaceId, video)
    }
    return {
      video_id: first.video_id,
      source: playlist.name,
      source_kind: 'video',
      source_finite: 0,
      source_sealed: null,
      source_account_id: null,
      fallback_video_id: null,
      playlist_id: id,
      playlist_start_item: itemId,
      position_item_id: first.id,
    }
  }
