import type { PlaylistNow } from '@siarin/contracts/playlists'
import type { LibraryService } from '../../library/library.service.ts'
import { nextPlace, type Place } from '../../playlists/next-item.ts'
import type { PlaylistContent, PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { courseOf } from '../sequence/playlist-sequence.ts'
import type { StreamRow } from '../store/streams.repo.ts'

interface PlaylistsNowDeps {
  playlists: Pick<PlaylistsRepo, 'contents'>
  library: Pick<LibraryService, 'findAll'>
}

export const placeOf = ({ position_item_id: itemId, position_round: round }: StreamRow): Place | null =>
  itemId === null ? null : { itemId, round }

/** What each of these streams plays of its list, by stream; one that plays none has nothing. */
export const createPlaylistsNow =
  ({ playlists, library }: PlaylistsNowDeps) =>
  async (rows: readonly StreamRow[]): Promise<ReadonlyMap<string, PlaylistNow>> => {
    const ids = [...new Set(rows.flatMap(({ playlist_id }) => playlist_id ?? []))]
    if (ids.length === 0) return new Map()
    const contents = await playlists.contents(ids)
    const shown = rows.flatMap((row) => {
      const content = contents.get(row.playlist_id ?? '')
      const place = placeOf(row)
      return content && place ? [{ row, content, place, next: nextItemOf(row, content, place) }] : []
    })
    const videoIds = shown.flatMap(({ row, next }) => [row.video_id ?? [], next?.video_id ?? []].flat())
    const names = new Map((await library.findAll([...new Set(videoIds)])).map(({ id, filename }) => [id, filename]))
    return new Map(
      shown.map(({ row, content, place, next }) => {
        const indexOf = (itemId: string): number => content.items.findIndex(({ id }) => id === itemId)
        const index = indexOf(place.itemId)
        const now: PlaylistNow = {
          id: content.playlist.id,
          name: content.playlist.name,
          shuffle: content.playlist.shuffle === 1,
          itemId: place.itemId,
          filename: names.get(row.video_id ?? '') ?? '',
          index: index === -1 ? null : index,
          count: content.items.length,
          round: place.round,
          next: next && { itemId: next.id, index: indexOf(next.id), filename: names.get(next.video_id) ?? '' },
        }
        return [row.id, now]
      }),
    )
  }

function nextItemOf(row: StreamRow, content: PlaylistContent, place: Place): PlaylistContent['items'][number] | null {
  const next = nextPlace(place, courseOf(row, content))
  return content.items.find(({ id }) => id === next?.itemId) ?? null
}
