import type { PassedOver } from '@siarin/contracts/stream-event-texts'
import type { LibraryService } from '../../library/library.service.ts'
import { firstPlace, nextPlace, type Place } from '../../playlists/next-item.ts'
import type { PlaylistContent, PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { readSkips } from '../../playlists/skips.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { createAdoption } from './adopted-list.ts'
import { createBrokenItems } from './broken-items.ts'
import type { Beginning, ClipSequence, Following } from './clip-sequence.ts'
import { type Clip, type Clips, releasing } from './clips.ts'
import { type Found, findPlayable } from './find-playable.ts'
import { PlaylistUnplayableError, SourceMissingError } from './source-errors.ts'

export interface PlaylistSequenceDeps {
  row: StreamRow
  repo: Pick<StreamsRepo, 'byId' | 'playlistSeen'>
  clips: Pick<
    Clips,
    'find' | 'keyframeBefore' | 'areAlike' | 'isUnchanged' | 'durationOf' | 'release' | 'meanSecondsOf'
  >
  playlists: Pick<PlaylistsRepo, 'contents'>
  library: Pick<LibraryService, 'hasOpenOrders' | 'findById'>
  /** A clock that nobody sets. */
  steady?: () => number
}

type Item = PlaylistContent['items'][number]

/** So near its end an item is over: what is left of it is not worth a session. */
const ALMOST_OVER_MS = 500
const UNKNOWN_MEAN_SECONDS = 60
const MOST_LOOKED_AT = 1_000

type CourseRow = Pick<StreamRow, 'broadcast_id' | 'playlist_start_item' | 'playlist_skip' | 'looping'>

/** How a stream goes through its list. A broadcast's id is its seed: the streams of one broadcast play the same order. */
export const courseOf = (row: CourseRow, { playlist, items, removed }: PlaylistContent) => ({
  items,
  removed,
  ordering: {
    shuffle: playlist.shuffle === 1,
    seed: row.broadcast_id,
    startItemId: row.playlist_start_item,
  },
  looping: row.looping === 1,
  skips: readSkips(row.playlist_skip),
})

type NextFound = Found<Item, Clip>['next']

/** The items of a list, one after the other. Rows are read anew each time: the list may have been changed since. */
export function playlistOf(deps: PlaylistSequenceDeps): ClipSequence {
  const { row, repo, clips } = deps
  const { read, clipOf, clipAt, playableAfter, lookBehind, broken } = createItems(deps)
  const untold: PassedOver[] = []

  /** As `playableAfter`, in earnest: its owner is told of what is passed over. `before`: what else was. */
  async function goOnAfter(place: Place, known: Known, before: readonly Item[] = []): Promise<NextFound> {
    const { next, passed } = await playableAfter(place, known)
    broken.keepOnly(known.items.map(({ video_id }) => video_id))
    const [first, ...others] = broken.tell([...before, ...passed].map(({ video_id }) => video_id))
    if (first) {
      const video = await deps.library.findById(first.videoId).catch(() => null)
      untold.push({ why: first.why, filename: video?.filename ?? null, more: others.length })
    }
    return next
  }

  /** With what follows, so that a session has it from its first moment: on a busy machine, finding it out takes longer than a short item. */
  async function begin(position: Parameters<ClipSequence['begin']>[0]): Promise<Beginning> {
    const first = await beginning(position)
    const next = first.place ? await following(first.place, first.clip).catch(() => null) : null
    return { ...first, next }
  }

  async function beginning(position: Parameters<ClipSequence['begin']>[0]): Promise<Omit<Beginning, 'next'>> {
    const known = await read()
    const place = position.place ?? firstPlace(known.items, known.course.ordering)
    if (!place) throw new SourceMissingError('the playlist of this stream has no items')
    const meanSeconds = (await clips.meanSecondsOf(known.items.map(({ video_id }) => video_id))) ?? UNKNOWN_MEAN_SECONDS
    const clip = await clipAt(place, known)
    const isOver = clip === null || position.ms >= clips.durationOf(clip) - ALMOST_OVER_MS
    const broken = clip === null ? known.items.filter(({ id }) => id === place.itemId) : []
    const letGo = releasing(clips, clip)
    const next = isOver ? await goOnAfter(place, known, broken).catch(letGo) : null
    if (next) {
      if (clip) clips.release(clip)
      return { clip: next.clip, item: 0, place: next.place, fromSeconds: 0, meanSeconds }
    }
    if (!clip) throw new PlaylistUnplayableError('no video of this playlist can be played')
    return {
      clip,
      item: 0,
      place,
      fromSeconds: await clips.keyframeBefore(clip, position.ms, row.user_id).catch(letGo),
      meanSeconds,
    }
  }

  async function following(place: Place, playing: Clip, told: Clip | null = null): Promise<Following | null> {
    // A change of the list is told by itself: here it is about the file.
    if (told && (await clips.isUnchanged(told))) return null
    const known = await read(playing.recipe ?? null)
    const next = await goOnAfter(place, known)
    // Seen by now, whatever comes of it; what is asked for meanwhile stays asked for. Where that cannot be written, it is only asked for again.
    if (known.now.playlist_asked > 0) await repo.playlistSeen(row.id, known.now.playlist_asked).catch(() => {})
    if (next) {
      const follows = await clips.areAlike(playing, next.clip).catch(releasing(clips, next.clip))
      void lookBehind(next, known).catch(() => {})
      return { ...next, follows }
    }
    if (!known.course.looping) return 'end'
    // An empty list: what plays goes on until there is something else.
    const again = await clipOf(playing.videoId, playing.recipe ?? null).catch(nullIfMissing)
    return again ? { place: { ...place, round: place.round + 1 }, clip: again, follows: true } : 'nothing'
  }

  return {
    goesOn: true,
    begin,
    change: async () => null,
    following,
    passedOver: () => untold.shift() ?? null,
    adopted: createAdoption(deps, { read, clipOf, clipAt, playableAfter }),
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof SourceMissingError) return null
  throw error
}

interface Known {
  readonly now: StreamRow
  readonly course: ReturnType<typeof courseOf>
  readonly items: PlaylistContent['items']
  readonly recipe: string | null
}

export type Items = ReturnType<typeof createItems>

/** The list as it is now, and the files of its items. */
function createItems({ row, repo, clips, playlists, library, steady }: PlaylistSequenceDeps) {
  const broken = createBrokenItems(steady)

  /**
   * What the videos of a list were made alike by. While some are still being made, a stream that plays them as they are goes on so: it would
   * have to reconnect again and again between the two.
   */
  async function recipeOf(content: PlaylistContent | undefined, playing: string | null): Promise<string | null> {
    const recipe = content?.playlist.recipe ?? null
    if (!content || recipe === null || recipe === playing) return recipe
    const ids = content.items.map(({ video_id }) => video_id)
    return (await library.hasOpenOrders(ids, recipe)) ? null : recipe
  }

  /** `playing`: the recipe of the clip that plays; the row knows it too. */
  async function read(playing?: string | null): Promise<Known> {
    const now = (await repo.byId(row.id)) ?? row
    const id = now.playlist_id ?? ''
    const content = (await playlists.contents([id])).get(id)
    const items = content?.items ?? []
    const course = content
      ? courseOf(now, content)
      : {
          items,
          removed: [],
          looping: now.looping === 1,
          skips: [],
          ordering: { shuffle: false, seed: '', startItemId: null },
        }
    return {
      now,
      course,
      items,
      recipe: await recipeOf(content, playing === undefined ? now.position_recipe : playing),
    }
  }

  const clipOf = (videoId: string | null, recipe: string | null): Promise<Clip> =>
    clips.find(videoId, { asList: true, recipe })

  /** Null: it cannot be played. */
  async function open(videoId: string, recipe: string | null): Promise<Clip | null> {
    if (broken.isKnown(videoId)) return null
    try {
      const clip = await clipOf(videoId, recipe)
      broken.mended(videoId)
      return clip
    } catch (error) {
      if (!(error instanceof SourceMissingError)) throw error
      broken.found(videoId, error.why)
      return null
    }
  }

  /** What follows a place and can be played. */
  const playableAfter = (place: Place, { course, items, recipe }: Known): Promise<Found<Item, Clip>> =>
    findPlayable(place, { ...course, items }, ({ video_id }) => open(video_id, recipe))

  /** The clip at a place, also of an item that was removed while it played. */
  async function clipAt(place: Place, { now, items, recipe }: Known): Promise<Clip | null> {
    const item = items.find(({ id }) => id === place.itemId)
    const isPlaying = place.itemId === now.position_item_id
    const videoId = item?.video_id ?? (isPlaying ? now.video_id : null)
    return videoId === null ? null : open(videoId, recipe)
  }

  const lookedAt = new Set<string>()

  /** Looks at what comes behind what comes next, while there is time: what is found out about a file is remembered. */
  async function lookBehind(next: { place: Place; clip: Clip }, known: Known): Promise<void> {
    const behind = nextPlace(next.place, known.course)
    const videoId = known.items.find(({ id }) => id === behind?.itemId)?.video_id
    if (videoId === undefined || lookedAt.has(videoId)) return
    if (lookedAt.size >= MOST_LOOKED_AT) lookedAt.clear()
    lookedAt.add(videoId)
    const { next: found } = await playableAfter(next.place, known)
    if (found) await clips.areAlike(next.clip, found.clip).finally(() => clips.release(found.clip))
  }

  return { read, clipOf, clipAt, playableAfter, lookBehind, broken }
}
