import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import type { StopStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Caller } from '../../identity/caller.ts'
import { isSamePlace, nextPlace } from '../../playlists/next-item.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { courseOf } from '../sequence/playlist-sequence.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import { placeOf } from './playlist-now.ts'

interface SkipItemDeps {
  repo: Pick<StreamsRepo, 'byId' | 'askSkip' | 'streamsOf'>
  playlists: Pick<PlaylistsRepo, 'contents'>
  events: Events
}

/**
 * The item that would come next is left out, once. What plays now plays to its end: ffmpeg has it open. The other streams of the broadcast
 * leave it out too, each when it comes there, so that all go on playing the same.
 */
export const createSkipItem =
  ({ repo, playlists, events }: SkipItemDeps) =>
  async (caller: Caller, { streamId }: StopStreamBody): Promise<void> => {
    const stream = await repo.byId(streamId)
    if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended')
      throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
    const place = placeOf(stream)
    const content = (await playlists.contents([stream.playlist_id ?? ''])).get(stream.playlist_id ?? '')
    if (!place || !content) throw new DomainError('swap_impossible', PLAYLIST_TEXTS.noPlaylist)
    const course = courseOf(stream, content)
    const skipped = nextPlace(place, course)
    const to = skipped && nextPlace(skipped, course)
    if (!to || isSamePlace(to, skipped)) throw new DomainError('swap_impossible', PLAYLIST_TEXTS.nothingToSkip)
    for (const { id, phase } of await repo.streamsOf([stream.broadcast_id])) {
      if (phase === 'ended') continue
      await repo.askSkip(id, { from: place, to })
      events.emit('stream.swap-asked', { streamId: id })
    }
  }
