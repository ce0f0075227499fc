import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import type { StopStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Caller } from '../../identity/caller.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { skipsAfter } from '../../playlists/skips.ts'
import { courseOf } from '../sequence/playlist-sequence.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import { placeOf } from './playlist-now.ts'

interface SkipItemDeps {
  repo: Pick<StreamsRepo, 'byId' | 'askSkip'>
  playlists: Pick<PlaylistsRepo, 'contents'>
  events: Events
}

/**
 * One more item is left out: the one that would come next. What plays now plays to its end: ffmpeg has it open. The other streams of the
 * broadcast leave it out too, each when it comes there, so that all go on playing the same.
 */
export const createSkipItem =
  ({ repo, playlists, events }: SkipItemDeps) =>
  async (caller: Caller, { streamId }: StopStreamBody): Promise<void> => {
    const stream = await repo.byId(streamId)
    if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended')
      throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
    const content = (await playlists.contents([stream.playlist_id ?? ''])).get(stream.playlist_id ?? '')
    if (!placeOf(stream) || !content) throw new DomainError('swap_impossible', PLAYLIST_TEXTS.noPlaylist)
    const asked = await repo.askSkip(stream.broadcast_id, (rows) => {
      const streams = rows.flatMap((row) => {
        const place = placeOf(row)
        return place ? [{ id: row.id, place, course: courseOf({ ...stream, ...row }, content) }] : []
      })
      const own = streams.find(({ id }) => id === streamId)
      // It has ended since.
      if (!own) throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      const skips = skipsAfter(own, streams)
      if (!skips) throw new DomainError('swap_impossible', PLAYLIST_TEXTS.nothingToSkip)
      return new Map([...skips].map(([{ id }, places]) => [id, places]))
    })
    for (const id of asked) events.emit('stream.swap-asked', { streamId: id })
  }
