import { randomUUID } from 'node:crypto'
import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import {
  type AddPlaylistItemsBody,
  type ChangePlaylistBody,
  type MovePlaylistItemBody,
  type NewPlaylistBody,
  PLAYLIST_ITEM_MIN_MS,
  PLAYLIST_ITEMS_MAX,
  PLAYLISTS_MAX,
  type Playlist,
} from '@siarin/contracts/playlists'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/db/database.ts'
import type { Caller } from '../identity/caller.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { VideoOutline } from '../library/read-videos.repo.ts'
import type { Alike } from './alike.ts'
import { cursorOf, readCursor, toHead, toPlaylist, type VideosById } from './playlist-views.ts'
import { listChanges, type PlaylistContent, type PlaylistsRepo } from './playlists.repo.ts'

export interface PlaylistsServiceDeps {
  repo: PlaylistsRepo
  library: Pick<LibraryService, 'findAll' | 'outlinesNamed'>
  alike: Alike
  clock: Clock
  isOnAir: (playlistId: string) => Promise<boolean>
  /** Whether one of the workspace's schedules starts it. */
  isScheduled: (workspaceId: string, playlistId: string) => Promise<boolean>
  /** Tells those that play it. */
  onChanged: (playlistId: string) => Promise<void>
  /** Takes it out of every broadcast that has ended, in small batches. */
  leaveEnded: (playlistId: string) => Promise<void>
}

export type PlaylistsService = ReturnType<typeof createPlaylistsService>

/** What a playlist may be, and who may change it. */
export function createPlaylistsService(deps: PlaylistsServiceDeps) {
  const { repo, library, clock } = deps
  const reading = createReading(deps)
  const { read, contentOf } = reading

  const change = createChange(deps, reading)
  const ownVideos = createOwnVideos(library)

  const assertItem = ({ items }: PlaylistContent, itemId: string): void => {
    if (!items.some(({ id }) => id === itemId)) throw new DomainError('not_found', PLAYLIST_TEXTS.itemNotFound)
  }

  const assertOffAir = async (id: string): Promise<void> => {
    if (await deps.isOnAir(id)) throw new DomainError('playlist_on_air', PLAYLIST_TEXTS.onAir)
  }

  return {
    ...reading,

    /** Whether viewers see it, now or by a schedule: a change of it changes what they see. */
    isShown: async ({ workspaceId }: Caller, id: string): Promise<boolean> =>
      (await deps.isOnAir(id)) || deps.isScheduled(workspaceId, id),

    async create(caller: Caller, { name, shuffle, videos: filenames }: NewPlaylistBody): Promise<Playlist> {
      const videos = await ownVideos(caller, filenames)
      const [id, now] = [randomUUID(), clock.now()]
      const row = { id, user_id: caller.workspaceId, name, shuffle: shuffle ? 1 : 0, created_at: now, updated_at: now }
      if (!(await repo.insert(row, PLAYLISTS_MAX)))
        throw new DomainError('playlist_limit_reached', PLAYLIST_TEXTS.tooManyLists(PLAYLISTS_MAX))
      if (videos.length === 0) return read(caller, id)
      const ids = videos.map((video) => video.id)
      return change(caller, { id }, (changes) => changes.add(ids, 0))
    },

    update: (caller: Caller, id: string, { name, shuffle, version }: ChangePlaylistBody): Promise<Playlist> =>
      change(caller, { id, version }, (changes) =>
        changes.set({
          ...(name === undefined ? {} : { name }),
          ...(shuffle === undefined ? {} : { shuffle: shuffle ? 1 : 0 }),
        }),
      ),

    async add(caller: Caller, id: string, { videos: filenames, index, version }: AddPlaylistItemsBody) {
      const videos = await ownVideos(caller, filenames)
      return change(caller, { id, version }, async (changes, { items }) => {
        if (items.length + videos.length > PLAYLIST_ITEMS_MAX)
          throw new DomainError('playlist_limit_reached', PLAYLIST_TEXTS.tooManyItems(PLAYLIST_ITEMS_MAX))
        const ids = videos.map((video) => video.id)
        await changes.add(ids, Math.min(index ?? items.length, items.length))
      })
    },

    move: (caller: Caller, id: string, itemId: string, { index, version }: MovePlaylistItemBody): Promise<Playlist> =>
      change(caller, { id, version }, async (changes, content) => {
        assertItem(content, itemId)
        await changes.move(itemId, Math.min(index, content.items.length - 1))
      }),

    removeItem: (caller: Caller, id: string, itemId: string): Promise<Playlist> =>
      change(caller, { id }, async (changes, content) => {
        assertItem(content, itemId)
        await changes.remove(itemId, clock.now())
      }),

    /** Null: nothing has to be made, since all items are alike. */
    async makeAlike(caller: Caller, id: string): Promise<{ playlist: Playlist; recipe: string | null }> {
      const content = await contentOf(caller, id)
      const recipe = await deps.alike.order(content, await reading.videosOf([content]))
      if (recipe === null) return { playlist: await read(caller, id), recipe }
      return { playlist: await change(caller, { id }, (changes) => changes.set({ recipe })), recipe }
    },

    async remove(caller: Caller, id: string): Promise<void> {
      await contentOf(caller, id)
      await assertOffAir(id)
      await deps.leaveEnded(id)
      // That may have taken seconds.
      await assertOffAir(id)
      if (!(await repo.remove(id, caller.workspaceId))) throw notFound()
    },
  }
}

const notFound = (): DomainError => new DomainError('not_found', PLAYLIST_TEXTS.notFound)

/** What tells of playlists. */
function createReading({ repo, library, alike }: Pick<PlaylistsServiceDeps, 'repo' | 'library' | 'alike'>) {
  const videosOf = async (contents: Iterable<PlaylistContent>): Promise<VideosById> => {
    const ids = [...contents].flatMap(({ items }) => items.map(({ video_id }) => video_id))
    return new Map((await library.findAll([...new Set(ids)])).map((video) => [video.id, video]))
  }

  async function contentOf({ workspaceId }: Caller, id: string): Promise<PlaylistContent> {
    const content = (await repo.contents([id])).get(id)
    if (content?.playlist.user_id !== workspaceId) throw notFound()
    return content
  }

  async function read(caller: Caller, id: string): Promise<Playlist> {
    const content = await contentOf(caller, id)
    const videos = await videosOf([content])
    return toPlaylist(content, videos, await alike.stateOf(content, videos))
  }

  return {
    contentOf,
    videosOf,
    read,

    /** Newest first. */
    async page(caller: Caller, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
      const after = cursor === undefined ? null : readCursor(cursor)
      if (cursor !== undefined && !after) throw new DomainError('invalid_input', PLAYLIST_TEXTS.cursorInvalid)
      const rows = await repo.pageOf(caller.workspaceId, after, limit + 1)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      return { playlists: shown.map(toHead), nextCursor: rows.length > limit && last ? cursorOf(last) : null }
    },
  }
}

/** One change of a list, told to those who play it. */
const createChange =
  ({ repo, clock, onChanged }: Pick<PlaylistsServiceDeps, 'repo' | 'clock' | 'onChanged'>, reading: Reading) =>
  async (
    caller: Caller,
    { id, version }: { id: string; version?: number | undefined },
    work: (changes: ReturnType<typeof listChanges>, content: PlaylistContent) => Promise<void>,
  ): Promise<Playlist> => {
    const which = { id, userId: caller.workspaceId, version }
    const done = await repo
      .change(which, clock.now(), async (inside, content) => {
        await work(listChanges(inside, content), content)
        return true
      })
      .catch((error) => {
        // Deleted since it was chosen.
        if (isForeignKeyViolation(error)) throw new DomainError('source_invalid', PLAYLIST_TEXTS.videosInvalid)
        throw error
      })
    if (!done) {
      await reading.contentOf(caller, id)
      throw new DomainError('playlist_changed', PLAYLIST_TEXTS.changed)
    }
    await onChanged(id)
    return reading.read(caller, id)
  }

type Reading = ReturnType<typeof createReading>

/** By their names, in the order in which they were named. */
const createOwnVideos =
  (library: Pick<LibraryService, 'outlinesNamed'>) =>
  async ({ workspaceId }: Caller, filenames: readonly string[]): Promise<VideoOutline[]> => {
    const found = new Map((await library.outlinesNamed(workspaceId, filenames)).map((video) => [video.filename, video]))
    return filenames.map((filename) => {
      const video = found.get(filename)
      if (!video) throw new DomainError('source_invalid', PLAYLIST_TEXTS.videoNotFound(filename))
      if (video.duration_ms !== null && video.duration_ms < PLAYLIST_ITEM_MIN_MS)
        throw new DomainError('source_invalid', PLAYLIST_TEXTS.tooShort(filename))
      return video
    })
  }
