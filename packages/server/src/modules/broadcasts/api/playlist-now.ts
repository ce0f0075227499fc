import type { PlaylistNow } from '@siarin/contracts/playlists'
import { createMemory } from '../../../platform/memory.ts'
import type { LibraryService } from '../../library/library.service.ts'
import { nextPlace, type Place } from '../../playlists/next-item.ts'
import type { PlaylistContent, PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { positionInRound } from '../../playlists/position-in-round.ts'
import { courseOf } from '../sequence/playlist-sequence.ts'
import type { StreamRow } from '../store/streams.repo.ts'

interface PlaylistsNowDeps {
  playlists: Pick<PlaylistsRepo, 'contents'>
  library: Pick<LibraryService, 'outlinesOf'>
}

/** A video as it is shown. */
interface ShownVideo {
  readonly filename: string
  readonly durationMs: number | null
}

export const placeOf = ({
  position_item_id: itemId,
  position_round: round,
}: Pick<StreamRow, 'position_item_id' | 'position_round'>): Place | null => (itemId === null ? null : { itemId, round })

/** What each of these streams plays of its list, by stream; one that plays none has nothing. */
export function createPlaylistsNow({ playlists, library }: PlaylistsNowDeps) {
  const videosOf = rememberVideos(library)
  return async (rows: readonly StreamRow[]): Promise<ReadonlyMap<string, PlaylistNow>> => {
    const ids = [...new Set(rows.flatMap(({ playlist_id }) => playlist_id ?? []))]
    if (ids.length === 0) return new Map()
    const contents = await playlists.contents(ids)
    const shown = new Map<string, PlaylistNow>()
    for (const row of rows) {
      const content = contents.get(row.playlist_id ?? '')
      const place = placeOf(row)
      if (content && place) shown.set(row.id, describe(row, content, place, await videosOf(content, row.video_id)))
    }
    return shown
  }
}

const MOST_LISTS = 1_000
/** A video may get another length while it is in a list: when its preparation ends, or is done anew. */
const LIFE_MS = 10_000

/**
 * The videos of a list, by id, with the one that plays. A list may have 500 of them, and where a stream is in it changes every other second: they
 * are read anew only with the list.
 */
function rememberVideos(library: PlaylistsNowDeps['library']) {
  const memory = createMemory<ReadonlyMap<string, ShownVideo>>({ version: () => 0, lifeMs: LIFE_MS, most: MOST_LISTS })
  const read = async (ids: readonly string[]): Promise<ReadonlyMap<string, ShownVideo>> =>
    new Map(
      (await library.outlinesOf([...new Set(ids)])).map(({ id, filename, duration_ms }) => [
        id,
        { filename, durationMs: duration_ms },
      ]),
    )
  return async ({ playlist, items }: PlaylistContent, playingId: string | null) => {
    const listed = items.map(({ video_id }) => video_id)
    const known = await memory.recall(`${playlist.id} ${playlist.version}`, () => read(listed))
    // What was taken out of the list plays to its end.
    if (playingId === null || known?.has(playingId)) return known ?? new Map<string, ShownVideo>()
    return new Map([...(known ?? []), ...(await read([playingId]))])
  }
}

function describe(
  row: StreamRow,
  content: PlaylistContent,
  place: Place,
  videos: ReadonlyMap<string, ShownVideo>,
): PlaylistNow {
  const { playlist, items } = content
  const course = courseOf(row, content)
  const indexOf = (itemId: string): number => items.findIndex(({ id }) => id === itemId)
  const index = indexOf(place.itemId)
  // Asked once: of a shuffled list it takes the order of all its items.
  const nextId = nextPlace(place, course)?.itemId
  const next = items.find(({ id }) => id === nextId) ?? null
  const playing = videos.get(row.video_id ?? '')
  const lengths = new Map(items.map(({ id, video_id }) => [id, videos.get(video_id)?.durationMs ?? 0]))
  const { roundIndex, beforeMs, wholeMs } = positionInRound(place, course, lengths)
  const positionMs = Math.max(0, row.position_ms)
  return {
    id: playlist.id,
    name: playlist.name,
    shuffle: playlist.shuffle === 1,
    itemId: place.itemId,
    filename: playing?.filename ?? '',
    index: index === -1 ? null : index,
    count: items.length,
    round: place.round,
    roundIndex,
    positionMs,
    durationMs: playing?.durationMs ?? null,
    roundPositionMs: Math.min(beforeMs + positionMs, Math.max(wholeMs, positionMs)),
    roundDurationMs: wholeMs,
    next: next && {
      itemId: next.id,
      index: indexOf(next.id),
      filename: videos.get(next.video_id)?.filename ?? '',
    },
  }
}
